"""Every node does what its scenario tells, and nothing else: all outputs and all variables, step by step."""

import pytest

from tests.impl.refusing import refusing
from tests.impl.scenarios import core_of, event_of, made, state_of, told
from tests.scenarios.scenario import NOW, NodeRun, Scenario, scenarios

SCENARIOS = list(scenarios())


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario.file}: {scenario.claim}")
def test_a_node_does_what_its_scenario_says(scenario: Scenario) -> None:
    assert scenario.runs
    for run in scenario.runs:
        follow(run)


def follow(run: NodeRun) -> None:
    tested, core, state = made(run), core_of(run), {**run.state}
    assert state_of(core) == state
    for step in run.steps:
        event = event_of(step, tested)
        if step.fails is not None:
            with refusing(step.fails):
                core.handle(NOW, event)
        else:
            outputs = [told(output) for output in core.handle(NOW, event)]
            timers = [output for output in outputs if output[0] == "timer"]
            assert timers == ([("timer", NOW + 1)] if step.event[0] == "times out" else [])
            assert [output for output in outputs if output[0] != "timer"] == step.outputs
        state = {key: value for key, value in {**state, **step.has}.items() if key not in step.has_no}
        assert state_of(core) == state


def test_no_two_scenarios_have_one_claim() -> None:
    claims = [(scenario.file, scenario.claim) for scenario in SCENARIOS]
    assert len(set(claims)) == len(claims) > 100
