"""The variables of a broker, in the form that its rules change."""

from dataclasses import dataclass, field

from gomboc.impl.core.automaton import Delivered, Output, Refused, Send
from gomboc.impl.core.vocabulary import Delivery
from gomboc.impl.protocols.delta_fault_tolerance.contents import Change, Id, Row, Stamp
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes
from gomboc.impl.protocols.delta_fault_tolerance.messages import Any, Message, Told
from gomboc.impl.protocols.delta_fault_tolerance.names import parent
from gomboc.impl.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.impl.protocols.delta_fault_tolerance.states import Entry, Link, Standing, State, by_filter
from gomboc.impl.protocols.delta_fault_tolerance.table import Owned, Table


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
    parameters: Parameters
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
    held: dict[str, list[Any]]
    outputs: list[Output] = field(default_factory=list)

    @property
    def most_rows(self) -> int | None:
        """How many rows or filters fit in one message."""
        return self.parameters.most_rows

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

    def refuse(self, reason: str) -> None:
        """Count a refusal of this step's input."""
        self.outputs.append(Refused(reason))

    def next_stamp(self) -> Stamp:
        """A new stamp, later than all before it."""
        self.count += 1
        return self.incarnation, self.count

    def next_stream(self) -> Stamp:
        """A new stream, later than all before it."""
        self.streams += 1
        return self.incarnation, self.streams


def read(me: str, parameters: Parameters, state: State) -> Variables:
    """The variables that a state has."""
    return Variables(
        me,
        parameters.delta,
        parameters,
        state.status,
        state.incarnation,
        state.known,
        state.count,
        state.streams,
        Owned(state.own),
        Table(state.rows, parameters.most_filters),
        {link.peer: link for link in state.connections},
        dict(state.seen),
        {entry.id: entry for entry in state.entries},
        Recovery(set(state.asking), list(state.asked), dict(state.answers), list(state.later)),
        list(state.queue),
        {peer: list(later) for peer, later in state.held},
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
        tuple(sorted(at.own.values(), key=by_filter)),
        at.table.rows(),
        tuple(at.links[peer] for peer in sorted(at.links)),
        tuple(sorted(at.seen.items())),
        tuple(at.entries.values()),
        tuple(sorted(recovery.asking)),
        tuple(recovery.asked),
        tuple(sorted(recovery.answers.items())),
        tuple(recovery.later),
        tuple(at.queue),
        tuple((peer, tuple(later)) for peer, later in sorted(at.held.items())),
    )
