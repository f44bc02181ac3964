"""The automaton of a broker: one input at a time."""

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import Commanded, Input, Output, Received, SetTimer, Timeout
from gomboc.impl.protocols.delta_fault_tolerance import client, deliveries
from gomboc.impl.protocols.delta_fault_tolerance.auditing import compare, replace, tell_digests, tell_rows
from gomboc.impl.protocols.delta_fault_tolerance.commands import (
    Crash,
    Down,
    Join,
    Publish,
    Restart,
    Subscribe,
    Unsubscribe,
)
from gomboc.impl.protocols.delta_fault_tolerance.contents import Joined, Rejoin, Subscription, Unsubscription
from gomboc.impl.protocols.delta_fault_tolerance.forwarding import (
    admit,
    again,
    beyond,
    bypass,
    dispatch,
    is_duplicate,
    nearest,
    record,
    settle,
)
from gomboc.impl.protocols.delta_fault_tolerance.joining import (
    learn,
    listens_to,
    peers_to_ask,
    request_again,
    requested,
)
from gomboc.impl.protocols.delta_fault_tolerance.links import (
    ask,
    close_bypasses,
    closed,
    connect,
    connected,
    is_outlived,
    is_refused,
    outlived,
)
from gomboc.impl.protocols.delta_fault_tolerance.messages import (
    Close,
    Confirm,
    Connect,
    Digest,
    Doubt,
    Forward,
    JoinRequest,
    Message,
    Recover,
    Rows,
    Stamps,
    Status,
    Table,
    Told,
    Tree,
)
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, parent
from gomboc.impl.protocols.delta_fault_tolerance.recovering import (
    answer,
    ask_beyond,
    ask_nearer,
    is_outdated,
    learnt,
    tell_status,
)
from gomboc.impl.protocols.delta_fault_tolerance.states import State, encode, failed
from gomboc.impl.protocols.delta_fault_tolerance.table import Table as Kept
from gomboc.impl.protocols.delta_fault_tolerance.variables import Entry, Variables, read, written


class Broker:
    """The automaton of a broker; with `audit`, it compares its table with those of its neighbours."""

    __slots__ = ("_audit", "_written", "at")

    def __init__(self, me: str, delta: int, state: State, *, audit: bool = False) -> None:
        self._audit = audit
        self.at = read(me, delta, state)
        self._written: Raw | None = None

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step. A timeout makes a joining broker ask again, and an auditing one compare tables."""
        at = self.at
        at.outputs = []
        was_asking = bool(at.recovery.asking)
        match event:
            case Timeout():
                at.outputs.append(SetTimer(now + 1.0))
                if at.is_unannounced:
                    request_again(at)
                if self._audit and at.status == "operational":
                    tell_digests(at)
            case Commanded(Join()):
                if at.status == "detached":
                    self._begin()
            case Commanded(Restart()):
                if at.status == "failed":
                    at.incarnation += 1
                    self._begin()
            case _ if at.status in ("failed", "detached"):
                pass
            case Received(message):
                self._receive(message)
            case Commanded(command):
                self._obey(command)
        if was_asking and not at.recovery.asking and self.at is at:
            self._rejoin()
        return self.at.outputs

    def snapshot(self) -> Raw:
        """The whole local state as JSON; the same object as before if nothing has changed."""
        now = encode(written(self.at))
        if self._written is None or bytes(self._written) != now:
            self._written = Raw(now)
        return self._written

    def _receive(self, message: Struct) -> None:
        assert isinstance(message, Message), "only messages are received"
        at = self.at
        if is_outlived(at, message):
            return
        if isinstance(message, JoinRequest):
            if parent(message.sender) == at.me:
                requested(at, message, self._finish)
            return
        if not listens_to(at, message.sender):
            return
        match message:
            case Connect(sender, _, _, status):
                if connected(at, message):
                    self._told(sender, status)
            case Recover():
                answer(at, message)
            case _ if is_refused(at, message):
                return
            case Status(sender, _, status):
                at.links[sender].status = status
                if status == "recovering":
                    ask_beyond(at, sender)
                self._told(sender, status)
            case Tree(sender, _, names):
                if sender == parent(at.me):
                    learn(at, names)
            case Table(sender, _, rows):
                if sender in at.recovery.asking:
                    at.recovery.answers[sender] = rows
            case Stamps(sender, _, stamps):
                if sender in at.recovery.asking:
                    record(at, stamps)
                    at.recovery.asking.remove(sender)
            case Forward():
                # A broker that knows no other one records no stamps; the copy comes again with the answer.
                if not at.is_unannounced:
                    self._forward(message)
            case Close(sender):
                closed(at, sender)
            case Digest() | Doubt() | Rows():
                if self._audit and at.status == "operational" and distance(at.me, message.sender) == 1:
                    self._compare(message)
            case Confirm(sender, _, identified):
                entry = at.entries.get(identified)
                if entry is not None and sender in entry.waiting:
                    entry.waiting.remove(sender)
                    settle(at, entry, self._finish)

    def _compare(self, message: Digest | Doubt | Rows) -> None:
        match message:
            case Digest():
                compare(self.at, message)
            case Doubt(sender):
                tell_rows(self.at, sender)
            case Rows():
                replace(self.at, message)

    def _obey(self, command: Struct) -> None:
        at = self.at
        match command:
            case Publish(attributes):
                client.publish(at, attributes, self._finish)
            case Subscribe(wanted):
                client.subscribe(at, wanted, self._finish)
            case Unsubscribe(unwanted):
                client.unsubscribe(at, unwanted, self._finish)
            case Down(node):
                if node in at.links:
                    self._bypass(node)
            case Crash():
                self._crash()

    def _forward(self, message: Forward) -> None:
        """Handle a multicast message: apply it at once, in the order of arrival, and forward copies.

        Source: Algorithm 1; as printed the effect comes when it is confirmed
        """
        at = self.at
        for peer in outlived(at, message.visited):
            self._bypass(peer)
        if is_duplicate(at, message.visited):
            again(at, message)
            return
        record(at, message.visited)
        entry = admit(at, message.content, message, message.guide)
        if not is_outdated(at, message.sender, message.content):
            self._take_effect(entry)
        dispatch(at, entry, entry.recipients)
        settle(at, entry, self._finish)

    def _take_effect(self, entry: Entry) -> None:
        """Apply the content of an entry, or keep it for later while tables are awaited.

        Source: Sections 4.6 to 4.8, update_routing_information
        """
        at, content = self.at, entry.content
        match content:
            case Subscription() | Unsubscription() | Rejoin() if at.recovery.asking:
                at.recovery.later.append(content)
            case Subscription() | Unsubscription() | Rejoin():
                at.table.change(content)
            case Joined(node):
                learn(at, [node])
            case _:
                client.hand_over(at, entry)

    def _bypass(self, failed: str) -> None:
        """Go past a broker that has failed; while recovering, ask the brokers behind it instead.

        Source: Algorithm 3
        """
        at = self.at
        if at.is_unannounced and failed == parent(at.me):
            if at.links[failed].theirs is not None:
                ask(at, failed)
            return
        del at.links[failed]
        if failed in at.recovery.asking:
            ask_beyond(at, failed)
        else:
            for broker in beyond(at, failed):
                if nearest(at, broker) is None:
                    connect(at, broker)
        bypass(at, failed, self._finish)

    def _told(self, peer: str, status: Told) -> None:
        """Act on a peer's status: a peer that is operational replaces the brokers past it."""
        at = self.at
        if status == "operational":
            ask_nearer(at, peer)
            close_bypasses(at, peer)

    def _rejoin(self) -> None:
        """Build the table from the answers, and send REJOIN; when that is confirmed, the broker is operational.

        Source: Algorithm 5, lines 11 to 22
        """
        at = self.at
        at.table = Kept(learnt(at).values())
        for change in at.recovery.later:
            at.table.change(change)
        at.recovery.answers.clear()
        at.recovery.later.clear()
        entry = admit(at, Rejoin(at.me, client.wanted(at), at.me))
        dispatch(at, entry, entry.recipients)
        settle(at, entry, self._finish)

    def _finish(self, at: Variables, entry: Entry) -> None:
        """Act on the confirmation of a message from here: tell the client, become operational, or know a leaf."""
        if isinstance(entry.content, Rejoin):
            at.status = "operational"
            tell_status(at)
            client.resume(at, self._finish)
        elif isinstance(entry.content, Joined):
            learn(at, [entry.content.node])
        else:
            client.confirmed(at, entry)

    def _crash(self) -> None:
        """Lose everything but the incarnation, the known part of the tree, and the client's subscriptions."""
        at = self.at
        self.at = read(at.me, at.delta, failed(written(at)))
        self.at.deliver(deliveries.Status("failed"))

    def _begin(self) -> None:
        """Begin to recover, or to join.

        Source: Algorithm 5, lines 1 to 7; Algorithm 2
        """
        at = self.at
        at.status = "recovering"
        at.deliver(deliveries.Status("recovering"))
        for peer in peers_to_ask(at):
            ask(at, peer)
        if not at.recovery.asking:
            self._rejoin()
