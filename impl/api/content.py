"""A node of a content-based overlay, for applications that subscribe by filters instead of topics.

No call waits, except for iterating over deliveries; time, randomness and names are arguments.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.api.client import Client
from gomboc.impl.api.keeping import Keeping, Kept, kept_of
from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.session import Session
from gomboc.impl.api.topics.waiting import fault_of_periods, until
from gomboc.impl.core.automaton import RandomSource
from gomboc.impl.core.errors import UsageError, needed
from gomboc.impl.core.failed import Failed, Failures, each
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.core.refusals import Refusal, Refusals
from gomboc.impl.publishing.deliveries import Counted, Counters, Queueing
from gomboc.impl.publishing.port import (
    Confirmed,
    Filter,
    Matched,
    Ready,
    SetOut,
    Subscribed,
    Truth,
    Unreachable,
    Value,
)
from gomboc.impl.publishing.publication import PublicationId
from gomboc.impl.runtime.configuration import HostConfig, NodeContext
from gomboc.impl.runtime.detection.detector import Timing
from gomboc.impl.runtime.detection.heartbeats import detecting
from gomboc.impl.runtime.failures import failing_of
from gomboc.impl.runtime.host import Host
from gomboc.impl.runtime.transport import Gate

SYSTEM = "system"
"""The topic on all envelopes: each node has one instance of the protocol, for all filters."""


class _Publishing(Struct):
    """A requested publication; it has no id before it is sent."""

    confirmed: Callable[[PublicationId], None] | None
    id: PublicationId | None = None


class ContentNode:
    """A node to which any number of clients are attached.

    A system begins with nodes of these `names`, and each is made with all of them. A node that is made without names
    joins a system later. A node that comes back after a crash is made with its `kept` value; then it has one client at
    first, `restored`, with the subscriptions of its former clients. Messages between two nodes must arrive in the order
    in which they were sent.

    `keep` is called with the value to keep when that changes, and after a start before anything is sent. A node that is
    made with an older value would give out ids again: its peers ignore it, and as soon as one of them reports that, it
    stops, and every call is refused as bad_kept.

    With a `detector` it suspects nodes by itself, by what arrives from them. It has to be perfect: its patience is to
    be longer than any silence of a node that is up.

    Invalid requests are refused with `RefusedError`, and counted: in `refusals`, if passed, so that refusals of this
    constructor are counted as well. Refused here: bad_kept, bad_contact.
    """

    def __init__(
        self,
        name: str,
        overlay: Overlay,
        around: NodeContext,
        *,
        names: Sequence[str] = (),
        kept: object = None,
        keep: Callable[[object], None] | None = None,
        queueing: Queueing | None = None,
        refusals: Refusals | None = None,
        detector: Timing | None = None,
    ) -> None:
        self.name = name
        says = f"{overlay.implementation.name} has topics and no filters: make a Node."
        self._content, self._clock = needed(overlay.port.content, says), around.clock
        self._failing = failing_of(overlay.implementation)
        self._queueing = Queueing() if queueing is None else queueing
        self._refusals = Refusals(Reason) if refusals is None else refusals
        self._keeping = Keeping(name, overlay.agreement, keep, kept)
        self._outdated: str | None = None
        before = None if kept is None else self._read(overlay, kept, around.random)
        gate, around = self._connected(around, before, detector)
        member, left = overlay.port.member, None if before is None else before.left
        self._contact = None if left is not None or names else self._joined_through()
        state = self._content.begin(overlay.parameters, name, names) if left is None else left
        self._core = overlay.implementation.make(member, name, state, around.random)
        self._keeping.left = lambda: self._content.kept(self._core.snapshot())
        conduct = self._conduct(overlay, around.random)
        self._host = Host(name, conduct, overlay.implementation, overlay.agreement, around)
        self._clients, self._gone = list[Client](), Counted()
        self._subscribed: set[Filter] = set()
        self._asked: deque[_Publishing] = deque()
        self._out: dict[PublicationId, _Publishing] = {}
        self._ready, self._unreachable = True, 0
        with Failed(conduct.failures, overlay.implementation.name):
            if around.witness is not None:
                around.witness.began(SYSTEM, name, member, self._core.snapshot())
        self._host.want(SYSTEM)
        self.restored = None if left is None else self._come_back(left)
        gate.open()
        if kept is None and not names:
            self.command(self._content.join)
        conduct.failures.is_starting = False

    def _conduct(self, overlay: Overlay, random: RandomSource) -> HostConfig:
        """How the node's host makes and hands over; it is starting until `Failures` says otherwise."""
        member = overlay.port.member
        return HostConfig(
            role=member,
            make=lambda topic: self._core if topic == SYSTEM else overlay.blank(member, self.name, random, topic),
            drops=False,
            hand_over=self._hand_over,
            refusals=self._refusals,
            failures=Failures(is_starting=True),
            missing=self._miss,
        )

    def _connected(self, around: NodeContext, before: Kept | None, detector: Timing | None) -> tuple[Gate, NodeContext]:
        """A gate, closed until the node has begun; and the node's surroundings with the line through it."""
        refused = partial(self._refusals.count, SYSTEM, Reason.OUTDATED)
        heard = refused, self._end_outdated, lambda node: self._content.knows(self._core, node)
        gate = Gate(self._keeping.connect(around.transport, before, around.random, *heard))
        line = detecting(gate, self.name, around.clock, detector, self.suspect, self.trust, lambda: self.watched)
        return gate, replace(around, transport=line)

    def attach(self) -> "Client":
        """Attach one more client. Refused: stopped."""
        self.require_running()
        self._clients.append(Client(self, self._content, self._queueing))
        return self._clients[-1]

    def session(self) -> Session:
        """Attach one more client, for coroutines; as a context it is detached at the end. Refused: stopped."""
        return Session(self.attach(), self._clock)

    async def joined(self, timeout: float | None = None) -> None:
        """Wait until the node takes full part in the system; `TimeoutError` after so many periods.

        Refused: stopped, bad_number.
        """
        wrong = fault_of_periods(timeout)
        if wrong is not None:
            raise self.refusal(Reason.BAD_NUMBER, wrong)
        if not await until(self._clock, self._is_ready, timeout):
            raise TimeoutError(f"The node has not joined the system within {timeout} periods.")

    def _is_ready(self) -> bool:
        self.require_running()
        return self.ready

    @property
    def ready(self) -> bool:
        """Whether the node takes full part in the system; until then, it keeps requests for later."""
        return self._ready and not self._host.stopped

    @property
    def kept(self) -> object:
        """The value from which the node is made again after a crash: JSON, to be stored whenever it changes.

        It changes with each start of this node or of a peer that it hears from, when a client has subscribed or
        unsubscribed, and when a node near it has joined.
        """
        return self._keeping.value

    @property
    def watched(self) -> tuple[str, ...]:
        """The nodes for which this one needs notices of crashes."""
        watches = self._failing.watches
        return () if watches is None or self._host.stopped else tuple(sorted(watches(self._core)))

    @property
    def unreachable(self) -> int:
        """The number of times that a publication could not go on from here: more nodes are down than are masked."""
        return self._unreachable

    def suspect(self, node: str) -> None:
        """Report that a node has crashed and is not back yet. Refused: stopped, bad_name."""
        self.require_running()
        needed(self._failing.suspect, f"{self.name} has no use for a failure detector.")
        try:
            self._host.suspect(node)
        except UsageError as error:
            raise self.refusal(Reason.BAD_NAME, f"No node is called {node!r}.") from error

    def trust(self, node: str) -> None:
        """Report that a node is back. It says so itself to its peers, so nothing depends on it. Refused: stopped."""
        self.require_running()
        self._host.trust(node)

    def stop(self) -> None:
        """Crash, and end all deliveries."""
        crash = () if self._host.stopped else (partial(self.command, self._failing.crash), self._host.stop)
        each(*crash, *(client.opened.end for client in self._clients))

    def counters(self) -> Counters:
        """The outcomes of all clients' deliveries, and the number of refusals for each reason."""
        counted = sum((client.counted for client in self._clients), self._gone)
        return Counters(counted, self._refusals.of_all())

    @property
    def failed(self) -> int:
        """The number of outputs that transport, observers or clients have not taken without an exception."""
        return self._host.failed

    def refused_peers(self) -> Mapping[Refusal, int]:
        """The number of refused messages by peer, topic and reason; of at most 1,024 of these, the rest by reason."""
        return self._refusals.of_peers()

    # What follows is for clients.

    def require_running(self) -> None:
        """Refuse requests to a node that has stopped."""
        if self._outdated is not None:
            raise self.refusal(Reason.BAD_KEPT, self._outdated)
        if self._host.stopped:
            raise self.refusal(Reason.STOPPED, f"{self.name} has stopped; start it anew.")

    def require_fit(self, command: object) -> None:
        """Refuse a command of a client that is above the overlay's bounds. Refused: too_large, too_many_filters."""
        wrong = self._content.unfit(self._core, command)
        if wrong is not None:
            raise self.refusal(*wrong)

    def want(self, wanted: Filter) -> bool:
        """Subscribe to a filter of a client; return whether the subscription is in effect already.

        It is not in effect while the node is not ready: publications may still go past it.
        """
        self.command(self._content.subscribe(wanted))
        return self.ready and wanted in self._subscribed

    def release(self, unwanted: Filter) -> None:
        """End the subscription to a filter, unless another client still has it."""
        if not any(unwanted in client.filters for client in self._clients):
            self._subscribed.discard(unwanted)
            self.command(self._content.unsubscribe(unwanted))

    def publish(
        self, attributes: Mapping[str, Value | Truth], confirmed: Callable[[PublicationId], None] | None
    ) -> PublicationId | None:
        """Publish; return the id if the publication has been sent, None if it waits."""
        asked = _Publishing(confirmed)
        self._asked.append(asked)
        self.command(self._content.publish(attributes))
        return asked.id

    def detach(self, client: "Client") -> None:
        """Remove a client."""
        self._clients.remove(client)
        self._gone += client.counted

    def has(self, client: Client) -> bool:
        """Whether this is a client of the node, and the node runs."""
        return client in self._clients and not self._host.stopped

    def refusal(self, reason: Reason, sentence: str) -> RefusedError:
        """The error for a refused request; the refusal is counted."""
        self._refusals.count(SYSTEM, reason)
        return RefusedError(reason, sentence)

    def command(self, command: object) -> None:
        """Give a command to the overlay."""
        each(partial(self._host.command, SYSTEM, command), self._keeping.tell)

    def _read(self, overlay: Overlay, kept: object, random: RandomSource) -> Kept:
        """The value that was kept of this node, and is a state under these parameters. Refused: bad_kept."""
        try:
            read = kept_of(self.name, overlay.agreement, kept)
            self._content.restored(read.left)
            overlay.implementation.make(overlay.port.member, self.name, read.left, random)
        except UsageError as error:
            raise self.refusal(Reason.BAD_KEPT, str(error)) from error
        return read

    def _end_outdated(self, peer: str, latest: int) -> None:
        """Stop, since a peer knows of another start of this node, from a later kept value than this one had."""
        self._outdated = self._keeping.superseded(peer, latest)
        self._refusals.count(SYSTEM, Reason.BAD_KEPT)
        self.stop()

    def _joined_through(self) -> str:
        """The node through which this one joins a system. Refused: bad_contact."""
        contact = self._content.contact(self.name)
        if contact is None:
            says = (
                f"{self.name!r} has no node in front of it to join through: give the names that the system begins with."
            )
            raise self.refusal(Reason.BAD_CONTACT, says)
        return contact

    def _miss(self, node: str) -> None:
        """Count a missing node if this one joins through it; the question is repeated anyway."""
        if node == self._contact and not self._ready:
            self._refusals.count(SYSTEM, Reason.CONTACT_GONE)

    def _come_back(self, kept: object) -> "Client":
        """Restart; one client has the filters that were subscribed to before."""
        client = self.attach()
        restart = needed(self._failing.restart, f"{self.name} has crashed, and never starts again.")
        wanted = self._content.restored(kept)
        self._subscribed.update(wanted_filter for wanted_filter, is_subscribed in wanted.items() if is_subscribed)
        client.restore(wanted)
        self.command(restart(True))
        return client

    def _hand_over(self, topic: str, content: object) -> None:
        del topic
        each(self._keeping.tell, partial(self._take, content))

    def _take(self, content: object) -> None:
        match self._content.told(content):
            case SetOut(published):
                asked = self._asked.popleft()
                asked.id = published
                self._out[published] = asked
            case Confirmed(published):
                asked = self._out.pop(published)
                if asked.confirmed is not None:
                    asked.confirmed(published)
            case Matched() as matched:
                each(*(partial(client.put, matched) for client in self._clients))
            case Subscribed(wanted):
                self._subscribed.add(wanted)
                self._acknowledge(wanted)
            case Ready(ready):
                self._ready = ready
                if ready:
                    each(*(partial(self._acknowledge, wanted) for wanted in sorted(self._subscribed, key=repr)))
            case Unreachable():
                self._unreachable += 1

    def _acknowledge(self, wanted: Filter) -> None:
        each(*(partial(client.acknowledge, wanted) for client in self._clients))
