"""Local states as traces write them."""

from functools import partial
from typing import Annotated, Literal

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.core.vocabulary import Fault, ascending, check_of, convert, first
from gomboc.impl.protocols.chord.parameters import Finger, Key, NodeName, Parameters, Successors


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node.

    `successors` are nearest first; `fingers` ascend by i and name the node last found to be the successor of id + 2^i;
    `next` is the i from which on one is refreshed next; a node outside with a `contact` is joining; `peers` are the
    nodes that the membership named last, ascending; `watched` are the keys, ascending, towards which the application is
    told the next hop.
    """

    status: Literal["outside", "inside", "crashed"]
    predecessor: NodeName | None
    successors: Successors
    fingers: Annotated[tuple[tuple[Finger, NodeName], ...], ascending("finger", first)]
    next: Finger
    contact: NodeName | None
    peers: Annotated[tuple[NodeName, ...], ascending("peer")]
    watched: Annotated[tuple[Key, ...], ascending("watched key")]

    @property
    def head(self) -> str | None:
        """The first successor, if there is one."""
        return self.successors[0] if self.successors else None


OUTSIDE = State(
    status="outside", predecessor=None, successors=(), fingers=(), next=0, contact=None, peers=(), watched=()
)
"""The state of a node that knows no other node and has no wishes."""
CRASHED = replace(OUTSIDE, status="crashed")
"""The state of a node that has crashed, or left."""


def load(me: str, value: object, parameters: Parameters) -> State:
    """The state of this node that a JSON value holds; `UsageError` if it has not the form of one."""
    wrong_here = partial(_wrong, me, parameters)
    refusal, well_formed = "This is not a state of Chord", check_of(State, parameters)
    return convert(value, State, refusal, well_formed, wrong_here, whose=f" for {me!r}")


def _outside(state: State) -> State:
    """A node outside that keeps what a node may know there."""
    return replace(OUTSIDE, contact=state.contact, peers=state.peers, watched=state.watched)


def _wrong(me: str, parameters: Parameters, state: State) -> Fault:
    """The fault of a state that is well-formed."""
    if state.status == "crashed" and state != CRASHED:
        return "a node that has crashed knows nothing"
    if state.status == "inside" and state.contact is not None:
        return "a member has no contact"
    if state.status == "outside" and state != _outside(state):
        return "a node outside has no neighbours"
    if me in (state.predecessor, *state.successors, *(name for _, name in state.fingers), *state.peers):
        return "it knows itself"
    if not parameters.fingers and (state.fingers or state.next):
        return "it has fingers, and the parameters say that there are none"
    return None
