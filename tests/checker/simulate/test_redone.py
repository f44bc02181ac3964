"""A trace that is run anew is the trace that the implementation recorded; a changed one is its run after the change."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.shrink.case import judged, read_case
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.redone import redo_of
from gomboc.checker.simulate.simulate import simulate_trace


def recorded(folder, protocol, seed=3, disturb=False):
    plan = Plan(protocol, protocol, (3,), 1, seed, "arbitrary", None, None if disturb else 4, 0, None, disturb=disturb)
    return read_case(Path(simulate_trace(plan, folder, 0).path))


@pytest.mark.parametrize("protocol", ["skip_ring", "skip_plus"])
@pytest.mark.parametrize("seed", range(3))
def test_what_was_recorded_comes_out_again(tmp_path, protocol, seed):
    case = recorded(tmp_path, protocol, seed)
    assert len(case.steps) > 10
    assert redo_of(case.header)(case) == case


@pytest.mark.parametrize("protocol", ["skip_ring", "chord", "delta_fault_tolerance"])
def test_commands_are_given_again(tmp_path, protocol):
    case = recorded(tmp_path, protocol, disturb=True)
    assert any(isinstance(step["took"], dict) for step in case.steps)
    assert redo_of(case.header)(case) == case


def test_without_its_first_steps_it_goes_on_as_the_implementation_would(tmp_path):
    case = recorded(tmp_path, "skip_ring")
    shorter = redo_of(case.header)(replace(case, steps=case.steps[5:]))
    assert 0 < len(shorter.steps) < len(case.steps)
    assert shorter != replace(case, steps=case.steps[5:])
    assert not judged(shorter, DEFAULT).violations()


def test_a_state_that_the_implementation_refuses_is_not_run(tmp_path):
    case = recorded(tmp_path, "skip_ring")
    node = case.steps[0]["node"]
    broken = replace(case, header={**case.header, "states": {**case.header["states"], node: 7}})
    assert redo_of(case.header)(broken) is None


def test_a_header_that_names_no_implementation_that_is_here_is_not_run(tmp_path):
    case = recorded(tmp_path, "skip_ring")
    for producer in ("gomboc specification of skip_ring", "gomboc paxos", "a stranger's", ""):
        assert redo_of({**case.header, "origin": {"implementation": producer}}) is None
    with pytest.raises(UsageError, match="There is no implementation 'paxos'"):
        redo_of(case.header, "paxos")
