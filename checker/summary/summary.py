"""Many judgements summed up: for each size of the system, the number that hold, and the time to convergence."""

from collections import Counter
from collections.abc import Iterable
from statistics import median

import msgspec

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED
from gomboc.checker.summary.clusters import Cluster
from gomboc.checker.summary.coverage import Coverage
from gomboc.checker.summary.verdict_row import Row

MOST_NAMED = 10
"""Maximal number of traces that a summary names."""


class SummaryLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of all traces with the same n, or of all (`members` is None).

    The three counters have "holds", "violated" and "unknown". The figures of convergence are in rounds, over the traces
    that converged, and None if there is none; so are those in steps, where they are known. `after_fewest` and
    `after_most` are the rounds for which these traces went on after they had become legitimate.
    """

    members: int | None
    traces: int
    steps: int
    conformance: dict[str, int]
    closure: dict[str, int]
    convergence: dict[str, int]
    rounds_median: float | None
    rounds_p99: int | None
    rounds_worst: int | None
    steps_median: float | None = None
    steps_p99: int | None = None
    steps_worst: int | None = None
    after_fewest: int | None = None
    after_most: int | None = None


class Named(msgspec.Struct, frozen=True):
    """A trace that does not hold, and the reason in short."""

    trace: str
    why: str


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """All judgements of one run; `named` are the first traces that do not hold, `example` one trace to look at.

    Of a corpus of packs also: clusters of failures, the coverage of the corpus, and the number of rounds within which a
    run of n must become legitimate by the protocol, by n as text.
    """

    verdicts: dict[str, int]
    lines: tuple[SummaryLine, ...]
    named: tuple[Named, ...]
    example: str | None
    spec: tuple[str, ...]
    clusters: tuple[Cluster, ...] = ()
    coverage: Coverage | None = None
    bounds: dict[str, int] = {}

    def exit_code(self) -> int:
        """0 if every trace holds; else violated before unreadable before unknown. No trace at all is unreadable.

        It is unknown, too, if the corpus covers too little, or if the naive judge does not confirm a witness.
        """
        verdicts = {name for name, times in self.verdicts.items() if times}
        if any(cluster.confirmed is False for cluster in self.clusters):
            verdicts = verdicts - {"violated"} | {"unknown"}
        if verdicts and self.coverage is not None and self.coverage.missing:
            verdicts |= {"unknown"}
        codes = (("violated", VIOLATED), ("unreadable", USAGE), ("unknown", UNKNOWN))
        return next((code for name, code in codes if name in verdicts), HOLDS if verdicts else USAGE)


def unsettled(lines: Iterable[SummaryLine]) -> list[int]:
    """The sizes with traces that became legitimate of which none went on for a round."""
    return [line.members for line in lines if line.members is not None and line.after_most == 0]


def was_false(lines: Iterable[SummaryLine]) -> bool:
    """Whether legitimacy was false in some run: it had to converge, or was violated."""
    return any(line.rounds_worst or line.closure["violated"] or line.convergence["violated"] for line in lines)


def sum_up(rows: Iterable[Row]) -> Summary:
    """The summary of those rows, independent of their order."""
    ordered = sorted(rows, key=lambda row: row.trace)
    judged = [row for row in ordered if row.members is not None]
    sizes = sorted({row.members for row in judged if row.members is not None})
    lines = [_line(size, [row for row in judged if row.members == size]) for size in sizes]
    failed = [row for row in ordered if row.verdict != "holds"]
    held = [row.trace for row in ordered if row.verdict == "holds"]
    return Summary(
        verdicts=dict(sorted(Counter(row.verdict for row in ordered).items())),
        lines=(*lines, _line(None, judged)),
        named=tuple(Named(row.trace, _why(row)) for row in failed[:MOST_NAMED]),
        example=(failed[0].trace if failed else held[0]) if ordered else None,
        spec=tuple(sorted({row.spec for row in ordered})),
    )


def _line(members: int | None, rows: list[Row]) -> SummaryLine:
    rounds = sorted(row.rounds for row in rows if row.rounds is not None)
    after = [row.rounds_after or 0 for row in rows if row.rounds is not None]
    return SummaryLine(
        members=members,
        traces=len(rows),
        steps=sum(row.steps or 0 for row in rows),
        conformance=_count(row.conformance for row in rows),
        closure=_count(row.closure for row in rows),
        convergence=_count(row.convergence for row in rows),
        rounds_median=median(rounds) if rounds else None,
        rounds_p99=percentile(rounds, 99),
        rounds_worst=rounds[-1] if rounds else None,
        after_fewest=min(after, default=None),
        after_most=max(after, default=None),
    )


def _count(words: Iterable[str | None]) -> dict[str, int]:
    counted = Counter(word for word in words if word is not None)
    return {word: counted[word] for word in ("holds", "violated", "unknown")}


def percentile(ordered: list[int], percent: int) -> int | None:
    """The least value that is at least as large as that many percent of all; None if there are none."""
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


def _why(row: Row) -> str:
    if row.verdict == "violated":
        return f"violated at step {row.step} by {row.rule}"
    return row.error or row.verdict
