"""Expected steps, exactly; and where there is no such number."""

from fractions import Fraction

from hypothesis import given

from gomboc.checker.explore.graph import expectation as module
from gomboc.checker.explore.graph import judge
from gomboc.checker.explore.graph.expectation import expected_steps
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import BoundReachedError, Bounds
from gomboc.checker.explore.verdicts import EXPECTED
from gomboc.checker.judge.verdict import Holds, Unknown
from tests.checker.explore.graph.graphs import finding, graph_model, graph_models

COIN = graph_model([(0, [("a", 0), ("a", 1)]), (1, [("a", 0), ("a", 1), ("a", 2)])], goals=(2,), coins=True)


def solved(model, bounds=None):
    return expected_steps(explore(model, bounds), model.promises[0])


def test_equations_are_solved_over_the_fractions():
    assert solved(COIN) == {0: Fraction(7), 1: Fraction(5), 2: Fraction(0)}


def test_a_promise_that_can_be_missed_for_ever_has_no_expectation():
    trap = graph_model([(0, [("a", 1), ("a", 2)]), (2, [("a", 2)])], goals=(1,), coins=True)
    assert solved(trap) == Unknown("the expected number of steps is infinite")


def test_where_a_scheduler_decides_chance_does_not():
    either = graph_model([(0, [("a", 0), ("a", 1), ("b", 1)])], goals=(1,), coins=True)
    assert solved(either) == Unknown("2 picks are possible in state 0, so a scheduler decides, not chance")
    stuck = graph_model([(0, [("a", 0), ("a", 1)])], goals=(), coins=True)
    assert solved(stuck) == Unknown("0 picks are possible in state 1, so a scheduler decides, not chance")


def test_what_was_explored_in_part_has_no_expectation():
    assert solved(COIN, Bounds(most_states=1)) == Unknown(
        "the bound of 1 state was reached: 1 of 2 states found were explored, 2 transitions"
    )
    over = graph_model([(0, [("a", 0), ("a", 1)])], goals=(1,), beyond=(1,), coins=True)
    assert solved(over) == Unknown("1 state leads beyond the bound")


def test_more_equations_than_are_solved_leave_the_expectation_unknown(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 1)
    result = finding(COIN, EXPECTED)
    assert result.verdict == Unknown(f"2 equations hang together, and at most 1 are solved: {EXPECTED}")


def test_without_the_package_for_it_an_expectation_is_unknown(monkeypatch):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    result = finding(COIN, EXPECTED)
    assert result.verdict == Unknown("An expectation needs the package python-flint: pip install 'gomboc[explore]'.")


def test_a_bound_that_is_reached_among_the_equations_leaves_it_unknown(monkeypatch):
    def insist():
        raise BoundReachedError("the bound of 7 seconds was reached")

    monkeypatch.setattr(judge, "expected_steps", lambda graph, promise, _: expected_steps(graph, promise, insist))
    result = finding(COIN, EXPECTED)
    says = "the bound of 7 seconds was reached while it was computed: 3 states and 5 transitions"
    assert result.verdict == Unknown(says)


@given(graph_models(bounded=False))
def test_the_equations_hold_of_what_is_found(model):
    graph = explore(model)
    expected = expected_steps(graph, model.promises[0])
    if isinstance(expected, Unknown):
        return
    for state, steps in expected.items():
        pairs = zip(graph.actions[state], graph.targets[state], strict=True)
        ahead = sum(model.chance(action) * expected[to] for action, to in pairs)
        assert steps == (0 if graph.holding["eventually"][state] else 1 + ahead)


def test_it_is_a_finding_where_coins_are_tossed_and_only_there():
    result = finding(COIN, EXPECTED)
    assert result.verdict == Holds("at most 7 steps; 3 states and 5 transitions")
    certain = graph_model([(0, [("a", 1)])], goals=(1,))
    assert finding(certain, EXPECTED) is None
