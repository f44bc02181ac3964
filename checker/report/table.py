"""A summary as a table for people."""

from collections.abc import Sequence

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.naive import Options
from gomboc.checker.judge.verdict import WORDS
from gomboc.checker.summary import clusters, coverage
from gomboc.checker.summary.repro_command import check_again
from gomboc.checker.summary.summary import Named, Summary, SummaryLine

HEADINGS = ("n", "traces", "steps", "conform", "closed", "converged", "median", "p99", "worst", "stable rounds")
"""The headings of the columns of the table."""


def table(summary: Summary, judged_by: str) -> str:
    """The summary as text: the table, the failures, the judge, and a command for one trace."""
    title = "Rounds until legitimate: median, p99 and worst, against n; and the fewest rounds after that."
    parts = [title, _drawn([HEADINGS, *map(cells, summary.lines)]), _verdicts(summary)]
    if summary.clusters:
        parts += clusters.lines(summary.clusters)
        parts += [f"  {_named(named)}" for named in summary.named if not named.why.startswith("violated")]
    else:
        parts += [f"  {_named(named)}" for named in summary.named]
    if summary.coverage is not None:
        parts += [*_steps(summary), *coverage.lines(summary.coverage)]
    parts.append(f"Judged by {judged_by}; specification {', '.join(summary.spec)}.")
    if summary.example:
        parts.append(f"Look closer: {check_again(summary.example, Options())}")
    return "\n".join(parts)


def headline(summary: Summary) -> str:
    """The summary in one line: the verdict on all traces, the number of traces per verdict, and of uncovered items."""
    missing = len(summary.coverage.missing) if summary.coverage is not None else 0
    uncovered = f"; {counted(missing, 'thing')} not covered" if missing else ""
    traces = counted(sum(summary.verdicts.values()), "trace")
    return f"{WORDS[summary.exit_code()]} ({traces}: {_times(summary)}{uncovered})"


def _steps(summary: Summary) -> list[str]:
    """The number of steps until the system was legitimate, by n and over all traces."""
    steps = [
        f"{'all' if line.members is None else f'n = {line.members}'}: "
        f"{line.steps_median:g}, {line.steps_p99}, {line.steps_worst}"
        for line in summary.lines
        if line.steps_median is not None
    ]
    return [f"Steps until legitimate, median, p99 and worst: {'; '.join(steps)}."] if steps else []


def _named(named: Named) -> str:
    """A reason that comes with a file and a line begins with the file."""
    return named.why if named.why.startswith(f"{named.trace}:") else f"{named.trace}: {named.why}"


def cells(line: SummaryLine) -> tuple[str, ...]:
    """The cells of a row of the table."""
    return (
        "all" if line.members is None else str(line.members),
        f"{line.traces:,}",
        f"{line.steps:,}",
        _share(line.conformance),
        _share(line.closure),
        _share(line.convergence),
        "-" if line.rounds_median is None else f"{line.rounds_median:g}",
        "-" if line.rounds_p99 is None else str(line.rounds_p99),
        "-" if line.rounds_worst is None else str(line.rounds_worst),
        "-" if line.after_fewest is None else str(line.after_fewest),
    )


def _share(times_of: dict[str, int]) -> str:
    """The number that hold, and the numbers of the other verdicts."""
    others = [f"{times:,} {word}" for word, times in times_of.items() if word != "holds" and times]
    return ", ".join([f"{times_of['holds']:,}", *others])


def _times(summary: Summary) -> str:
    return ", ".join(f"{times:,} {word}" for word, times in sorted(summary.verdicts.items()) if times)


def _verdicts(summary: Summary) -> str:
    times_of = _times(summary)
    return f"Verdicts: {times_of}." if times_of else "Verdicts: none; nothing was judged."


def _drawn(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their widest cell, aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in rows)
