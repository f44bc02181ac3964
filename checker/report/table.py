"""A summary as a table for people."""

from io import StringIO

from rich.console import Console
from rich.table import Table

from gomboc.checker.again import check_again
from gomboc.checker.judge.naive import Options
from gomboc.checker.report import clusters, coverage
from gomboc.checker.report.summary import Line, Named, Summary

HEADINGS = ("n", "traces", "steps", "conform", "closed", "converged", "median", "p99", "worst", "stable rounds")
"""The headings of the columns of the table."""

WIDTH = 110
"""Width in characters; a table that depends on the terminal could not be tested."""


def table(summary: Summary, judged_by: str) -> str:
    """The summary as text: the table, the failures, the judge, and a command for one trace."""
    grid = Table(box=None, pad_edge=False, header_style="")
    for heading in HEADINGS:
        grid.add_column(heading, justify="right")
    for line in summary.lines:
        grid.add_row(*cells(line), end_section=line is summary.lines[-2:][0])
    title = "Rounds until legitimate: median, p99 and worst, against n; and the fewest rounds after that."
    parts = [title, _drawn(grid), _verdicts(summary)]
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


def _steps(summary: Summary) -> list[str]:
    """The number of steps until the system was legitimate, by n and over all traces."""
    counted = [
        f"{'all' if line.members is None else f'n = {line.members}'}: "
        f"{line.steps_median:g}, {line.steps_p99}, {line.steps_worst}"
        for line in summary.lines
        if line.steps_median is not None
    ]
    return [f"Steps until legitimate, median, p99 and worst: {'; '.join(counted)}."] if counted else []


def _named(named: Named) -> str:
    """A reason that comes with a file and a line begins with the file."""
    return named.why if named.why.startswith(f"{named.trace}:") else f"{named.trace}: {named.why}"


def cells(line: Line) -> tuple[str, ...]:
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


def _share(counted: dict[str, int]) -> str:
    """The number that hold, and the numbers of the other verdicts."""
    others = [f"{times:,} {word}" for word, times in counted.items() if word != "holds" and times]
    return ", ".join([f"{counted['holds']:,}", *others])


def _verdicts(summary: Summary) -> str:
    counted = ", ".join(f"{times:,} {word}" for word, times in sorted(summary.verdicts.items()) if times)
    return f"Verdicts: {counted}." if counted else "Verdicts: none; nothing was judged."


def _drawn(grid: Table) -> str:
    console = Console(file=StringIO(), width=WIDTH, color_system=None)
    with console.capture() as capture:
        console.print(grid)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())
