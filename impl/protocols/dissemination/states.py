"""Local states as in traces."""

from typing import Annotated

from msgspec import Struct

from gomboc.impl.core.names import Name
from gomboc.impl.core.neighbourhood import Neighbours, are_in_order
from gomboc.impl.core.vocabulary import Fault, Rule, check_of, convert, surplus
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Key, TrieTuple


class Passed(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A broadcast that was passed on: the key of the publication, and the names between which; None is no bound."""

    key: Key
    low: Name | None
    high: Name | None


def _wrong_memory(passed: tuple[Passed, ...], limits: Limits) -> Fault:
    if len({entry.key for entry in passed}) < len(passed):
        return "it has passed on one publication twice"
    return surplus("it remembers {} broadcasts", len(passed), limits.chunk)


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node: `hashes` are the false ones of its trie, `passed` its last broadcasts, in order."""

    live: bool
    neighbours: Neighbours
    publications: tuple[Publication, ...] = ()
    hashes: tuple[TrieTuple, ...] = ()
    passed: Annotated[tuple[Passed, ...], Rule(_wrong_memory)] = ()


def load(value: object, limits: Limits) -> State:
    """The state that a JSON value is; `UsageError` if it is none."""
    return convert(value, State, "This is not a state of dissemination", _disorder, check_of(State, limits))


def _disorder(state: State) -> Fault:
    keys = [publication.key for publication in state.publications]
    ordered = all(map(are_in_order, (state.neighbours, keys, [prefix for prefix, _ in state.hashes])))
    return None if ordered else "its neighbours, publications or hashes do not ascend"
