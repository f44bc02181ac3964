"""Ingest JSON Lines into packs; the text of every state and message is kept exactly as the trace writes it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.folder import check_name
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.replay.pack.corpus import PackTarget, new_corpus, write_packs
from gomboc.checker.replay.pack.format import Manifest, PackEntry, check_kind
from gomboc.checker.replay.pack.record import NOTHING, Message, Recorder, Taken
from gomboc.checker.replay.pack.write import PackWriter, write_manifest
from gomboc.checker.traces.trace import Header, Step, TraceReader, open_trace
from gomboc.checker.traces.trace_files import Lines, open_lines, some_traces_below, trace_name

ABSENT = msgspec.Raw()
"""Stands for an optional key that is not there."""


class _Sent(msgspec.Struct):
    """A message given to the network, its content as text."""

    id: int
    to: str
    message: msgspec.Raw


class _Header(msgspec.Struct):
    """The fields of a header that are kept as text."""

    states: dict[str, msgspec.Raw]
    messages: list[_Sent]


class _Step(msgspec.Struct):
    """The fields of a step that are kept as text."""

    took: msgspec.Raw
    state: msgspec.Raw
    sent: list[_Sent]
    delivered: msgspec.Raw = ABSENT
    before: msgspec.Raw = ABSENT
    received: msgspec.Raw = ABSENT


_HEADER, _STEP = msgspec.json.Decoder(_Header), msgspec.json.Decoder(_Step)


class _Heard:
    """A file that keeps its last line, so that it can be read again once the trace reader has accepted it."""

    def __init__(self, file: Lines) -> None:
        self._file = file
        self.line = b""

    def readline(self, limit: int, /) -> bytes:
        """The next line."""
        self.line = self._file.readline(limit)
        return self.line


class Source(msgspec.Struct, frozen=True):
    """A trace file, and the name that the trace gets: its path below the folder that was given, without its ending."""

    path: str
    name: str


def find_sources(paths: Iterable[Path]) -> list[Source]:
    """The traces at or below these paths. Raises UsageError if there are none there, or two of one name."""
    sources = [source for path in paths for source in _sources_at(path)]
    first: dict[str, str] = {}
    for source in sources:
        if source.name in first:
            raise UsageError(f"{source.path}: the trace has the same name as {first[source.name]}: {source.name!r}.")
        first[source.name] = source.path
    return sources


def _sources_at(path: Path) -> list[Source]:
    if not path.is_dir():
        check_name(path)
        return [Source(str(path), trace_name(path.name))]
    return [Source(str(file), trace_name(file.relative_to(path).as_posix())) for file in some_traces_below(path)]


def ingest(
    sources: Sequence[Source], folder: Path, size: int, jobs: int, progress: Report, overwrite: bool = False
) -> Manifest:
    """Write the traces into a corpus of packs of `size` traces, which appears when it is complete.

    Raises UsageError for a trace that cannot be read, or is not of the protocol and parameters of the first, and if the
    corpus cannot be written.
    """
    with open_trace(Path(sources[0].path)) as reader:
        protocol, parameters = reader.header.protocol, reader.header.parameters
    pieces = -(-len(sources) // size)
    with new_corpus(folder, overwrite) as unfinished:
        target = PackTarget(str(unfinished), protocol, parameters)
        packs: list[PackEntry] = []
        for done, made in enumerate(in_processes(partial(ingest_piece, target, sources, size), pieces, jobs), 1):
            packs += made
            progress(done, pieces)
        return write_manifest(unfinished, protocol, parameters, packs)


def ingest_piece(target: PackTarget, sources: Sequence[Source], size: int, number: int) -> list[PackEntry]:
    """Write one piece of a corpus. Raises UsageError."""

    def into(writer: PackWriter) -> Callable[[Source], None]:
        return partial(_ingest_source, target, writer)

    return write_packs(target, number, sources[number * size : (number + 1) * size], into)


def _ingest_source(target: PackTarget, writer: PackWriter, source: Source) -> None:
    path = Path(source.path)
    with open_lines(path) as lines:
        try:
            header = ingest_trace(path, lines, source.name, writer)
        except OSError as error:
            raise UsageError(f"{path}: it cannot be read: {error.strerror or error}.") from error
    check_kind(header, target, f"{path}:1: the trace", "the corpus")


def ingest_trace(path: Path, file: Lines, name: str, writer: PackWriter) -> Header:
    """Append the trace in `file` to a pack, and return its header.

    Raises UsageError, with `path` and line, if it cannot be read.
    """
    heard = _Heard(file)
    reader = TraceReader(path, heard)
    text = _HEADER.decode(heard.line)
    states = {node: bytes(state) for node, state in text.states.items()}
    header = heard.line.removesuffix(b"\n")
    recorder = Recorder(writer.dictionary, header, reader.header.roles, states, _messages(text.messages))
    for step in reader.steps():
        _record(recorder, step, _STEP.decode(heard.line))
    writer.add(recorder.row(name))
    return reader.header


def _messages(sent: Iterable[_Sent]) -> list[Message]:
    return [(message.id, message.to, bytes(message.message)) for message in sent]


def _record(recorder: Recorder, step: Step, text: _Step) -> None:
    recorder.take(
        step.node,
        _taken(recorder, step, text),
        bytes(text.state),
        _messages(text.sent),
        step.coin,
        _text(text.delivered),
        _text(text.received),
    )
    if step.at is not None:
        recorder.happened(step.at)
    before = _text(text.before)
    if before is not None:
        recorder.claimed(step.node, before)


def _taken(recorder: Recorder, step: Step, text: _Step) -> Taken:
    if step.took == "timeout":
        return NOTHING
    return recorder.delivery(step.took) if isinstance(step.took, int) else recorder.command(bytes(text.took))


def _text(raw: msgspec.Raw) -> bytes | None:
    """The text of an optional key."""
    return bytes(raw) or None
