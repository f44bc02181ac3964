"""The automaton of a node: one input at a time, its variables as one frozen value; and how nodes fail."""

from collections.abc import Mapping

from msgspec import Raw, Struct
from msgspec.structs import replace

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Input,
    Output,
    RandomSource,
    Received,
    Send,
    SetTimer,
    Timeout,
    Traced,
)
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import Crash, encode
from gomboc.impl.protocols.chord.commands import Join, Leave, Lookup, Peers, Suspect, Unwatch, Watch
from gomboc.impl.protocols.chord.deliveries import updates
from gomboc.impl.protocols.chord.identity import LocalIdentity
from gomboc.impl.protocols.chord.messages import (
    Dead,
    FixFingerReply,
    FixFingerRequest,
    JoinReply,
    JoinRequest,
    Notify,
    Outside,
    Ping,
    RouteReply,
    RouteRequest,
    StabilizeReply,
    StabilizeRequest,
)
from gomboc.impl.protocols.chord.seeking import due, next_hop, owns, refreshed, without_needless
from gomboc.impl.protocols.chord.stabilising import Turn, forget, rectify, stabilise, use
from gomboc.impl.protocols.chord.states import CRASHED, State


class Node:
    """The automaton of a node."""

    __slots__ = ("_random", "_written", "me", "state")

    def __init__(self, me: LocalIdentity, state: State, random: RandomSource) -> None:
        self.me = me
        self.state = state
        self._random = random
        self._written: tuple[State, Raw] | None = None

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step; `UsageError` for a contact that has one's own identifier."""
        before = self.state
        outputs: list[Output]
        match event:
            case Timeout():
                outputs = [*self._timeout(), SetTimer(now + 1.0)]
            case Received(message):
                outputs = self._receive(message)
            case Commanded(command):
                outputs = self._obey(command)
        period = isinstance(event, Timeout)
        if before is not self.state or (period and before.watched):
            outputs.extend(updates(self.me, before, self.state, period=period))
        return outputs

    def snapshot(self) -> Raw:
        """The whole local state as JSON; encoded only if it is not the one that was written before."""
        if self._written is None or self._written[0] is not self.state:
            self._written = self.state, Raw(encode(self.state))
        return self._written[1]

    def use(self, answer: StabilizeReply) -> Turn:
        """Use an answer: the variables afterwards, and the messages."""
        return use(self.me, self.state, answer)

    def placed(self, reply: JoinReply) -> tuple[str | None, tuple[str, ...]]:
        """The predecessor and the successors with which a joiner begins: without others, the sender is both.

        A member that has no successor is alone, and the joiner makes it a ring of two.

        Source: Stoica et al. 2001, Section 4.4, join, "successor = n'.find_successor(n)": a joiner always has one
        """
        return reply.sender, self.me.shortened(reply.successors) or (reply.sender,)

    def _timeout(self) -> list[Output]:
        """Ask to join; or, inside, ask for the head's state and ping the predecessor, and refresh a finger."""
        match self.state.status:
            case "outside" if self.state.contact is not None:
                return [Send(self.state.contact, JoinRequest(self.me.name, self.me.name))]
            case "inside":
                self._become(without_needless(self.me, self.state))
                sends, coin = stabilise(self.me, self.state, self._random)
                tossed = [] if coin is None else [Traced(coin)]
                return [*sends, *self._refresh_next(), *tossed]
            case _:
                return []

    def _refresh_next(self) -> list[Output]:
        finger = due(self.me, self.state)
        if finger is None:
            return []
        self._become(replace(self.state, next=(finger + 1) % self.me.circle.bits))
        return self._refresh(finger, self.me.name)

    def _receive(self, message: Struct) -> list[Output]:
        if self.state.status != "inside":
            return self._receive_outside(message)
        match message:
            case StabilizeRequest(sender):
                return [Send(sender, StabilizeReply(self.me.name, self.state.predecessor, self.state.successors))]
            case StabilizeReply():
                after, sends = self.use(message)
                self._become(after)
                return [*sends]
            case Notify(sender):
                self._become(rectify(self.me, self.state, sender))
            case JoinRequest(joiner):
                return self._place(joiner)
            case RouteRequest(key, asker):
                return self._seek(key, asker)
            case RouteReply():
                return [Delivered(message)]
            case FixFingerRequest(finger, asker):
                return self._refresh(finger, asker)
            case FixFingerReply(finger, owner):
                self._become(refreshed(self.me, self.state, finger, owner))
            case Dead(node) | Outside(node):
                self._become(forget(self.state, node))
        return []

    def _receive_outside(self, message: Struct) -> list[Output]:
        """Answer for a crashed node; join, or lose the contact.

        With `meet`, a node outside answers that it is no member, since it was named as one. It may be one before that
        arrives; then it is forgotten for a while, which `meet` repairs. Without `meet` no rule would.
        """
        match message:
            case (
                StabilizeRequest(sender)
                | Ping(sender)
                | Notify(sender)
                | JoinRequest(_, sender)
                | RouteRequest(_, _, sender)
                | FixFingerRequest(_, _, sender)
            ) if self.state.status == "crashed" or self.me.parameters.meet:
                word = Dead if self.state.status == "crashed" else Outside
                return [Send(sender, word(self.me.name))]
            case JoinReply(sender) if self.state.contact is not None and self.me.way(sender) > 0:
                self._enter(*self.placed(message))
            case Dead(node):
                self._become(forget(self.state, node))
        return []

    def _place(self, joiner: str) -> list[Output]:
        """Give a joiner its place right behind oneself, or have the next hop do so.

        Source: Zave, "How to Make Chord Correct", Section 4, join
        """
        me, state = self.me, self.state
        if me.way(joiner) == 0:
            return []
        if me.is_before(joiner, state.head):
            return [Send(joiner, JoinReply(me.name, state.successors or (me.name,)))]
        return [Send(next_hop(me, state, me.circle.id_of(joiner)), JoinRequest(joiner, me.name))]

    def _enter(self, predecessor: str | None, successors: tuple[str, ...]) -> None:
        self._become(replace(self.state, status="inside", predecessor=predecessor, successors=successors, contact=None))

    def _seek(self, key: str, asker: str) -> list[Output]:
        """Answer if one owns the key, else ask the next hop."""
        identifier = int(key, 16)
        if not owns(self.me, self.state, identifier):
            return [Send(next_hop(self.me, self.state, identifier), RouteRequest(key, asker, self.me.name))]
        reply = RouteReply(key, self.me.name)
        return [Delivered(reply) if asker == self.me.name else Send(asker, reply)]

    def _refresh(self, finger: int, asker: str) -> list[Output]:
        """The same for a finger of the asker."""
        identifier = (self.me.circle.id_of(asker) + (1 << finger)) % self.me.circle.size
        if not owns(self.me, self.state, identifier):
            return [Send(next_hop(self.me, self.state, identifier), FixFingerRequest(finger, asker, self.me.name))]
        if asker != self.me.name:
            return [Send(asker, FixFingerReply(finger, self.me.name))]
        self._become(refreshed(self.me, self.state, finger, self.me.name))
        return []

    def _obey(self, command: Struct) -> list[Output]:
        match command:
            case Crash():
                self._become(CRASHED)
            case Leave():
                return self._leave()
            case Join(contact) if self.state.status == "outside":
                self._join(contact)
            case Suspect(node):
                self._become(forget(self.state, node))
            case Peers(nodes) if self.state.status != "crashed":
                self._become(replace(self.state, peers=tuple(peer for peer in nodes if peer != self.me.name)))
            case Lookup(key) if self.state.status == "inside":
                return self._seek(key, self.me.name)
            case Watch(key) if self.state.status != "crashed":
                self._become(replace(self.state, watched=tuple(sorted({*self.state.watched, key}))))
            case Unwatch(key):
                self._become(replace(self.state, watched=tuple(one for one in self.state.watched if one != key)))
        return []

    def _join(self, contact: str) -> None:
        if contact == self.me.name:
            self._enter(None, ())
        elif self.me.way(contact) == 0:
            raise UsageError(f"The node {self.me.name!r} cannot join through {contact!r}: both have one identifier.")
        else:
            self._become(replace(self.state, contact=contact))

    def _leave(self) -> list[Output]:
        """Crash, and tell the predecessor, which asks this node for its state, and the head, which it pings."""
        listeners = dict.fromkeys((self.state.predecessor, self.state.head))
        self._become(CRASHED)
        return [Send(listener, Dead(self.me.name)) for listener in listeners if listener is not None]

    def _become(self, after: State) -> None:
        # Equal values stay one value: so nothing is written or compared again that has not changed.
        if after != self.state:
            self.state = after


def _asleep(core: Core) -> bool:
    return isinstance(core, Node) and core.state.status == "crashed"


def _hears(_roles: Mapping[str, str], sender: str | None, _node: str) -> tuple[str, ...]:
    return () if sender is None else (sender,)


FAILING = Failing(("node",), Crash(), None, _asleep, _hears, suspect=Suspect, forgets=("node",))
