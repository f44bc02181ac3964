"""Export packs as JSON Lines: the lines of any trace of a pack, exactly as the recorder would have written them."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw

from gomboc.checker.core.arrow import pa
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import only_writer, unwritable, whole_file
from gomboc.checker.replay.pack.format import ABSENT, COMMAND, DELIVERY, NONE, Line, SentText, check_kind
from gomboc.checker.replay.pack.read import Pack, is_corpus, open_corpus, open_pack

TableRow = dict[str, Any]


def export(source: Path, names: Sequence[str], folder: Path) -> int:
    """Write the named traces of a corpus or a pack, or all, into a folder; returns their number.

    Raises UsageError if a named trace is missing, if there is no trace at all or two of one name, if it cannot be read
    or written, or if another process is writing there.
    """
    with only_writer(folder):
        return _export(source, names, folder)


def _export(source: Path, names: Sequence[str], folder: Path) -> int:
    packs = open_corpus(source).packs() if is_corpus(source) else iter((open_pack(source),))
    wanted = dict.fromkeys(names)
    written: set[str] = set()
    for pack in packs:
        exporter = Exporter(pack)
        if not names:
            traces = exporter.traces()
        else:
            chosen = [name for name in pack.names() if name in wanted]
            traces = ((name, exporter.trace(name)) for name in chosen)
        for name, lines in traces:
            if name in written:
                raise UsageError(f"{pack.path}: another pack has a trace with the name {name!r}, too.")
            _write(folder, name, _checked(pack, name, lines))
            wanted.pop(name, None)
            written.add(name)
    if wanted:
        raise UsageError(f"{source}: there is no trace {next(iter(wanted))!r} in it.")
    if not written:
        raise UsageError(f"{source}: there is no trace in it.")
    return len(written)


class _Head(msgspec.Struct):
    """Fields that must agree between a header and its pack."""

    protocol: str = ""
    parameters: dict[str, Any] = {}


def _checked(pack: Pack, name: str, lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of a trace. Raises UsageError if its header disagrees with its pack, because such a trace has no
    verdict.
    """
    header = next(lines)
    try:
        head = msgspec.json.decode(header, type=_Head)
    except (ValueError, RecursionError):
        head = None
    if head is not None:
        check_kind(head, pack.info, f"{pack.path}: the trace {name!r}", "its pack")
    yield header
    yield from lines


def _write(folder: Path, name: str, lines: Iterator[bytes]) -> None:
    path = folder / f"{name}.jsonl"
    if not path.resolve().is_relative_to(folder.resolve()):
        raise UsageError(f"{folder}: the trace {name!r} would be written outside of it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as unfinished, unfinished.open("wb") as file:
            file.writelines(lines)
    except OSError as error:
        raise unwritable(path, error) from error


class Exporter:
    """Writes traces of one pack as lines."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._rows: dict[int, TableRow] = {}
        self._encode = msgspec.json.Encoder().encode

    @cached_property
    def _states(self) -> list[bytes]:
        return _column(self._pack.states, "state")

    @cached_property
    def _messages(self) -> list[bytes]:
        return _column(self._pack.messages, "message")

    def traces(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """The name and the lines of every trace, in order."""
        for table in self._pack.trace_batches():
            for position in range(len(table)):
                row = table.slice(position, 1).to_pylist()[0]
                yield row["name"], self.lines(row)

    def trace(self, name: str) -> Iterator[bytes]:
        """The lines of the trace of that name. Raises UsageError if there is none."""
        names = self._pack.names()
        if name not in names:
            raise UsageError(f"{self._pack.path}: there is no trace {name!r} in it.")
        return self.lines(_row(self._pack, names.index(name)))

    def lines(self, row: TableRow) -> Iterator[bytes]:
        """The lines of the trace in that row of `traces`, each with its newline."""
        yield row["header"] + b"\n"
        ids = iter(row["sent"])
        for number, event in enumerate(row["events"]):
            step = self._step(event)
            line = self._line(step, row["took"][number], list(islice(ids, len(step["targets"]))))
            line.at = None if row["at"] is None else row["at"][number]
            if row["claimed"] is not None and row["claimed"][number] != NONE:
                line.before = self._state(row["claimed"][number])
            yield self._encode(line) + b"\n"

    def _step(self, event: int) -> TableRow:
        if event not in self._rows:
            self._rows[event] = self._pack.steps.slice(event, 1).to_pylist()[0]
        return self._rows[event]

    def _line(self, step: TableRow, took: int, ids: list[int]) -> Line:
        messages = zip(ids, step["targets"], map(self._message, step["contents"]), strict=True)
        return Line(
            step["node"],
            self._took(step, took),
            self._state(step["after"]),
            [SentText(*message) for message in messages],
            ABSENT if step["delivered"] is None else Raw(step["delivered"]),
            step["coin"],
            received=ABSENT if step["received"] is None else self._message(step["received"]),
        )

    def _took(self, step: TableRow, took: int) -> Raw:
        match step["took"]:
            case way if way == DELIVERY:
                return Raw(b"%d" % took)
            case way if way == COMMAND:
                return self._message(step["input"])
            case _:
                return Raw(b'"timeout"')

    def _state(self, number: int) -> Raw:
        return Raw(self._states[number])

    def _message(self, number: int) -> Raw:
        return Raw(self._messages[number])


def _column(table: pa.Table, name: str) -> list[bytes]:
    values: list[bytes] = table[name].to_pylist()
    return values


def _row(pack: Pack, position: int) -> TableRow:
    """The row at that position, counted over all row groups."""
    for row_group in range(pack.row_groups):
        rows = pack.row_group_rows(row_group)
        if position < rows:
            row: TableRow = pack.traces(row_group).slice(position, 1).to_pylist()[0]
            return row
        position -= rows
    raise UsageError(f"{pack.path}: the traces have changed while they were read.")
