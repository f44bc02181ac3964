"""Local states as in traces."""

from typing import Annotated

from msgspec import Meta, Struct

from gomboc.impl.core.names import Name, TopicName
from gomboc.impl.core.neighbourhood import Neighbours, are_in_order
from gomboc.impl.core.vocabulary import Fault, convert


class Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The contact of a topic, and the number of periods of this node for which it was silent."""

    topic: TopicName
    contact: Name
    age: Annotated[int, Meta(ge=0)] = 0


class State(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of a node: the topics of its application, and a contact for each topic that it is in charge of.

    In the last period it has looked after the topics up to `after`, or to the end if this is None.
    """

    live: bool
    neighbours: Neighbours
    topics: tuple[Name, ...]
    entries: tuple[Entry, ...]
    after: TopicName | None = None


BLANK = State(live=False, neighbours=(), topics=(), entries=())
"""The state of a node that takes no part."""


def load(value: object) -> State:
    """The state that a JSON value is; `UsageError` if it is none."""
    return convert(value, State, "This is not a state of the directory", _disorder)


def _disorder(state: State) -> Fault:
    tables = (state.neighbours, state.topics, [entry.topic for entry in state.entries])
    return None if all(map(are_in_order, tables)) else "its neighbours, topics or entries do not ascend"
