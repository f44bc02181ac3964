"""Stacks in packs: a corpus for each layer, and a file that says which runs they have, with their topics.

The trace of a run in the corpus of a layer has the name RUN, or RUN/TOPIC.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import whole_folder, write_whole
from gomboc.checker.core.progress import Report
from gomboc.checker.replay.pack.ingest import Source, ingest
from gomboc.checker.stacks.recorded import FILE, FORMAT, VERSION, Recorded, Values, read_file, read_run, stacks_below

CORPUS_FORMAT = "gomboc-stacks"


class RecordedCorpus(msgspec.Struct, frozen=True):
    """The content of `stack.json` of a corpus: the topics of each run, each with its values."""

    format: str
    version: int
    stack: str
    runs: dict[str, dict[str, Values]]


class Written(msgspec.Struct, frozen=True):
    """The contents of a corpus of stacks that has been written."""

    runs: int
    traces: int
    packs: int
    steps: int


def read_corpus(folder: Path) -> RecordedCorpus:
    """What the corpus in a folder says of itself. Raises UsageError if it cannot be read."""
    return read_file(folder / FILE, RecordedCorpus, CORPUS_FORMAT)


def ingest_stacks(source: Path, target: Path, size: int, jobs: int, report: Report, overwrite: bool = False) -> Written:
    """Write the runs of stacks below a folder into a corpus, which appears when it is complete.

    `size` is the number of traces in a pack. Raises UsageError for a run that cannot be read, or is of another stack
    than the first, and if the corpus cannot be written.
    """
    folders = stacks_below(source)
    heads = [read_file(folder / FILE, Recorded, FORMAT) for folder in folders]
    for folder, head in zip(folders, heads, strict=True):
        if head.stack != heads[0].stack:
            raise UsageError(f"{folder / FILE}: the stack is {head.stack}, and that of others is {heads[0].stack}.")
    names = [folder.relative_to(source).as_posix() if folder != source else folder.name for folder in folders]
    topics = {name: head.topics for name, head in zip(names, heads, strict=True)}
    with whole_folder(target, overwrite) as unfinished:
        written = _ingest(dict(zip(names, folders, strict=True)), unfinished, size, jobs, report)
        content = RecordedCorpus(CORPUS_FORMAT, VERSION, heads[0].stack, topics)
        write_whole(unfinished / FILE, msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n")
    return written


def _ingest(folders: Mapping[str, Path], target: Path, size: int, jobs: int, report: Report) -> Written:
    sources: dict[str, list[Source]] = {}
    for name, folder in folders.items():
        run, paths = read_run(folder)
        for place in run.places:
            sources.setdefault(place.layer, []).append(Source(str(paths[place.name]), place.in_run(name)))
    manifests = [ingest(of_layer, target / layer, size, jobs, report) for layer, of_layer in sources.items()]
    counts: Sequence[tuple[int, int, int]] = [
        (manifest.counts.traces, len(manifest.packs), manifest.counts.events) for manifest in manifests
    ]
    return Written(len(folders), *(sum(column) for column in zip(*counts, strict=True)))
