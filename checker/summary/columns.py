"""A summary of verdicts in columns: table by table, so that there may be any number of verdicts."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gomboc.checker.summary.clusters import Cluster, merged
from gomboc.checker.summary.summary import MOST_NAMED, Named, Summary, SummaryLine

WORDS = ("conformance", "closure", "convergence")
UNTIL = ("rounds", "steps_until")


class Tally:
    """The content of a summary, over the tables added so far. The order of the tables does not matter."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.specs: set[str] = set()
        self.clusters: list[Cluster] = []
        self._named: list[Named] = []
        self._sizes: dict[int, _Size] = {}

    def add(self, table: pa.Table) -> None:
        """Add the verdicts of a table."""
        self.verdicts.update(_counted(table["verdict"]))
        self.specs.update(pc.unique(table["spec"]).to_pylist())
        self._name(table.filter(pc.not_equal(table["verdict"], "holds")))
        judged = table.filter(pc.is_valid(table["members"]))
        for members in pc.unique(judged["members"]).to_pylist():
            self._sizes.setdefault(members, _Size()).add(judged.filter(pc.equal(judged["members"], members)))

    def _name(self, failed: pa.Table) -> None:
        chosen = failed.select(["trace", "verdict", "step", "rule", "error"])
        first = pc.select_k_unstable(chosen, MOST_NAMED, [("trace", "ascending")])
        self._named += [Named(row["trace"], _why(row)) for row in chosen.take(first).to_pylist()]
        self._named = sorted(self._named, key=lambda named: named.trace)[:MOST_NAMED]
        violated = failed.filter(pc.equal(failed["verdict"], "violated"))
        self.clusters = list(merged([*self.clusters, *_clusters(violated)]))

    def summary(self) -> Summary:
        """The summary, still without witnesses and coverage."""
        total = _Size()
        for size in self._sizes.values():
            total.merge(size)
        lines = [size.line(members) for members, size in sorted(self._sizes.items())]
        return Summary(
            verdicts=dict(sorted(self.verdicts.items())),
            lines=(*lines, total.line(None)),
            named=tuple(self._named),
            example=None,
            spec=tuple(sorted(self.specs)),
            clusters=tuple(self.clusters),
        )


def sum_up_tables(tables: Iterable[pa.Table]) -> Summary:
    """The summary of those verdicts."""
    tally = Tally()
    for table in tables:
        tally.add(table)
    return tally.summary()


class _Size:
    """The figures of the traces of one size."""

    def __init__(self) -> None:
        self.traces = self.steps = 0
        self.words: dict[str, Counter[str]] = {word: Counter() for word in WORDS}
        self.until: dict[str, Counter[int]] = {name: Counter() for name in UNTIL}
        self.after: set[int] = set()

    def add(self, table: pa.Table) -> None:
        self.traces += len(table)
        self.steps += pc.sum(table["steps"]).as_py() or 0
        for word, counted in self.words.items():
            counted.update(_counted(table[word]))
        for name, numbers in self.until.items():
            numbers.update(_counted(table[name].drop_null()))
        legitimate = table.filter(pc.is_valid(table["rounds"]))
        self.after.update(pc.fill_null(pc.unique(legitimate["rounds_after"]), 0).to_pylist())

    def merge(self, other: "_Size") -> None:
        self.traces += other.traces
        self.steps += other.steps
        for word, counted in self.words.items():
            counted.update(other.words[word])
        for name, numbers in self.until.items():
            numbers.update(other.until[name])
        self.after |= other.after

    def line(self, members: int | None) -> SummaryLine:
        rounds, steps = (_distribution(self.until[name]) for name in UNTIL)
        conformance, closure, convergence = (
            {word: self.words[name][word] for word in ("holds", "violated", "unknown")} for name in WORDS
        )
        after = min(self.after, default=None), max(self.after, default=None)
        return SummaryLine(members, self.traces, self.steps, conformance, closure, convergence, *rounds, *steps, *after)


def _distribution(numbers: Counter[int]) -> tuple[float | None, int | None, int | None]:
    """Median, 99th percentile and largest of some numbers, equal to those of `statistics.median` and `percentile`."""
    if not numbers:
        return None, None, None
    values = np.array(sorted(numbers))
    upto = np.cumsum([numbers[value] for value in values.tolist()])
    total = int(upto[-1])

    def at(rank: int) -> int:
        return int(values[np.searchsorted(upto, rank, "left")])

    low, high = at((total + 1) // 2), at(total // 2 + 1)
    return (low + high) / 2 if low != high else low, at(-(-99 * total // 100)), int(values[-1])


def _counted(column: pa.ChunkedArray) -> dict[Any, int]:
    return {row["values"]: row["counts"] for row in pc.value_counts(column).to_pylist()}


def _clusters(violated: pa.Table) -> Iterable[Cluster]:
    """A cluster for each rule and conjunct, with the smallest witness."""
    filled = violated.select(["rule", "conjunct", "pack", "trace", "step", "steps"])
    ordered = filled.sort_by([(name, "ascending") for name in ("rule", "conjunct", "step", "steps", "pack", "trace")])
    held: dict[tuple[str, str], list[Any]] = {}
    keys = zip(ordered["rule"].to_pylist(), ordered["conjunct"].to_pylist(), strict=True)
    for index, (rule, conjunct) in enumerate(keys):
        held.setdefault((rule, conjunct or ""), [index, 0])[1] += 1
    for (rule, conjunct), (index, times) in held.items():
        row = ordered.slice(index, 1).to_pylist()[0]
        yield Cluster(rule, conjunct, times, row["pack"] or "", row["trace"], row["step"], row["steps"])


def _why(row: dict[str, Any]) -> str:
    if row["verdict"] == "violated":
        return f"violated at step {row['step']} by {row['rule']}"
    return str(row["error"] or row["verdict"])
