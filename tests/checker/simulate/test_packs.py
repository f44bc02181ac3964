"""Simulating into packs gives the traces that simulating into JSON Lines gives, wherever it is done."""

import pytest

from gomboc.checker.replay.pack.corpus import PackTarget
from gomboc.checker.replay.pack.export import export
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.simulate.on_spark import on_spark
from gomboc.checker.simulate.packs import Pieces, local, simulate_packs, simulate_piece
from gomboc.checker.simulate.plan import Plan, PlannedCommand
from gomboc.checker.simulate.simulate import simulate_plan
from gomboc.impl.api.registry import implementation
from tests.checker.refusing import sentence
from tests.checker.replay.pack.packs import everything_in, quiet

COMMANDS = (
    PlannedCommand(6, "v1", "Unsubscribe"),
    PlannedCommand(9, "v2", "Unsubscribe"),
    PlannedCommand(15, "v1", "Subscribe"),
)
PLANS = {
    "arbitrary starts": Plan("skip_ring", "skip_ring", (1, 2, 3, 5), 24, 1),
    "no time to settle": Plan("skip_ring", "skip_ring", (1, 2, 4), 12, 2, settle=0),
    "already legitimate": Plan("skip_ring", "skip_ring", (1, 2, 4), 6, 2, start="legitimate", settle=0),
    "commands": Plan("skip_ring", "skip_ring", (3, 4), 8, 3, settle=2, commands=COMMANDS),
    "cut short": Plan("skip_ring", "skip_ring", (4,), 6, 4, rounds=2),
    "so many steps": Plan("skip_ring", "skip_ring", (3, 4), 6, 4, steps=40),
    "as printed": Plan("skip_ring", implementation("skip_ring").variants[0].name, (4, 6), 6, 5, rounds=12),
    "with a bound": Plan("skip_ring", "skip_ring", (2,), 2, 5, bound=3, messages=0),
}
PLAN = Plan("skip_ring", "skip_ring", (2, 3), 7, 6, settle=1)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_what_is_exported_is_what_is_recorded(tmp_path, plan):
    """Thus watching in numbers is the same as watching with the judge's eyes: runs end at the same step."""
    manifest, legitimate = simulate_packs(plan, tmp_path / "packs", 5, local(1), quiet)
    recorded = simulate_plan(plan, tmp_path / "traces", 1, quiet)
    export(tmp_path / "packs", (), tmp_path / "exported")
    assert everything_in(tmp_path / "exported") == everything_in(tmp_path / "traces")
    assert manifest.counts.events == sum(record.steps for record in recorded)
    assert legitimate == sum(record.rounds is not None for record in recorded)


def test_one_of_the_plans_ends_before_all_are_legitimate(tmp_path):
    _, legitimate = simulate_packs(PLANS["cut short"], tmp_path / "packs", 9, local(1), quiet)
    assert legitimate < PLANS["cut short"].traces


def test_packs_are_the_same_in_however_many_processes_they_are_made(tmp_path):
    for jobs in (1, 2):
        simulate_packs(PLAN, tmp_path / str(jobs), 2, local(jobs), quiet)
    assert everything_in(tmp_path / "1") == everything_in(tmp_path / "2")
    assert open_corpus(tmp_path / "1").names == ("000000.pack", "000001.pack", "000002.pack", "000003.pack")


@pytest.mark.spark
def test_packs_are_the_same_on_spark(tmp_path, spark):
    simulate_packs(PLAN, tmp_path / "here", 2, local(1), quiet)
    simulate_packs(PLAN, tmp_path / "there", 2, on_spark(spark, quiet), quiet)
    assert everything_in(tmp_path / "here") == everything_in(tmp_path / "there")


@pytest.mark.spark
def test_what_a_worker_of_spark_refuses_is_said(tmp_path, spark):
    plan = Plan("skip_ring", "skip_ring", (2,), 2, 1, commands=(PlannedCommand(1, "v9", "Subscribe"),))
    assert (
        sentence(simulate_packs, plan, tmp_path / "packs", 1, on_spark(spark, quiet), quiet)
        == "A command is for v9, which has no role in the header."
    )
    assert list(tmp_path.iterdir()) == []


def test_packs_that_are_closed_early_hold_the_same_traces(tmp_path, monkeypatch):
    simulate_packs(PLAN, tmp_path / "whole", 4, local(1), quiet)
    monkeypatch.setattr("gomboc.checker.replay.pack.write.MOST_BYTES", 1)
    manifest, _ = simulate_packs(PLAN, tmp_path / "split", 4, local(1), quiet)
    assert len(manifest.packs) == PLAN.traces
    for name in ("whole", "split"):
        export(tmp_path / name, (), tmp_path / f"{name}.traces")
    assert everything_in(tmp_path / "whole.traces") == everything_in(tmp_path / "split.traces")


def test_what_the_watch_remembers_makes_no_difference(tmp_path, monkeypatch):
    simulate_packs(PLANS["commands"], tmp_path / "a", 9, local(1), quiet)
    monkeypatch.setattr("gomboc.checker.simulate.watch.MOST_KNOWN", 0)
    simulate_packs(PLANS["commands"], tmp_path / "b", 9, local(1), quiet)
    assert everything_in(tmp_path / "a") == everything_in(tmp_path / "b")


def test_what_the_implementation_refuses_is_said(tmp_path):
    plan = Plan("skip_ring", "skip_ring", (2,), 1, 1, commands=(PlannedCommand(1, "v9", "Subscribe"),))
    assert (
        sentence(simulate_piece, Pieces(plan, PackTarget(str(tmp_path), "skip_ring", {}), 1), 0)
        == "A command is for v9, which has no role in the header."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_plan_that_makes_no_sense_is_refused(tmp_path):
    assert sentence(simulate_packs, Plan("x", "x", (2,), 1, 1), tmp_path / "packs", 1, local(1), quiet).startswith(
        "There is no protocol 'x'; there are: "
    )


def test_progress_is_told_of_every_piece(tmp_path):
    progress = []
    simulate_packs(PLAN, tmp_path / "packs", 3, local(1), lambda done, total: progress.append((done, total)))
    assert progress == [(1, 3), (2, 3), (3, 3)]
