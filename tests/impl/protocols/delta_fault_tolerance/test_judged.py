"""Runs of the implementation with crashes, recorded and checked against the specification."""

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds
from gomboc.impl.api.recorder import record
from tests.impl.protocols.delta_fault_tolerance import systems


@pytest.mark.parametrize("delta", [0, 1, 2, 3])
def test_a_run_that_keeps_the_assumption_holds(delta, tmp_path, monkeypatch):
    monkeypatch.setattr(systems.System, "keep", True, raising=False)
    system, faults = systems.random_run(delta, 6, delta, events=25)
    assert faults == []
    path = tmp_path / "trace.jsonl"
    record(path, systems.header(system.names, delta), system.steps)
    assert_holds(path)


@pytest.mark.parametrize(("delta", "audit"), [(0, True), (1, False), (2, True)])
def test_a_run_in_which_leaves_join_holds(delta, audit, tmp_path, monkeypatch):
    monkeypatch.setattr(systems.System, "keep", True, raising=False)
    system, _ = systems.random_run(5, 6, delta, events=15, joining=2, audit=audit)
    path = tmp_path / "trace.jsonl"
    record(path, systems.header(system.names, delta, system.joined, audit=audit), system.steps)
    assert_holds(path)


def assert_holds(path):
    judgement = judge_file(path)
    for verdict in (judgement.conformance, judgement.convergence):
        assert isinstance(verdict, Holds), verdict
