"""A corpus that exercises too little is unknown, regardless of its dictionaries and its verdicts.

Source: checker/README.md, Corpora
"""

import json
from copy import deepcopy

import pyarrow.parquet

from gomboc.checker.judge.verdict import UNKNOWN
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import put, quiet, recount
from tests.checker.replay.run.corpora import corpus_of, honest, replayed
from tests.toys.words import spec as toy


def keep(corpus, traces):
    """Leave only so many traces in each pack, and its dictionary as it is."""
    for path in corpus.glob("*.pack"):
        table = pyarrow.parquet.read_table(path / "traces.parquet").slice(0, traces)
        pyarrow.parquet.write_table(table, path / "traces.parquet")
        put(path / "pack.json", "counts", "traces", to=len(table))
        put(path / "pack.json", "counts", "events", to=sum(map(len, table["events"].to_pylist())))
    recount(corpus)


def test_steps_of_a_dictionary_that_no_trace_takes_cover_nothing(own, true, tmp_path):
    keep(own, 1)
    whole, thin = replayed(true, tmp_path / "whole").coverage, replayed(own, tmp_path / "thin").coverage
    assert whole.missing == ()
    assert sum(rule.fired for rule in thin.rules) < sum(rule.fired for rule in whole.rules) / 2
    assert thin.missing


def test_runs_that_end_when_they_are_right_show_nothing_of_closure(tmp_path):
    plan = Plan("skip_ring", "skip_ring", (2, 3), 40, seed=1, settle=0)
    simulate_packs(plan, tmp_path / "packs", 40, local(1), quiet)
    summary = replayed(tmp_path / "packs", tmp_path / "verdicts")
    missing = {f"no trace with n = {size} goes on for a round after it became legitimate" for size in (2, 3)}
    assert missing <= set(summary.coverage.missing)
    assert summary.exit_code() == UNKNOWN
    assert [(line.after_fewest, line.after_most) for line in summary.lines] == [(0, 0)] * 3


def test_a_node_that_never_has_a_timeout_is_named(tmp_path):
    """No round is ever completed with it, so that no bound of rounds can pass."""
    trace = deepcopy(honest(0))
    trace[0]["roles"]["v9"], trace[0]["states"]["v9"] = "subscriber", trace[0]["states"]["v1"]
    (tmp_path / "lines").mkdir()
    (tmp_path / "lines" / "a.jsonl").write_bytes(toy.written(*trace))
    summary = replayed(corpus_of(tmp_path / "lines", tmp_path / "packs"), tmp_path / "verdicts")
    assert "v9 had no timeout in any trace" in summary.coverage.missing
    assert "v1 had no timeout in any trace" not in summary.coverage.missing


def test_a_trace_that_is_in_two_packs_is_not_counted_twice(own, tmp_path):
    """A copy, compressed in another way: not a byte of it is the same."""
    copied = own / "000009.pack"
    copied.mkdir()
    for path in (own / "000000.pack").iterdir():
        if path.suffix == ".parquet":
            pyarrow.parquet.write_table(pyarrow.parquet.read_table(path), copied / path.name, compression="none")
        else:
            (copied / path.name).write_bytes(path.read_bytes())
    packs = json.loads((own / "manifest.json").read_text())["packs"]
    put(own / "manifest.json", "packs", to=[*packs, {**packs[0], "name": copied.name}])
    recount(own)
    said = sentence(replayed, own, tmp_path / "verdicts")
    assert said == f"{copied}: the trace 'trace-00' is in {own / '000000.pack'}, too."
