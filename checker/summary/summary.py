"""Many judgements summed up: for each size of the system, the number that hold, and the time to convergence."""

from collections import Counter
from collections.abc import Iterable
from statistics import median_high, median_low

import msgspec

from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, USAGE, VIOLATED
from gomboc.checker.summary.clusters import Cluster
from gomboc.checker.summary.coverage import Coverage
from gomboc.checker.summary.verdict_row import Row

MOST_NAMED = 10
"""Maximal number of traces that a summary names."""

WORDS = ("conformance", "closure", "convergence")
UNTIL = ("rounds", "steps_until")


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


class Tally:
    """The content of a summary, over the verdicts added so far. Their order does not matter."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.specs: set[str] = set()
        self.clusters: tuple[Cluster, ...] = ()
        self.named: list[Named] = []
        self.sizes: dict[int, Figures] = {}

    def name(self, failed: Iterable[Named]) -> None:
        """Add traces that do not hold; the first are named."""
        self.named = sorted([*self.named, *failed], key=lambda named: named.trace)[:MOST_NAMED]

    def summary(self, example: str | None = None) -> Summary:
        """The summary, still without witnesses and coverage."""
        total = Figures()
        for figures in self.sizes.values():
            total.merge(figures)
        lines = [figures.line(members) for members, figures in sorted(self.sizes.items())]
        return Summary(
            verdicts=dict(sorted(self.verdicts.items())),
            lines=(*lines, total.line(None)),
            named=tuple(self.named),
            example=example,
            spec=tuple(sorted(self.specs)),
            clusters=self.clusters,
        )


class Figures:
    """The figures of the traces of one size."""

    def __init__(self) -> None:
        self.traces = self.steps = 0
        self.words: dict[str, Counter[str]] = {word: Counter() for word in WORDS}
        self.until: dict[str, Counter[int]] = {name: Counter() for name in UNTIL}
        self.after: set[int] = set()

    def merge(self, other: "Figures") -> None:
        """Add the figures of other traces."""
        self.traces += other.traces
        self.steps += other.steps
        for word, counted in self.words.items():
            counted.update(other.words[word])
        for name, numbers in self.until.items():
            numbers.update(other.until[name])
        self.after |= other.after

    def line(self, members: int | None) -> SummaryLine:
        """The line of a summary for these traces."""
        rounds, steps = (_distribution(self.until[name]) for name in UNTIL)
        conformance, closure, convergence = (
            {word: self.words[name][word] for word in ("holds", "violated", "unknown")} for name in WORDS
        )
        after = min(self.after, default=None), max(self.after, default=None)
        return SummaryLine(members, self.traces, self.steps, conformance, closure, convergence, *rounds, *steps, *after)


def _distribution(numbers: Counter[int]) -> tuple[float | None, int | None, int | None]:
    """Median, 99th percentile and largest of some numbers."""
    if not numbers:
        return None, None, None
    ordered = sorted(numbers.elements())
    low, high = median_low(ordered), median_high(ordered)
    return (low + high) / 2 if low != high else low, percentile(ordered, 99), ordered[-1]


def percentile(ordered: list[int], percent: int) -> int | None:
    """The least value that is at least as large as that many percent of all; None if there are none."""
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


def sum_up(rows: Iterable[Row]) -> Summary:
    """The summary of those rows, independent of their order."""
    tally = Tally()
    ordered = sorted(rows, key=lambda row: row.trace)
    for row in ordered:
        tally.verdicts[row.verdict] += 1
        tally.specs.add(row.spec)
        if row.members is not None:
            _count(tally.sizes.setdefault(row.members, Figures()), row)
    failed = [row for row in ordered if row.verdict != "holds"]
    tally.name(Named(row.trace, why(row.verdict, row.step, row.rule, row.error)) for row in failed)
    return tally.summary(next((row.trace for row in (*failed, *ordered)), None))


def _count(figures: Figures, row: Row) -> None:
    figures.traces += 1
    figures.steps += row.steps or 0
    for name, counted in figures.words.items():
        counted[getattr(row, name)] += 1
    if row.rounds is not None:
        figures.until["rounds"][row.rounds] += 1
        figures.after.add(row.rounds_after or 0)


def why(verdict: str, step: int | None, rule: str | None, error: str | None) -> str:
    """The reason in short why a trace does not hold."""
    return f"violated at step {step} by {rule}" if verdict == "violated" else error or verdict
