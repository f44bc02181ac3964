"""Local states as in traces: any state of this form can be loaded, even a corrupted one."""

from collections.abc import Collection, Iterable, Set
from functools import lru_cache, partial
from itertools import chain
from typing import Annotated

from msgspec import Raw, Struct

from gomboc.impl.core.vocabulary import Fault, ascending, check_of, convert, encode, first
from gomboc.impl.protocols.skip_plus.names import Name, Names, bits, inequality
from gomboc.impl.protocols.skip_plus.ranges import Ranges


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node, all names ascending; `told` are the ranges that neighbours have last told."""

    live: bool
    neighbours: Names
    stable: Names
    told: Annotated[tuple[tuple[Name, Ranges], ...], ascending("name", first)]
    gone: Names


BLANK = State(live=False, neighbours=(), stable=(), told=(), gone=())
"""The state of a node that is not live."""


def load(me: str, value: object) -> State:
    """The state of this node that a JSON value holds; `UsageError` if it is none."""
    refusal = "This is not a state of Skip+"
    return convert(value, State, refusal, check_of(State), partial(_wrong, me), whose=f" for {me!r}")


def _wrong(me: str, state: State) -> Fault:
    """The fault of a state that is well-formed."""
    if not state.live and state != BLANK:
        return "a node that is not live knows nobody"
    levels = bits(me)
    for name, ranges in state.told:
        if len(ranges) != levels:
            return f"{name!r} told {len(ranges)} ranges, and {me!r} has {levels} levels"
    told = (name for teller, ranges in state.told for name in (teller, *chain.from_iterable(ranges)))
    return inequality(levels, (*state.neighbours, *state.stable, *state.gone, *told))


class RangeTable:
    """The `ranges` that neighbours have last told, by name, with the JSON of each entry.

    Most of a state is these entries, and each receipt changes one of them; the others are not encoded anew.
    """

    __slots__ = ("_entries", "ranges")

    def __init__(self, entries: Iterable[tuple[str, Ranges]]) -> None:
        self.ranges: dict[str, Ranges] = {}
        self._entries: dict[str, bytes] = {}
        for entry in entries:
            self.tell(*entry)

    def tell(self, name: str, ranges: Ranges) -> None:
        """Replace the ranges of this node."""
        self.ranges[name] = ranges
        self._entries[name] = _written_entry(name, ranges)

    def keep(self, names: Set[str]) -> None:
        """Drop the ranges of all other nodes."""
        for name in self.ranges.keys() - names:
            del self.ranges[name], self._entries[name]

    def written(self) -> bytes:
        """All entries as JSON, ascending by name."""
        entries = self._entries
        return b"[%b]" % b",".join([entries[name] for name in sorted(entries)])


def written(
    *, live: bool, neighbours: Collection[str], stable: Collection[str], entries: RangeTable, gone: Collection[str]
) -> Raw:
    """A state as JSON; the arguments may be in any order."""
    return Raw(
        b'{"live":%b,"neighbours":%b,"stable":%b,"told":%b,"gone":%b}'
        % (
            b"true" if live else b"false",
            encode(sorted(neighbours)),
            encode(sorted(stable)),
            entries.written(),
            encode(sorted(gone)),
        )
    )


# A node sends all its neighbours the same ranges, so the encoding is cached.
@lru_cache(maxsize=65_536)
def _written_entry(name: str, ranges: Ranges) -> bytes:
    return encode((name, ranges))
