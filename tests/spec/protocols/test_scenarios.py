"""Every node of the specification may do what its scenario tells, and nothing else with that coin."""

import msgspec
import pytest

from gomboc.spec.core.model import CERTAIN
from tests.scenarios.scenario import Scenario, scenarios
from tests.spec.scenarios import coin_of, input_of, outcomes, outputs_of, protocol_of, told_of

OF_HOSTS = {
    "chord core: a contact with ones own id is refused",
    "chord core: a place from ones own id changes nothing",
    "skip_plus core: a contact that cannot be one is refused",
    "skip_plus core: a message with strings of another length is refused",
    "skip_ring crashing: a subscriber takes no command of the supervisor",
    "skip_ring supervisor: the supervisor takes no command of a subscriber",
}
"""Scenarios of what only an implementation has to bear: in a system of the specification no node has such a name or
sends such a message, and no role is given the command of another."""

SHARED = [scenario for scenario in scenarios() if f"{scenario.file}: {scenario.claim}" not in OF_HOSTS]


@pytest.mark.parametrize("scenario", SHARED, ids=lambda scenario: f"{scenario.file}: {scenario.claim}")
def test_a_node_may_do_what_its_scenario_says(scenario: Scenario) -> None:
    assert scenario.runs
    for run in scenario.runs:
        protocol, state = protocol_of(run), {**run.state}
        for step in run.steps:
            local = msgspec.convert(state, protocol.vocabulary.roles[run.role])
            state = {key: value for key, value in {**state, **step.has}.items() if key not in step.has_no}
            after = msgspec.convert(state, protocol.vocabulary.roles[run.role])
            coin = coin_of(step)
            fallen = {
                name: (outcome.local, outputs_of(outcome))
                for name, outcome in outcomes(protocol, run, local, input_of(step, protocol))
                if coin is None or name in (coin, CERTAIN[0].name)
            }
            assert (after, told_of(step)) in fallen.values()
            assert coin is not None or CERTAIN[0].name in fallen or len(fallen) > 1


def test_most_scenarios_are_shared() -> None:
    assert len(SHARED) > 200
    assert {f"{scenario.file}: {scenario.claim}" for scenario in scenarios()} >= OF_HOSTS
