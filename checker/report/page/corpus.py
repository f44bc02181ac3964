"""A corpus that was judged, with films of its violated traces."""

from collections.abc import Iterator
from pathlib import Path

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import WORDS
from gomboc.checker.report.page.chart import rounds_chart
from gomboc.checker.report.page.section import Section
from gomboc.checker.report.page.trace import trace_section
from gomboc.checker.report.table import HEADINGS, cells
from gomboc.checker.summary.coverage import lines as coverage_lines
from gomboc.checker.summary.summary import Summary

MOST_FILMS = 3
"""Maximal number of witnesses of a corpus that are shown as films."""

WITNESSES = "witnesses"
"""The folder of the witnesses, in that of the verdicts."""


def corpus_sections(path: Path, summary: Summary, options: Options) -> Iterator[Section]:
    """The verdicts at `path`, and the films of the smallest traces of the most frequent failures."""
    films, notes = [], []
    named = [*_witnesses(summary)]
    for name in named[:MOST_FILMS]:
        try:
            witness = _file(name, path)
            films.append(trace_section(witness, options, judge_file(witness, options)))
        except UsageError as error:
            notes.append(f"The violated trace {name} is not shown: {error}")
    if len(named) > MOST_FILMS:
        notes.append(f"{MOST_FILMS} of {counted(len(named), 'violated trace')} named here are shown step by step.")
    if not sum(summary.verdicts.values()):
        notes.append("No trace was judged.")
    yield corpus_section(str(path), summary, notes)
    yield from films


def corpus_section(name: str, summary: Summary, notes: list[str]) -> Section:
    """A corpus that was judged: verdicts, rounds against n, clusters of failures, and coverage."""
    sizes = [line for line in summary.lines if line.members is not None]
    coverage = "" if summary.coverage is None else "\n".join(coverage_lines(summary.coverage))
    values = {
        "name": name,
        "notes": notes,
        "verdicts": [*summary.verdicts.items()],
        "chart": rounds_chart(sizes, summary.bounds),
        "head": HEADINGS,
        "rows": [cells(line) for line in summary.lines if line.traces],
        "clusters": summary.clusters,
        "coverage": coverage,
    }
    return Section("corpus.html.j2", WORDS[summary.exit_code()], values)


def _witnesses(summary: Summary) -> Iterator[str]:
    """The files of violated traces that a summary names: a witness for each kind of failure, or the first ones."""
    witnesses = [cluster.small or cluster.witness for cluster in summary.clusters]
    if any(witnesses):
        yield from filter(None, witnesses)
    elif not summary.clusters:
        yield from (named.trace for named in summary.named if named.why.startswith("violated"))


def _file(name: str, verdicts: Path) -> Path:
    """The file of that name: at its original path, or in the folder of the verdicts if that was moved."""
    moved = verdicts / WITNESSES / Path(name).name
    return moved if not Path(name).is_file() and moved.is_file() else Path(name)
