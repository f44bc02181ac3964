"""Runs with a failure detector, recorded and held against the specification."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.impl.api.recorder import record
from gomboc.impl.runtime.failures import Budget
from tests.golden.chord.starts import OUTSIDE
from tests.golden.chord.starts import start as start_of
from tests.impl.protocols.chord.systems import id_in, numbered, right_ring, simulation, survivors

PARAMETERS = {"bits": 6, "ids": "number"}


@pytest.mark.parametrize("seed", range(3))
def test_a_run_in_which_a_detector_speaks_holds(seed, tmp_path):
    random = Random(seed)
    *names, joiner = [f"n{number}" for number in random.sample(range(64), 10)]
    left = survivors(id_in(names, 6), 6, 3, 3, random)
    commands = [(1 + random.random(), name, {"kind": "Crash"}) for name in names if name not in left]
    commands.append((4, joiner, {"kind": "Join", "contact": next(iter(left))}))
    commands += [(9 * random.random(), name, {"kind": "Watch", "key": "2a"}) for name in left]
    commands += [(9 * random.random(), name, {"kind": "Lookup", "key": f"{random.randrange(64):02x}"}) for name in left]
    states = {**right_ring(names), joiner: OUTSIDE}
    running = simulation(states, numbered(**PARAMETERS), seed, commands, Budget(detection=0.5))
    steps = list(islice(running.steps(), 1_500))
    assert "Suspect" in {type(step.took).__name__ for step in steps}
    path = tmp_path / "trace.jsonl"
    record(path, {**start_of(PARAMETERS, states), "origin": {"seed": seed}}, steps)
    judgement = judge_file(path)
    for verdict in (judgement.conformance, judgement.closure, judgement.convergence):
        assert isinstance(verdict, Holds), verdict


@pytest.mark.parametrize("stuck", ["winds_twice", "two_rings"])
def test_without_peers_a_run_from_a_ring_that_cannot_be_mended_is_called_divergent(stuck, tmp_path):
    start = Path(__file__).parents[4] / "traces" / "chord" / f"{stuck}.bad.jsonl"
    made = simulate_trace(Plan("chord", "chord", (1,), 1, seed=0, start=str(start), bound=20, rounds=22), tmp_path, 0)
    late = judge_file(Path(made.path)).convergence
    assert isinstance(late, Violated)
    assert late.rule == "convergence"
