"""Local states as in traces."""

from msgspec import Struct

from gomboc.impl.core.neighbourhood import Neighbours, are_in_order
from gomboc.impl.core.vocabulary import Fault, check_of, convert
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import TrieTuple


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node; `hashes` are the false ones of its trie."""

    live: bool
    neighbours: Neighbours
    publications: tuple[Publication, ...] = ()
    hashes: tuple[TrieTuple, ...] = ()


def load(value: object, limits: Limits) -> State:
    """The state that a JSON value is; `UsageError` if it is none."""
    return convert(value, State, "This is not a state of dissemination", _disorder, check_of(State, limits.key_bits))


def _disorder(state: State) -> Fault:
    keys = [publication.key for publication in state.publications]
    ordered = all(map(are_in_order, (state.neighbours, keys, [prefix for prefix, _ in state.hashes])))
    return None if ordered else "its neighbours, publications or hashes do not ascend"
