"""Local states as in traces."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import Name
from gomboc.impl.core.neighbourhood import Neighbours, are_in_order


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The contact of a topic, and the number of periods of this node for which it was silent."""

    topic: Name
    contact: Name
    age: Annotated[int, Meta(ge=0)] = 0


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node: the topics of its application, and a contact for each topic that it is in charge of."""

    live: bool
    neighbours: Neighbours
    topics: tuple[Name, ...]
    entries: tuple[Entry, ...]


def load(value: object) -> State:
    """The state that a JSON value is; `UsageError` if it is none."""
    try:
        state = msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of the directory: {error}.") from error
    if not all(map(are_in_order, (state.neighbours, state.topics, [entry.topic for entry in state.entries]))):
        raise UsageError("This is not a state of the directory: its neighbours, topics or entries do not ascend.")
    return state
