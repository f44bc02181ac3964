"""Local states as traces write them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from gomboc.impl.chord.circle import Circle
from gomboc.impl.chord.parameters import Parameters
from gomboc.impl.counting import counted
from gomboc.impl.errors import UsageError
from gomboc.impl.names import Name

Index = Annotated[int, Meta(ge=0)]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node.

    `successors` are nearest first; `fingers` ascend by i and name the node last found to be the successor of id + 2^i;
    `next` is the i from which on one is refreshed next; a node outside with a `contact` is joining; `peers` are the
    nodes that the membership named last, ascending.
    """

    status: Literal["outside", "inside", "crashed"]
    predecessor: Name | None
    successors: tuple[Name, ...]
    fingers: tuple[tuple[Index, Name], ...]
    next: Index
    contact: Name | None
    peers: tuple[Name, ...]

    @property
    def head(self) -> str | None:
        """The first successor, if there is one."""
        return self.successors[0] if self.successors else None


OUTSIDE = State(status="outside", predecessor=None, successors=(), fingers=(), next=0, contact=None, peers=())
"""The state of a node that knows no other node and has no wishes."""
CRASHED = replace(OUTSIDE, status="crashed")
"""The state of a node that has crashed, or left."""


def load(me: str, value: object, parameters: Parameters, circle: Circle) -> State:
    """The state of this node that a JSON value holds; `UsageError` if it has not the form of one."""
    try:
        state = msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of Chord: {error}.") from error
    wrong = circle.wrong_names(_names(state)) or _wrong(me, state, parameters)
    if wrong is not None:
        raise UsageError(f"This is not a state of Chord for {me!r}: {wrong}.")
    return state


def _names(state: State) -> Sequence[str | None]:
    return [state.predecessor, state.contact, *state.successors, *(name for _, name in state.fingers), *state.peers]


def _wrong(me: str, state: State, parameters: Parameters) -> str | None:
    if state.status == "crashed" and state != CRASHED:
        return "a node that has crashed knows nothing"
    if state.status == "inside" and state.contact is not None:
        return "a member has no contact"
    if state.status == "outside" and (state.predecessor, state.successors, state.fingers, state.next) != (
        None,
        (),
        (),
        0,
    ):
        return "a node outside has no neighbours"
    if me in (state.predecessor, *state.successors, *(name for _, name in state.fingers), *state.peers):
        return "it knows itself"
    return (
        wrong_successors(state.successors, parameters.r)
        or _wrong_fingers(state, parameters)
        or _disorder("peer", state.peers)
    )


def wrong_successors(successors: tuple[str, ...], most: int) -> str | None:
    """The reason why these are no list of successors; None if they are one."""
    if len(successors) > most:
        return f"it has {counted(len(successors), 'successor')}, and lists have {most} at most"
    # Whether they are nearest first is not asked: an order is what a corrupted list has lost.
    if len(set(successors)) < len(successors):
        return "it has a successor twice"
    return None


def _wrong_fingers(state: State, parameters: Parameters) -> str | None:
    if not parameters.fingers and (state.fingers or state.next):
        return "it has fingers, and the parameters say that there are none"
    for number in (*(number for number, _ in state.fingers), state.next):
        if number >= parameters.bits:
            return f"there is no finger {number}, since ids have {counted(parameters.bits, 'bit')}"
    return _disorder("finger", [number for number, _ in state.fingers])


def _disorder(noun: str, entries: Sequence[int] | Sequence[str]) -> str | None:
    for former, latter in pairwise(entries):
        if former >= latter:  # type: ignore[operator]
            return f"its {noun} {latter!r} comes after {former!r}"
    return None


encode = msgspec.json.Encoder().encode
