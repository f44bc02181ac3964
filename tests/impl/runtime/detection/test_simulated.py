"""Detectors by heartbeats in simulated runs, under delays and losses: what they find, and what the judge says of it."""

from itertools import islice
from random import Random

import msgspec
import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.checker.simulate.plan import header_of
from gomboc.impl.api.recorder import record
from gomboc.impl.api.registry import implementation
from gomboc.impl.core.vocabulary import Suspect, Trust
from gomboc.impl.runtime.detection.detector import Timing, bound
from gomboc.impl.runtime.detection.simulated import Detection, HeartbeatRules
from gomboc.impl.runtime.disciplines import Discipline
from gomboc.impl.runtime.failures import Budget
from gomboc.impl.runtime.simulator import Conditions, Simulation, TimedCommand
from gomboc.spec.core.registry import find_protocol
from tests.impl.refusing import refusing

TIMING = Timing(patience=3.0, growth=2.0, most=12.0, returns=1, rest=1.0)


def suspicions(loss, mean, down=(), until=400.0, seed=1):
    """How often ann suspects ben by that time, and whether it does in the end; ben is down within these times."""
    random, now = Random(seed), [0.0]
    rules = HeartbeatRules(TIMING, loss)
    detection = Detection(
        rules,
        lambda node: node == "ann" or not any(low <= now[0] < high for low, high in down),
        lambda: random.expovariate(1 / mean),
        random,
    )
    pair, changes, before = ("ann", "ben"), [], False
    detection.watch(0.0, pair)
    for quarter in range(int(until * 4)):
        now[0] = quarter / 4
        for looked in detection.advance(now[0]):
            assert looked == pair
            if detection.suspects(pair) != before:
                before = not before
                changes.append((now[0], before))
    return changes


@pytest.mark.parametrize("seed", range(5))
def test_a_node_that_is_down_is_suspected_within_the_bound_and_trusted_when_it_is_back(seed):
    ((first, was_suspected), (then, is_suspected)) = suspicions(0.0, 0.2, [(50.0, 90.0)], seed=seed)
    assert (was_suspected, is_suspected) == (True, False)
    assert 50 < first <= 52 + bound(TIMING)
    assert 90 < then <= 94


@pytest.mark.parametrize("seed", range(5))
def test_under_losses_and_delays_patience_grows_until_a_live_node_is_suspected_no_more(seed):
    suspected = [at for at, is_suspected in suspicions(0.4, 1.5, until=2_000.0, seed=seed) if is_suspected]
    assert 1 <= len(suspected) <= 6
    assert max(suspected) < 1_500


def test_a_node_that_watches_itself_or_is_watched_twice_changes_nothing():
    detection = Detection(HeartbeatRules(), bool, lambda: 0.1, Random(1))
    detection.watch(0.0, ("ann", "ann"))
    assert [*detection.advance(9.0)] == []
    detection.watch(0.0, ("ann", "ben"))
    detection.watch(5.0, ("ann", "ben"))
    assert len([*detection.advance(9.0)]) in (8, 9, 10)
    assert not detection.suspects(("ben", "ann"))


@pytest.mark.parametrize("loss", [-0.1, 1.0, float("nan")])
def test_a_probability_without_sense_is_refused(loss):
    with refusing(f"The probability that a heartbeat is lost is at least 0 and below 1, not {loss}."):
        HeartbeatRules(loss=loss)


def test_a_budget_has_one_detector():
    with refusing("A detector knows of each failure after a time, or by heartbeats: leave one of both out."):
        Budget(detection=1.0, heartbeats=HeartbeatRules())


NONE = (None, None)


def simulated(name, nodes, steps, crash=NONE, restart=NONE, rules=None, discipline=Discipline.UNORDERED):
    """The header and the steps of a run from a right state, in which the second node crashes and may restart."""
    stated, tested = find_protocol(name), implementation(name)
    header = {**header_of(stated, stated.starts.start(nodes)), "origin": {}}
    second = [node for node, role in sorted(header["roles"].items()) if role == stated.vocabulary.member][1]
    commands = [TimedCommand(at, second, command) for at, command in (crash, restart) if at is not None]
    budget = Budget(heartbeats=HeartbeatRules(TIMING) if rules is None else rules)
    conditions = Conditions(commands=tuple(commands), failures=budget, discipline=discipline)
    return header, second, list(islice(Simulation(header, tested, 3, conditions).steps(), steps))


@pytest.mark.parametrize("name", ["skip_ring", "skip_plus", "chord", "hyparview"])
def test_the_nodes_that_need_it_find_out_a_crash_and_the_run_holds(name, tmp_path):
    discipline = Discipline.ROUNDS if name == "skip_plus" else Discipline.UNORDERED
    header, crashed, steps = simulated(name, 5, 2_500, (10.0, {"kind": "Crash"}), discipline=discipline)
    told = {step.node for step in steps if isinstance(step.took, Suspect)}
    assert {step.took.node for step in steps if isinstance(step.took, Suspect)} == {crashed}
    assert told
    record(tmp_path / "run.jsonl", header, steps)
    judged = judge_file(tmp_path / "run.jsonl")
    assert isinstance(judged.conformance, Holds)
    assert isinstance(judged.convergence, Holds)


def test_the_supervisor_suspects_a_node_that_is_down_and_trusts_it_again():
    crash, restart = (10.0, {"kind": "Crash"}), (40.0, {"kind": "Restart", "keep": False})
    _, crashed, steps = simulated("skip_ring", 4, 2_000, crash, restart)
    told = [step.took for step in steps if step.node == "supervisor" and isinstance(step.took, Suspect | Trust)]
    assert told == [Suspect(crashed), Trust(crashed)]
    assert {step.node for step in steps if isinstance(step.took, Trust)} == {"supervisor"}


@pytest.mark.parametrize("loss", [0.0, 0.6])
def test_a_detector_of_delta_that_errs_breaks_the_assumption_and_the_judge_says_so(loss, tmp_path):
    rules, is_perfect = HeartbeatRules(TIMING, loss), not loss
    crash, restart = (10.0, {"kind": "Crash"}), (30.0, {"kind": "Restart"})
    header, crashed, steps = simulated(
        "delta_fault_tolerance", 4, 2_000, crash, restart, rules, discipline=Discipline.FIFO
    )
    record(tmp_path / "run.jsonl", header, steps)
    judged = judge_file(tmp_path / "run.jsonl")
    assert isinstance(judged.conformance, Holds)
    suspects = {step.took.node for step in steps if step.took.__class__.__name__ == "Suspect"}
    if is_perfect:
        assert suspects == {crashed}
        assert isinstance(judged.convergence, Holds)
    else:
        assert len(suspects) > 1
        assert isinstance(judged.convergence, Unknown)
        assert "detector_is_never_wrong" in judged.convergence.why


def test_what_a_detector_says_is_spelled_alike_in_every_trace():
    for name in ("skip_ring", "skip_plus", "chord", "hyparview", "scribe", "delta_fault_tolerance"):
        tested = implementation(name)
        assert msgspec.to_builtins(tested.failing.suspect("n1")) == {"kind": "Suspect", "node": "n1"}
