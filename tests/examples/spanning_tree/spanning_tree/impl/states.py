"""The variables of a node, as a trace writes them."""

from itertools import pairwise

import msgspec
from msgspec import Struct

from gomboc.impl import UsageError


class Heard(Struct, frozen=True, forbid_unknown_fields=True):
    """The distance that a neighbour wrote last."""

    neighbour: str
    distance: int


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node."""

    distance: int
    parent: str | None
    registers: tuple[Heard, ...]


def load(value: object) -> State:
    """The state that a JSON value describes. Raises UsageError if it describes none."""
    try:
        state = msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is no state of spanning_tree: {error}.") from error
    if not all(one.neighbour < other.neighbour for one, other in pairwise(state.registers)):
        raise UsageError("This is no state of spanning_tree: its registers do not ascend by neighbour, each once.")
    if min((state.distance, *(heard.distance for heard in state.registers))) < 0:
        raise UsageError("This is no state of spanning_tree: a distance is below 0.")
    return state
