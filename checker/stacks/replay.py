"""Judge a corpus of stacks: the traces of each layer by themselves, and what the layers of each run hand over."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import whole_folder, write_whole
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED
from gomboc.checker.stacks.joins import JoinRow, Joins
from gomboc.checker.stacks.recorded import FILE, Place, read_run, stacks_below
from gomboc.checker.summary.summary import MOST_NAMED, Summary

SUMMARY, JOINS = "summary.json", "joins.parquet"


class StackSummary(msgspec.Struct, frozen=True):
    """The summary of each layer, and how many runs of the stack are joined; `named` are the first that are not.

    Coverage is left out: it is demanded of corpora of one protocol, whose starts and commands are drawn for it.
    """

    stack: str
    layers: dict[str, Summary]
    runs: dict[str, int]
    named: tuple[JoinRow, ...]

    def exit_code(self) -> int:
        """Violated before unreadable before unknown, of the layers and of what they hand over."""
        of_runs = {"violated": VIOLATED, "unreadable": USAGE, "unknown": UNKNOWN}
        codes = {of_runs.get(verdict, HOLDS) for verdict, times in self.runs.items() if times}
        codes |= {summary.exit_code() for summary in self.layers.values()}
        return next((code for code in (VIOLATED, USAGE, UNKNOWN) if code in codes), HOLDS if codes else USAGE)


class Corpus(msgspec.Struct, frozen=True):
    """A corpus of stacks: the traces of each layer as files, unless they are in packs, and the runs to be joined."""

    stack: str
    layers: Mapping[str, tuple[str, ...]]
    joins: Joins


JudgeLayer = Callable[[str, Sequence[str], Path], Summary]
"""Judges a layer, by its name and the paths of its traces, if it has any, and writes the verdicts into a folder."""

JoinRuns = Callable[[Joins], list[JoinRow]]


def corpus_of_lines(folder: Path) -> Corpus:
    """The runs of one stack below a folder. Raises UsageError if there are several stacks, or if one cannot be read."""
    folders = stacks_below(folder)
    layers: dict[str, list[str]] = {}
    stacks: dict[str, Path] = {}
    for one in folders:
        run, paths = read_run(one)
        stacks.setdefault(run.stack.name, one)
        for place in run.places:
            layers.setdefault(place.layer, []).append(str(paths[place.name]))
    if len(stacks) > 1:
        first, second = list(stacks.items())[:2]
        raise UsageError(f"{second[1] / FILE}: the stack is {second[0]}, and that of others is {first[0]}.")
    names = tuple(one.relative_to(folder).as_posix() for one in folders)
    of_layers = {name: tuple(paths) for name, paths in layers.items()}
    return Corpus(next(iter(stacks)), of_layers, Joins(str(folder), False, names))


def corpus_of_packs(folder: Path) -> Corpus:
    """The runs in a corpus of packs. Raises UsageError if it cannot be read, or has traces of other runs or topics."""
    from gomboc.checker.stacks.pack import read_corpus
    from gomboc.checker.stacks.packed import layers_of

    said = read_corpus(folder)
    stack, layers = layers_of(folder, said.stack)
    for layer in stack.layers:
        places = {run: topics if layer.topics else (None,) for run, topics in said.runs.items()}
        named = {Place(layer.name, topic).in_run(run) for run, topics in places.items() for topic in topics}
        strange = sorted(set(layers[layer.name].traces) - named)
        if strange:
            says = f"it does not name the run, or the topic, of the trace {strange[0]} of the layer {layer.name}"
            raise UsageError(f"{folder / FILE}: {says}.")
    return Corpus(said.stack, dict.fromkeys(layers, ()), Joins(str(folder), True, tuple(sorted(said.runs))))


def replay_stacks(corpus: Corpus, target: Path, overwrite: bool, judge: JudgeLayer, join: JoinRuns) -> StackSummary:
    """Judge all layers, and join all runs; the verdicts appear in the folder `target` when they are complete.

    Raises UsageError if a layer cannot be read, or if the verdicts cannot be written.
    """
    with whole_folder(target, overwrite) as unfinished:
        layers = {
            name: msgspec.structs.replace(judge(name, paths, unfinished / name), coverage=None)
            for name, paths in corpus.layers.items()
        }
        rows = join(corpus.joins)
        counts = dict(sorted(Counter(row.verdict for row in rows).items()))
        named = tuple(row for row in rows if row.verdict != "holds")[:MOST_NAMED]
        summary = StackSummary(corpus.stack, layers, counts, named)
        _write(unfinished / JOINS, rows)
        write_whole(unfinished / SUMMARY, msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n")
    return summary


def _write(path: Path, rows: Sequence[JoinRow]) -> None:
    import pyarrow.parquet

    from gomboc.checker.core.arrow import pa

    text, number = pa.string(), pa.int64()
    kinds = {"run": text, "verdict": text, "says": text, "trace": text, "step": number, "rule": text, "node": text}
    table = pa.Table.from_pylist([msgspec.structs.asdict(row) for row in rows], schema=pa.schema(list(kinds.items())))
    pyarrow.parquet.write_table(table, path, compression="zstd")
