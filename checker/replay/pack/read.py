"""Read packs and corpora. A damaged one is reported in one sentence: none of its content is trusted unchecked.

Code that reads a pack through this module may index without checks: every id is within its dictionary, and lists that
belong together have the right lengths. Whether a trace is *true* is not checked here.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc
import pyarrow.parquet

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.folder import check_file, names_in
from gomboc.checker.core.phrases import counted
from gomboc.checker.replay.pack.check import (
    check_columns,
    check_names,
    check_nulls,
    check_roles,
    check_steps,
    check_texts,
    check_traces,
)
from gomboc.checker.replay.pack.format import (
    CORPUS_FORMAT,
    MANIFEST_FILE,
    MESSAGES_FILE,
    PACK_FILE,
    PACK_FORMAT,
    SCHEMAS,
    STATES_FILE,
    STEPS_FILE,
    SUFFIX,
    TRACES_FILE,
    VERSION,
    Counts,
    Manifest,
    PackEntry,
    PackInfo,
    check_kind,
)

Value = TypeVar("Value")

Occurring = npt.NDArray[np.bool_]
"""A mask of the local steps that occur."""


class Pack:
    """One pack: `info` is the content of its `pack.json`; its tables are read on demand.

    Every access raises UsageError if the accessed part does not have the format.
    """

    def __init__(self, path: Path, info: PackInfo) -> None:
        self.path = path
        self.info = info

    @property
    def counts(self) -> Counts:
        """The numbers of rows of its tables, and of steps of its traces."""
        return self.info.counts

    @cached_property
    def states(self) -> pa.Table:
        """The local states; the row number is the id."""
        return self._read(STATES_FILE, self.counts.states)

    @cached_property
    def messages(self) -> pa.Table:
        """The contents of messages and commands; the row number is the id."""
        return self._read(MESSAGES_FILE, self.counts.messages)

    @cached_property
    def steps(self) -> pa.Table:
        """The local steps; the row number is the id."""
        table = self._read(STEPS_FILE, self.counts.steps)
        check_steps(self.path / STEPS_FILE, table, self.counts)
        check_roles(self.path / STEPS_FILE, table, self.states)
        return table

    @cached_property
    def _traces(self) -> pa.parquet.ParquetFile:
        file = _open(self.path / TRACES_FILE)
        self._check_rows(TRACES_FILE, file.metadata.num_rows, self.counts.traces)
        return file

    @property
    def row_groups(self) -> int:
        """The number of row groups of traces."""
        return int(self._traces.num_row_groups)

    def row_group_rows(self, row_group: int) -> int:
        """The number of traces in a row group."""
        return _guarded(self.path / TRACES_FILE, lambda: int(self._traces.metadata.row_group(row_group).num_rows))

    def traces(self, row_group: int) -> pa.Table:
        """The traces of one row group."""
        path = self.path / TRACES_FILE
        table = _guarded(path, lambda: self._traces.read_row_group(row_group))
        check_traces(path, table, self.steps, self.counts)
        return table

    def occurring_steps(self) -> Occurring:
        """A mask of the local steps that occur in some trace; ids outside the table of steps are ignored."""
        path, size = self.path / TRACES_FILE, self.counts.steps
        occurring = np.zeros(size, bool)
        for row_group in range(self.row_groups):
            table = _guarded(path, partial(self._traces.read_row_group, row_group, ["events"]))
            for events in table["events"].chunks:
                ids = events.flatten().drop_null().to_numpy()
                occurring[ids[(ids >= 0) & (ids < size)]] = True
        return occurring

    def trace_batches(self) -> Iterator[pa.Table]:
        """The traces of every row group, in order. Raises UsageError in the end if the number of steps in `counts` is
        wrong.
        """
        events = 0
        for row_group in range(self.row_groups):
            table = self.traces(row_group)
            events += pc.sum(pc.list_value_length(table["events"])).as_py() or 0
            yield table
        self._check_events(events)

    def check_events(self) -> None:
        """Raise UsageError if the number of steps in `counts` is wrong, by the statistics in the footer where they
        exist.
        """
        self._check_events(sum(map(self._row_group_events, range(self.row_groups))))

    def _row_group_events(self, row_group: int) -> int:
        said = _guarded(self.path / TRACES_FILE, lambda: _stated_values(self._traces.metadata.row_group(row_group)))
        if said is not None:
            return said
        events = _guarded(self.path / TRACES_FILE, lambda: self._traces.read_row_group(row_group, ["events"]))
        return pc.sum(pc.list_value_length(events["events"])).as_py() or 0

    def _check_events(self, events: int) -> None:
        if events != self.counts.events:
            said = f"it says that the traces have {counted(self.counts.events, 'step')}"
            raise UsageError(f"{self.path / PACK_FILE}: {said}, and they have {events}.")

    def headers(self, row_group: int) -> list[bytes]:
        """The headers of the traces of one row group."""
        path = self.path / TRACES_FILE
        table = _guarded(path, lambda: self._traces.read_row_group(row_group, ["header"]))
        check_nulls(path, table)
        headers: list[bytes] = table["header"].to_pylist()
        return headers

    def names(self) -> list[str]:
        """The names of its traces, in order."""
        path = self.path / TRACES_FILE
        table = _guarded(path, lambda: self._traces.read(["name"]))
        check_nulls(path, table)
        check_texts(path, table)
        check_names(path, table["name"])
        names: list[str] = table["name"].to_pylist()
        return names

    def _read(self, name: str, rows: int) -> pa.Table:
        path = self.path / name
        file = _open(path)
        self._check_rows(name, file.metadata.num_rows, rows)
        table = _guarded(path, file.read)
        check_nulls(path, table)
        check_texts(path, table)
        return table

    def _check_rows(self, name: str, rows: int, said: int) -> None:
        if rows != said:
            raise UsageError(f"{self.path / PACK_FILE}: it says that {name} has {said} rows, and it has {rows}.")


def _stated_values(row_group: Any) -> int | None:
    """The number of steps in the traces of a row group by its statistics; None if there are none."""
    leaves = map(row_group.column, range(row_group.num_columns))
    statistics = next((leaf.statistics for leaf in leaves if leaf.path_in_schema.startswith("events.")), None)
    return None if statistics is None else int(statistics.num_values)


def _open(path: Path) -> pa.parquet.ParquetFile:
    """The Parquet file, with the columns of the format."""
    file = _guarded(path, lambda: pyarrow.parquet.ParquetFile(path, page_checksum_verification=True))
    check_columns(path, _guarded(path, lambda: file.schema_arrow), SCHEMAS[path.name])
    return file


def _guarded(path: Path, read: Callable[[], Value]) -> Value:
    """The result of `read`. Every error that a damaged file causes in a reader becomes one sentence."""
    if path.exists():
        check_file(path)
    try:
        return read()
    except FileNotFoundError as error:
        raise UsageError(f"{path}: there is no such file.") from error
    except MemoryError as error:
        raise UsageError(f"{path}: there is not enough memory to read the file, or it is damaged.") from error
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise UsageError(f"{path}: the file cannot be read; it is cut off or damaged, or no Parquet file.") from error


class Corpus:
    """A folder of packs with a manifest: `names` are the names of its packs."""

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._entries = {entry.name: entry for entry in manifest.packs}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its packs, in order."""
        return tuple(self._entries)

    def pack(self, name: str) -> Pack:
        """The pack of that name. Raises UsageError if it cannot be read, or differs from the manifest."""
        pack = open_pack(self.path / name)
        said = self._entries[name].counts
        check_kind(pack.info, self.manifest, f"{pack.path}: the pack", "the corpus")
        if pack.counts != said:
            raise UsageError(
                f"{pack.path}: the pack has {_counts_text(pack.counts)}, and the manifest says {_counts_text(said)}."
            )
        return pack

    def packs(self) -> Iterator[Pack]:
        """Every pack, in order."""
        return map(self.pack, self.names)


def _counts_text(counts: Counts) -> str:
    return ", ".join(f"{name}: {number}" for name, number in msgspec.structs.asdict(counts).items())


def open_pack(path: Path) -> Pack:
    """The pack at `path`. Raises UsageError if there is none; its tables are not read yet."""
    return Pack(path, _read_json(path / PACK_FILE, PackInfo, PACK_FORMAT, "pack"))


def is_corpus(path: Path) -> bool:
    """Whether there is a corpus at `path`, complete or not."""
    return (path / MANIFEST_FILE).exists()


def open_corpus(path: Path) -> Corpus:
    """The corpus at `path`. Raises UsageError if there is none, or if its manifest differs from the packs in the
    folder.

    The packs are not opened yet.
    """
    file = path / MANIFEST_FILE
    manifest = _read_json(file, Manifest, CORPUS_FORMAT, "corpus")
    named = [entry.name for entry in manifest.packs]
    there = {name for name in names_in(path) if name.endswith(SUFFIX)}
    for name in sorted(there.symmetric_difference(named)):
        missing = "is not there" if name in named else "is there and not named"
        raise UsageError(f"{file}: the manifest does not fit the folder: {name} {missing}.")
    if len(named) != len(there):
        raise UsageError(f"{file}: a pack is named twice.")
    if _sum(manifest.packs) != manifest.counts:
        raise UsageError(
            f"{file}: the sum of the counts is {_counts_text(_sum(manifest.packs))}, "
            f"and it says {_counts_text(manifest.counts)}."
        )
    return Corpus(path, manifest)


def _sum(entries: tuple[PackEntry, ...]) -> Counts:
    return sum((entry.counts for entry in entries), Counts())


class _Head(msgspec.Struct):
    format: str
    version: int


def _read_json(path: Path, kind: type[Value], form: str, what: str) -> Value:
    if path.exists():
        check_file(path)
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{path.parent}: this is no {what}: it has no {path.name}.") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error
    head: Any = _decoded(path, text, _Head)
    if head.format != form:
        raise UsageError(f"{path}: the format is {head.format!r}, not {form!r}.")
    if head.version != VERSION:
        raise UsageError(f"{path}: the {what} has version {head.version}, and this gomboc reads version {VERSION}.")
    return _decoded(path, text, kind)


def _decoded(path: Path, text: bytes, kind: type[Value]) -> Value:
    try:
        return msgspec.json.decode(text, type=kind)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {error}.") from error
