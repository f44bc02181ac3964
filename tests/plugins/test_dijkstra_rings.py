"""Dijkstra's K-state ring, explored: converges if and only if it should, in as many moves as it should."""

import pytest

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.graph.lasso import is_fair, replays
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler, scheduled
from gomboc.checker.explore.results.finding import Extent
from gomboc.checker.explore.shared import examine as shared
from gomboc.checker.explore.verdicts import BOUNDED
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.shared_memory import model_of
from tests.plugins.dijkstra_rings import four_state_ring, three_state_ring, token_ring, token_ring_in_memory
from tests.plugins.promises import convergence, explored, finding_on, findings

RINGS = [(machines, values) for machines in (3, 4, 5) for values in range(2, machines + 1)]


def converges(machines, values, scheduler):
    """Whether every run does; one privilege stays one, and some machine has one, in any case."""
    question = Question(scheduler=scheduler, fairness=Fairness.NONE)
    exploration, _, must = explored(token_ring(machines, values), question)
    for promise in ("closure", "privilege_is_held"):
        assert isinstance(finding_on(exploration, promise).verdict, Holds)
    return isinstance(must.verdict, Holds)


@pytest.mark.parametrize(("machines", "values"), RINGS)
def test_under_a_central_daemon_it_converges_if_there_are_values_for_all_machines_but_one(machines, values):
    assert converges(machines, values, Scheduler.CENTRAL) == (values >= machines - 1)


@pytest.mark.parametrize(
    ("machines", "values"), [pytest.param(*ring, marks=[pytest.mark.dear] * (ring == (5, 5))) for ring in RINGS]
)
def test_under_a_distributed_daemon_it_converges_if_there_are_values_for_all_machines(machines, values):
    assert converges(machines, values, Scheduler.DISTRIBUTED) == (values >= machines)


@pytest.mark.parametrize(("machines", "values", "states", "moves"), [(4, 3, 81, 13), (5, 4, 1024, 24)])
def test_the_worst_case_is_found_on_the_graph(machines, values, states, moves):
    model = token_ring(machines, values)
    exploration = examine(model)
    worst = findings(exploration)[-1]
    assert exploration.extent.states == exploration.extent.starts == states
    assert (worst.of, worst.worst) == (f"{BOUNDED} (central scheduler)", moves)


@pytest.mark.parametrize(("machines", "values"), [(4, 2), (5, 2), (5, 3)])
def test_with_too_few_values_it_can_always_converge_and_need_not(machines, values):
    model = token_ring(machines, values)
    exploration, can, must = explored(model, Question(fairness=Fairness.WEAK))
    assert isinstance(can.verdict, Holds)
    assert isinstance(must.verdict, Violated)
    assert exploration.exit_code() == 1
    assert replays(model, must.run)
    assert is_fair(model, must.run, Fairness.WEAK)
    assert not any(map(convergence(model).holds, must.run.states))
    assert len(findings(exploration)) == 2, "there is no worst case"


@pytest.mark.parametrize(("machines", "values"), [(4, 3), (5, 4)])
def test_a_lasso_of_a_distributed_daemon_replays_under_that_daemon(machines, values):
    model = scheduled(token_ring(machines, values), Scheduler.DISTRIBUTED)
    _, _, must = explored(model, Question(fairness=Fairness.NONE))
    assert replays(model, must.run)
    assert any(len(action.actions) > 1 for action in must.run.actions), "one at a time it would converge"


def test_closure_and_the_privilege_hold_if_all_machines_move_at_once():
    converges(4, 3, Scheduler.SYNCHRONOUS)


@pytest.mark.parametrize(
    ("machines", "transitions", "legitimate", "moves"),
    [(6, 202_176, 156, 38), pytest.param(7, 4_353_013, 259, 55, marks=pytest.mark.dear)],
)
def test_with_values_for_all_machines_they_converge_in_that_many_moves_at_most(
    machines, transitions, legitimate, moves
):
    exploration = shared.examine(token_ring_in_memory(machines, machines), Question(fairness=Fairness.NONE))
    states = machines**machines
    assert (exploration.extent, exploration.legitimate) == (Extent(states, states, transitions, states), legitimate)
    assert {type(finding.verdict) for finding in exploration.findings} == {Holds}
    assert finding_on(exploration, "convergence", "the number of steps").worst == moves


STATES_AND_MOVES = {
    **{three_state_ring(n): (3**n, moves) for n, moves in ((3, 1), (4, 10), (5, 22), (6, 39))},
    **{four_state_ring(n): (4 ** (n - 1), (n - 2) * (n - 1)) for n in (3, 4, 5, 6)},
}
"""The numbers of states, and of moves until it converges, of the rings of three and of four states."""


@pytest.mark.parametrize("ring", STATES_AND_MOVES, ids=lambda ring: f"{ring.name}_{len(ring.machines)}")
def test_a_ring_of_three_or_four_states_converges_in_that_many_moves_at_most(ring):
    exploration = examine(model_of(ring), Question(fairness=Fairness.NONE))
    worst = finding_on(exploration, "convergence", "the number of steps")
    assert (exploration.extent.states, worst.worst) == STATES_AND_MOVES[ring]
    for promise, claim in (("convergence", "from every state"), ("convergence", "every run"), ("closure", "")):
        assert isinstance(finding_on(exploration, promise, claim).verdict, Holds), (promise, claim)
