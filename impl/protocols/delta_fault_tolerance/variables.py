"""The variables of a broker, in the form that its rules change."""

from dataclasses import dataclass, field

from msgspec import Struct

from gomboc.impl.core.automaton import Delivered, Output, Send
from gomboc.impl.protocols.delta_fault_tolerance.contents import Any as Content
from gomboc.impl.protocols.delta_fault_tolerance.contents import Change, Id, Stamp, Visited
from gomboc.impl.protocols.delta_fault_tolerance.deliveries import Delivery
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, text
from gomboc.impl.protocols.delta_fault_tolerance.messages import Message, Told
from gomboc.impl.protocols.delta_fault_tolerance.names import parent
from gomboc.impl.protocols.delta_fault_tolerance.owned import Owned
from gomboc.impl.protocols.delta_fault_tolerance.rows import Row
from gomboc.impl.protocols.delta_fault_tolerance.states import Connected, Own, Pending, Standing, State
from gomboc.impl.protocols.delta_fault_tolerance.table import Table


class Link(Struct):
    """A connection: the status that the peer has sent, the stream to it, and the stream from it."""

    status: Told | None
    mine: Stamp
    theirs: Stamp | None


class Entry(Struct):
    """A multicast message that is not confirmed yet, with its senders, its recipients, and the peers to confirm it."""

    id: Id
    content: Content
    stamp: Stamp
    visited: Visited
    senders: set[str]
    recipients: set[str]
    waiting: set[str]


@dataclass(slots=True)
class Recovery:
    """The variables of a recovery.

    `asking` are the peers that have not answered yet, `answers` the tables received so far, and `later` the changes to
    apply to them. `asked` is always empty: a peer that asks is answered at once, or not at all.
    """

    asking: set[str]
    asked: list[str]
    answers: dict[str, tuple[Row, ...]]
    later: list[Change]


@dataclass(slots=True)
class Variables:
    """All variables; `outputs` are those of the current step."""

    me: str
    delta: int
    status: Standing
    incarnation: int
    known: tuple[str, ...]
    count: int
    streams: int
    own: Owned
    table: Table
    links: dict[str, Link]
    seen: dict[str, Stamp]
    entries: dict[Id, Entry]
    recovery: Recovery
    queue: list[Attributes]
    outputs: list[Output] = field(default_factory=list)

    @property
    def is_unannounced(self) -> bool:
        """Whether the broker is joining, and has not received the tree."""
        return self.status == "recovering" and not self.known and parent(self.me) is not None

    @property
    def told(self) -> Told:
        """The status in messages to peers."""
        assert self.status != "detached", "a broker outside sends no status"
        return self.status

    def send(self, to: str, message: Message) -> None:
        """Send a message."""
        self.outputs.append(Send(to, message))

    def deliver(self, content: Delivery) -> None:
        """Deliver something to the client."""
        self.outputs.append(Delivered(content))

    def next_stamp(self) -> Stamp:
        """A new stamp, later than all before it."""
        self.count += 1
        return self.incarnation, self.count

    def next_stream(self) -> Stamp:
        """A new stream, later than all before it."""
        self.streams += 1
        return self.incarnation, self.streams


def read(me: str, delta: int, state: State) -> Variables:
    """The variables that a state has."""
    entries = (
        Entry(
            pending.id,
            pending.content,
            pending.stamp,
            pending.visited,
            set(pending.senders),
            set(pending.recipients),
            set(pending.waiting),
        )
        for pending in state.entries
    )
    return Variables(
        me,
        delta,
        state.status,
        state.incarnation,
        state.known,
        state.count,
        state.streams,
        Owned(state.own),
        Table(state.rows),
        {
            connection.peer: Link(connection.status, connection.mine, connection.theirs)
            for connection in state.connections
        },
        dict(state.seen),
        {entry.id: entry for entry in entries},
        Recovery(set(state.asking), list(state.asked), dict(state.answers), list(state.later)),
        list(state.queue),
    )


def written(at: Variables) -> State:
    """The state that has these variables."""
    recovery = at.recovery
    return State(
        at.status,
        at.incarnation,
        at.known,
        at.count,
        at.streams,
        tuple(sorted(at.own.values(), key=_by_filter)),
        at.table.rows(),
        tuple(
            Connected(peer, at.links[peer].status, at.links[peer].mine, at.links[peer].theirs)
            for peer in sorted(at.links)
        ),
        tuple(sorted(at.seen.items())),
        tuple(map(_pending, at.entries.values())),
        tuple(sorted(recovery.asking)),
        tuple(recovery.asked),
        tuple(sorted(recovery.answers.items())),
        tuple(recovery.later),
        tuple(at.queue),
    )


def _by_filter(own: Own) -> str:
    return text(own.filter)


def _pending(entry: Entry) -> Pending:
    return Pending(
        entry.id,
        entry.content,
        entry.stamp,
        entry.visited,
        tuple(sorted(entry.senders)),
        tuple(sorted(entry.recipients)),
        tuple(sorted(entry.waiting)),
    )
