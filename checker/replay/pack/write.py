"""Write packs: traces are gathered in columns, and a pack appears complete or not at all."""

import os
from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.output import replacing_folder
from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import (
    CORPUS_FORMAT,
    MANIFEST_FILE,
    MESSAGES_FILE,
    PACK_FILE,
    PACK_FORMAT,
    STATES_FILE,
    STEPS_FILE,
    TRACES,
    TRACES_FILE,
    VERSION,
    Counts,
    Manifest,
    PackEntry,
    PackInfo,
)

ROW_GROUP_EVENTS = 2_000_000
"""Steps at which a row group is written."""

MOST_BYTES = 256 << 20
"""Approximate memory of the dictionary, in bytes, at which a pack is closed."""

PARQUET = {"compression": "zstd", "compression_level": 3, "write_page_checksum": True}

LISTS = {
    "first": "i",
    "initial": "q",
    "initial_to": "i",
    "initial_content": "i",
    "events": "i",
    "took": "q",
    "sent": "q",
}
"""The list columns that every trace has, and their type codes in the module `array`."""


class TraceRow(msgspec.Struct, frozen=True):
    """One trace, in numbers of the dictionary: a row of TRACES."""

    name: str
    header: bytes
    first: "array[int]"
    initial: "array[int]"
    initial_to: "array[int]"
    initial_content: "array[int]"
    events: "array[int]"
    took: "array[int]"
    sent: "array[int]"
    at: list[float | None] | None = None
    claimed: "array[int] | None" = None


class Rows:
    """The rows of a row group that is not written yet."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.headers: list[bytes] = []
        self.values = {name: array(code) for name, code in LISTS.items()}
        self.offsets = {name: array("i", [0]) for name in LISTS}
        self.at: list[list[float | None] | None] = []
        self.claimed: list[list[int] | None] = []

    def add(self, row: TraceRow) -> None:
        """Append a row."""
        self.names.append(row.name)
        self.headers.append(row.header)
        for name, values in self.values.items():
            values.extend(getattr(row, name))
            self.offsets[name].append(len(values))
        self.at.append(row.at)
        self.claimed.append(None if row.claimed is None else row.claimed.tolist())

    def table(self) -> pa.Table:
        """The rows as an Arrow table."""
        columns = {"name": pa.array(self.names, pa.string()), "header": pa.array(self.headers, pa.binary())}
        for name, values in self.values.items():
            kind = TRACES.field(name).type
            columns[name] = pa.ListArray.from_arrays(
                _numbers(self.offsets[name], pa.int32()), _numbers(values, kind.value_type), type=kind
            )
        columns["at"] = pa.array(self.at, TRACES.field("at").type)
        columns["claimed"] = pa.array(self.claimed, TRACES.field("claimed").type)
        return pa.table(columns, schema=TRACES)


def _numbers(values: "array[int]", kind: pa.DataType) -> pa.Array:
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])


class PackWriter:
    """Writes one pack. Recorders add to `dictionary`; `add` takes the traces, one by one.

    Memory is bounded if the caller checks `full` after each trace, and goes on in another pack.
    """

    def __init__(self, unfinished: Path, protocol: str, parameters: Mapping[str, Any]) -> None:
        self.dictionary = Dictionary()
        self._folder = unfinished
        self._protocol, self._parameters = protocol, dict(parameters)
        self.counts = Counts()
        self._traces = self._events = 0
        self._rows = Rows()
        self._file = (unfinished / TRACES_FILE).open("wb")
        self._parquet = pyarrow.parquet.ParquetWriter(self._file, TRACES, **PARQUET)

    @property
    def full(self) -> bool:
        """Whether the dictionary has reached the size at which a pack is closed."""
        return self.dictionary.size() >= MOST_BYTES

    def add(self, row: TraceRow) -> None:
        """Append a trace in the numbers of `dictionary`."""
        self._rows.add(row)
        self._traces += 1
        self._events += len(row.events)
        if len(self._rows.values["events"]) >= ROW_GROUP_EVENTS:
            self._flush()

    def _flush(self) -> None:
        if self._rows.names:
            table = self._rows.table()
            self._parquet.write_table(table, row_group_size=max(1, len(table)))
            self._rows = Rows()

    def finish(self) -> None:
        """Write the rows and tables that remain, and set `counts`. Without this call, the pack is incomplete."""
        self._flush()
        self._parquet.close()
        _close(self._file)
        tables = self.dictionary.tables()
        for name, table in zip((STATES_FILE, MESSAGES_FILE, STEPS_FILE), tables, strict=True):
            with (self._folder / name).open("wb") as file:
                pyarrow.parquet.write_table(table, file, **PARQUET)
                _close(file)
        self.counts = Counts(self._traces, self._events, *map(len, tables))
        info = PackInfo(PACK_FORMAT, VERSION, self._protocol, self._parameters, self.counts)
        write_json(self._folder / PACK_FILE, info)

    def abandon(self) -> None:
        """Release the file; the caller removes the folder."""
        self._parquet.is_open = False
        self._file.close()


def _close(file: Any) -> None:
    """Close a file after its contents are on the disk, so that its final name never stands for an incomplete file."""
    file.flush()
    os.fsync(file.fileno())
    file.close()


def write_json(path: Path, value: object) -> None:
    """Write a value as indented JSON."""
    with path.open("wb") as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
        _close(file)


@contextmanager
def writing_pack(path: Path, protocol: str, parameters: Mapping[str, Any]) -> Iterator[PackWriter]:
    """A writer of the pack at `path`, which appears at the end of the body, and not at all if the body fails.

    An existing pack is replaced. Raises UsageError if it cannot be written.
    """
    with replacing_folder(path) as unfinished:
        writer = PackWriter(unfinished, protocol, parameters)
        try:
            yield writer
            writer.finish()
        except BaseException:
            writer.abandon()
            raise


def write_manifest(folder: Path, protocol: str, parameters: Mapping[str, Any], packs: Iterable[PackEntry]) -> Manifest:
    """Write the manifest of a corpus with these packs, and return it."""
    entries = tuple(packs)
    total = sum((entry.counts for entry in entries), Counts())
    manifest = Manifest(CORPUS_FORMAT, VERSION, protocol, dict(parameters), entries, total)
    write_json(folder / MANIFEST_FILE, manifest)
    return manifest
