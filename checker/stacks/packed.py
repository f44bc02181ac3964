"""The traces of one layer in packs, found by their names, with what links need of them in columns."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, numbers
from gomboc.checker.distinct.distinct import COMMAND, NONE, Distinct
from gomboc.checker.judge.exact import WRITTEN
from gomboc.checker.judge.layers import Json, Link
from gomboc.checker.judge.naive import find_variant
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.pack.read import Pack, open_corpus
from gomboc.checker.stacks.fit import known_stack
from gomboc.checker.traces.interning_decoder import Reader
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.layers.stack import Stack

MOST_TABLES, MOST_PACKS = 2, 2
"""Row groups of a pack, and packs of a layer, that are kept in memory: a run may lie in two."""


class Interned(dict[bytes, int]):
    """Numbers of texts, and of names as texts; `in_order` are the texts by their numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.in_order: list[bytes] = []

    def __missing__(self, text: bytes) -> int:
        number = self[text] = len(self)
        self.in_order.append(text)
        return number


TEXTS = Interned()
"""The commands that are handed over, by their text, and the names of nodes, in this process."""


class Columns(NamedTuple):
    """The steps of one trace: local step, node and time of each; NaN where there is no time."""

    events: Array
    node: Array
    at: Array


class PackOfLayer:
    """One pack of a layer."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.distinct = Distinct(pack.states, pack.messages, pack.steps)
        self.exporter = Exporter(pack)
        self._links: dict[bytes, Array] = {}
        self._handed: dict[bytes, list[Array]] = {}
        self._tables = lru_cache(MOST_TABLES)(pack.traces)

    @cached_property
    def names(self) -> Array:
        """The number, for all packs, of each node's name."""
        return np.array([TEXTS[name.encode()] for name in self.distinct.names.known] or [NONE])

    @cached_property
    def commands(self) -> dict[int, Json]:
        """The commands in the pack, by the numbers of their contents."""
        distinct = self.distinct
        contents = np.unique(distinct.input[distinct.took == COMMAND]).tolist()
        return {content: msgspec.json.decode(distinct.message_texts[content]) for content in contents}

    def kinds(self, kinds: tuple[str, ...]) -> Array:
        """A mask of the local steps that take a command of one of those kinds."""
        wanted = [content for content, command in self.commands.items() if _kind(command) in kinds]
        distinct = self.distinct
        mask: Array = (distinct.took == COMMAND) & np.isin(distinct.input, wanted)
        return mask

    def taken(self, link: Link) -> Array:
        """For each local step the number of the command that it takes over by a link; NONE for all others."""
        key = WRITTEN(link.command)
        if key not in self._links:
            by_content = np.full(self.distinct.contents + 1, NONE)
            for content, command in self.commands.items():
                if link.takes(command):
                    by_content[content] = TEXTS[WRITTEN(command)]
            steps = np.where(self.distinct.took == COMMAND, self.distinct.input, self.distinct.contents)
            self._links[key] = by_content[steps]
        return self._links[key]

    def handed(self, links: Sequence[Link]) -> list[Array]:
        """For each different list of deliveries the numbers of the commands that links make of them, in order."""
        key = WRITTEN([[link.delivery, link.command] for link in links])
        if key not in self._handed:
            self._handed[key] = [_numbers(links, text) for text in self.distinct.deliveries.values]
        return self._handed[key]

    def columns(self, row_group: int, row: int) -> Columns:
        """The steps of one trace."""
        trace = self._tables(row_group).slice(row, 1)
        events = numbers(trace["events"].combine_chunks().flatten())
        at = trace["at"].combine_chunks()
        times = (
            at.flatten().to_numpy(zero_copy_only=False) if at.is_valid()[0].as_py() else np.full(len(events), np.nan)
        )
        return Columns(events, self.names[self.distinct.node[events]], times.astype(float))

    def row(self, row_group: int, row: int) -> dict[str, Any]:
        """The row of one trace."""
        found: dict[str, Any] = self._tables(row_group).slice(row, 1).to_pylist()[0]
        return found


def _numbers(links: Sequence[Link], text: bytes | None) -> Array:
    delivered = () if text is None else msgspec.json.decode(text)
    handed = (link.handed(content) for content in delivered for link in links)
    return np.array([TEXTS[WRITTEN(command)] for command in handed if command is not None], np.int64)


def _kind(command: Json) -> Any:
    return command.get("kind") if isinstance(command, dict) else None


class Spot(NamedTuple):
    """Where a trace is: the pack, and its place in it."""

    pack: PackOfLayer
    row_group: int
    row: int


class PackedLayer:
    """The corpus of one layer."""

    def __init__(self, folder: Path) -> None:
        self._corpus = open_corpus(folder)
        self.protocol: Protocol = find_variant(self._corpus.manifest.protocol, None, self._corpus.manifest.parameters)
        self._packs: dict[str, PackOfLayer] = {}
        self._readers: dict[str, Reader] = {}

    @cached_property
    def _spots(self) -> Mapping[str, tuple[str, int, int]]:
        return dict(self._every_spot())

    def _every_spot(self) -> Iterator[tuple[str, tuple[str, int, int]]]:
        for name in self._corpus.names:
            pack = self._corpus.pack(name)
            rows = ((group, row) for group in range(pack.row_groups) for row in range(pack.row_group_rows(group)))
            yield from ((trace, (name, *at)) for trace, at in zip(pack.names(), rows, strict=True))

    @property
    def traces(self) -> tuple[str, ...]:
        """The names of all traces."""
        return tuple(self._spots)

    def spot(self, trace: str) -> Spot:
        """Where a trace is. Raises UsageError if it is not there, or if its pack cannot be read."""
        if trace not in self._spots:
            raise UsageError(f"{self._corpus.path}: there is no trace {trace!r} in it.")
        name, group, row = self._spots[trace]
        if name not in self._packs:
            if len(self._packs) >= MOST_PACKS:
                self._packs.clear()
            self._packs[name] = PackOfLayer(self._corpus.pack(name))
        return Spot(self._packs[name], group, row)

    def state(self, pack: PackOfLayer, number: int) -> Any:
        """The local state of that number in one of its packs."""
        distinct = pack.distinct
        role = distinct.state_roles[number] or ""
        if role not in self._readers:
            self._readers[role] = Reader(self.protocol.vocabulary.roles[role])
        return self._readers[role].read(distinct.state_texts[number])

    def reader(self, trace: str) -> TraceReader:
        """A reader of a trace, as if it were a file of lines. Raises UsageError if it is none."""
        pack, group, row = self.spot(trace)
        text = b"".join(pack.exporter.lines(pack.row(group, row)))
        return TraceReader(Path(f"{pack.pack.path}/{trace}"), BytesIO(text))


@lru_cache(1)
def layers_of(folder: Path, stack: str) -> tuple[Stack, dict[str, PackedLayer]]:
    """The stack of a corpus, and the corpora of its layers. Raises UsageError if one cannot be read."""
    known = known_stack(stack, f"{folder}: ")
    return known, {layer.name: PackedLayer(folder / layer.name) for layer in known.layers}


def roles_of(row: dict[str, Any]) -> tuple[str, ...]:
    """The names of the nodes of a trace, in the order of its header."""
    roles: dict[str, str] = msgspec.json.decode(row["header"], type=_Head).roles
    return tuple(roles)


class _Head(msgspec.Struct):
    roles: dict[str, str]
