"""Ingest JSON Lines into packs; the text of every state and message is kept exactly as the trace writes it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.folder import check_name
from gomboc.checker.core.processes.collecting import without_collecting
from gomboc.checker.core.processes.work import in_processes
from gomboc.checker.core.progress import Report
from gomboc.checker.replay.pack.accepted import AcceptedTexts
from gomboc.checker.replay.pack.corpus import PackTarget, new_corpus, write_packs
from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import Manifest, PackEntry, SentText, check_kind
from gomboc.checker.replay.pack.own_spelling import LINE, LineReader
from gomboc.checker.replay.pack.record import Message, Recorder
from gomboc.checker.replay.pack.write import PackWriter, TraceRow, write_manifest
from gomboc.checker.traces.trace import TraceReader, open_trace
from gomboc.checker.traces.trace_files import some_traces_below, trace_name


class _Header(msgspec.Struct):
    """The fields of a header that are kept as text."""

    states: dict[str, msgspec.Raw]
    messages: list[SentText]


_HEADER = msgspec.json.Decoder(_Header)


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


@without_collecting()
def ingest_piece(target: PackTarget, sources: Sequence[Source], size: int, number: int) -> list[PackEntry]:
    """Write one piece of a corpus. Raises UsageError."""

    def into(writer: PackWriter) -> Callable[[Source], None]:
        return partial(_ingest_source, target, Ingester(writer.dictionary), writer)

    return write_packs(target, number, sources[number * size : (number + 1) * size], into)


def _ingest_source(target: PackTarget, ingester: "Ingester", writer: PackWriter, source: Source) -> None:
    path = Path(source.path)
    try:
        with open_trace(path) as reader:
            writer.add(ingester.row(reader, source.name))
    except OSError as error:
        raise UsageError(f"{path}: it cannot be read: {error.strerror or error}.") from error
    check_kind(reader.header, target, f"{path}:1: the trace", "the corpus")


class Ingester:
    """Reads traces of one protocol in the numbers of a dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._texts: AcceptedTexts | None = None

    def row(self, reader: TraceReader, name: str) -> TraceRow:
        """The row of a trace. Raises UsageError, with path and line, if it cannot be read."""
        recorder = self._begun(reader)
        if self._texts is None:
            self._texts = AcceptedTexts(reader.protocol.vocabulary, self._dictionary)
        ours = LineReader(recorder, self._texts, reader.header.roles)
        for number, lines in reader.portions():
            recorded = ours.record(lines)
            for line, raw in enumerate(lines[recorded:], number + recorded):
                ours.read(took=reader.step(line, raw).took, line=LINE.decode(raw))
            ours.flush()
        return recorder.row(name)

    def _begun(self, reader: TraceReader) -> Recorder:
        text = _HEADER.decode(reader.first)
        states = {node: bytes(state) for node, state in text.states.items()}
        return Recorder(self._dictionary, reader.first, reader.header.roles, states, _messages(text.messages))


def _messages(sent: Iterable[SentText]) -> list[Message]:
    return [(message.id, message.to, bytes(message.message)) for message in sent]
