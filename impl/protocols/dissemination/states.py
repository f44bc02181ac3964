"""Local states as in traces."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.neighbourhood import Neighbours, are_in_order
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import TrieTuple
from gomboc.impl.publishing.validity import wrong_length


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node; `hashes` are the false ones of its trie."""

    live: bool
    neighbours: Neighbours
    publications: tuple[Publication, ...] = ()
    hashes: tuple[TrieTuple, ...] = ()


def load(value: object, limits: Limits) -> State:
    """The state that a JSON value is; `UsageError` if it is none."""
    try:
        state = msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of dissemination: {error}.") from error
    wrong = _wrong(state, limits.key_bits)
    if wrong is not None:
        raise UsageError(f"This is not a state of dissemination: {wrong}.")
    return state


def _wrong(state: State, key_bits: int) -> str | None:
    keys, prefixes = [publication.key for publication in state.publications], [prefix for prefix, _ in state.hashes]
    tables: tuple[Sequence[str], ...] = (state.neighbours, keys, prefixes)
    if not all(map(are_in_order, tables)):
        return "its neighbours, publications or hashes do not ascend"
    return wrong_length(keys, prefixes, key_bits)
