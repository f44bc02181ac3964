"""A summary of verdicts in columns: table by table, so that there may be any number of verdicts."""

from collections.abc import Iterable
from typing import Any

import pyarrow.compute as pc

from gomboc.checker.core.arrow import pa
from gomboc.checker.summary.clusters import Cluster, merged
from gomboc.checker.summary.summary import MOST_NAMED, Figures, Named, Summary, Tally, why


def sum_up_tables(tables: Iterable[pa.Table]) -> Summary:
    """The summary of those verdicts."""
    tally = Tally()
    for table in tables:
        _add(tally, table)
    return tally.summary()


def _add(tally: Tally, table: pa.Table) -> None:
    tally.verdicts.update(_counted(table["verdict"]))
    tally.specs.update(pc.unique(table["spec"]).to_pylist())
    failed = table.filter(pc.not_equal(table["verdict"], "holds"))
    chosen = failed.select(["trace", "verdict", "step", "rule", "error"])
    first = pc.select_k_unstable(chosen, MOST_NAMED, [("trace", "ascending")])
    tally.name(Named(row.pop("trace"), why(**row)) for row in chosen.take(first).to_pylist())
    violated = failed.filter(pc.equal(failed["verdict"], "violated"))
    tally.clusters = merged([*tally.clusters, *_clusters(violated)])
    judged = table.filter(pc.is_valid(table["members"]))
    for members in pc.unique(judged["members"]).to_pylist():
        figures = tally.sizes.setdefault(members, Figures())
        _count(figures, judged.filter(pc.equal(judged["members"], members)))


def _count(figures: Figures, table: pa.Table) -> None:
    figures.traces += len(table)
    figures.steps += pc.sum(table["steps"]).as_py() or 0
    for word, counted in figures.words.items():
        counted.update(_counted(table[word]))
    for name, numbers in figures.until.items():
        numbers.update(_counted(table[name].drop_null()))
    legitimate = table.filter(pc.is_valid(table["rounds"]))
    figures.after.update(pc.fill_null(pc.unique(legitimate["rounds_after"]), 0).to_pylist())


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
