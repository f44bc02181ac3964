"""Local states as in traces: any state of this form can be loaded, even a corrupted one."""

from collections.abc import Collection, Iterable, Iterator, Set
from functools import lru_cache

import msgspec
from msgspec import Raw, Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.skip_plus.names import Name, bits, disorder, inequality
from gomboc.impl.protocols.skip_plus.ranges import Ranges


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node, all names ascending; `told` are the ranges that neighbours have last told."""

    live: bool
    neighbours: tuple[Name, ...]
    stable: tuple[Name, ...]
    told: tuple[tuple[Name, Ranges], ...]
    gone: tuple[Name, ...]


BLANK = State(live=False, neighbours=(), stable=(), told=(), gone=())
"""The state of a node that is not live."""


def load(me: str, value: object) -> State:
    """The state of this node that a JSON value holds; `UsageError` if it is none."""
    try:
        state = msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of Skip+: {error}.") from error
    wrong = _wrong(me, state)
    if wrong is not None:
        raise UsageError(f"This is not a state of Skip+ for {me!r}: {wrong}.")
    return state


def _wrong(me: str, state: State) -> str | None:
    if not state.live and state != BLANK:
        return "a node that is not live knows nobody"
    levels = bits(me)
    for name, ranges in state.told:
        if len(ranges) != levels:
            return f"{name!r} told {len(ranges)} ranges, and {me!r} has {levels} levels"
    lists = (state.neighbours, state.stable, [name for name, _ in state.told], state.gone)
    for names in lists:
        wrong = disorder(names)
        if wrong is not None:
            return wrong
    return inequality(levels, [*(name for names in lists for name in names), *_ends(state)])


def _ends(state: State) -> Iterator[str]:
    for _, ranges in state.told:
        for span in ranges:
            yield from (end for end in span if end is not None)


_encode = msgspec.json.Encoder().encode


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
    *,
    live: bool,
    neighbours: Collection[str],
    stable: Collection[str],
    entries: RangeTable,
    gone: Collection[str],
) -> Raw:
    """A state as JSON; the arguments may be in any order."""
    return Raw(
        b'{"live":%b,"neighbours":%b,"stable":%b,"told":%b,"gone":%b}'
        % (
            b"true" if live else b"false",
            _encode(sorted(neighbours)),
            _encode(sorted(stable)),
            entries.written(),
            _encode(sorted(gone)),
        )
    )


# A node sends all its neighbours the same ranges, so the encoding is cached.
@lru_cache(maxsize=65_536)
def _written_entry(name: str, ranges: Ranges) -> bytes:
    return _encode((name, ranges))
