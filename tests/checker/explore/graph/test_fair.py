"""Where a fair run can stay for ever: held against the definition on every small graph, and four classic traps.

Each trap names the wrong rule that other checkers have followed, and shows that it would say the opposite.
"""

from itertools import product

import pytest
from hypothesis import given

from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.fair import fair_components, owed_classes
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.checker.judge.verdict import Holds, Violated
from tests.checker.explore.graph.graphs import finding, graph_model, graph_models, where_one_can_stay
from tests.checker.explore.wrong import larger_components, marks_say_it_holds, owed_by_states

EVERY = list(product(Fairness, Coins))


@pytest.mark.parametrize(("fairness", "coins"), EVERY)
@given(model=graph_models())
def test_fair_components_are_where_the_definition_lets_a_fair_run_stay(fairness, coins, model):
    graph = explore(model)
    region = graph.region_without(model.promises[0])
    component_states = [set(component.states) for component in fair_components(graph, region, fairness, coins)]
    assert set().union(*component_states) == where_one_can_stay(graph, region, fairness, coins)
    assert sum(map(len, component_states)) == len(set().union(*component_states))


def judged(model, fairness=Fairness.WEAK, coins=Coins.ADVERSARY):
    return finding(model, "every ", fairness=fairness, coins=coins)


CYCLE = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 0)])])
JOIN = graph_model([(0, [("a", 1), ("b", 2)]), (1, [("a", 3)]), (2, [("a", 3)])], goals=(1,))
STOP = graph_model([(0, [("a", 1)])])
STUTTER = graph_model([(0, [("a", 1)]), (1, [("a", 1)])])
TURN = graph_model([(0, [("a", 0), ("b", 1)])], goals=(1,))
LEAVING = graph_model([(0, [("a", 1), ("b", 2)]), (1, [("a", 0), ("b", 2)])], goals=(2,))


def test_an_edge_that_closes_a_cycle_is_a_run_that_goes_on_for_ever():
    judgement = judged(CYCLE)
    assert isinstance(judgement.verdict, Violated)
    assert (judgement.run.states, judgement.run.back) == ((0, 1, 2), 0)
    assert marks_say_it_holds(CYCLE, CYCLE.promises[0].holds)


def test_two_paths_that_join_are_two_runs():
    judgement = judged(JOIN)
    assert isinstance(judgement.verdict, Violated)
    assert judgement.run.states[-1] == 3
    assert marks_say_it_holds(JOIN, JOIN.promises[0].holds)


def test_a_run_that_cannot_go_on_has_not_arrived():
    judgement = judged(STOP)
    assert isinstance(judgement.verdict, Violated)
    assert judgement.run.states == (0, 1)
    graph = explore(STOP)
    cycles = list(components(graph, edges_within(graph, frozenset({0, 1}))))
    assert not cycles, "the wrong rule, to look for cycles only, finds none"


def test_a_state_that_leads_to_itself_only_is_a_cycle():
    judgement = judged(STUTTER)
    assert isinstance(judgement.verdict, Violated)
    assert (judgement.run.states, judgement.run.back) == ((0, 1), 1)
    assert not larger_components(explore(STUTTER), {0, 1})


def test_stuttering_takes_no_node_elses_turn():
    assert isinstance(judged(TURN).verdict, Holds)
    unfair = judged(TURN, Fairness.NONE)
    assert isinstance(unfair.verdict, Violated), "the wrong rule: any cycle is a run"
    assert unfair.run.states == (0,)


def test_a_component_is_judged_by_its_edges_not_by_its_states():
    assert isinstance(judged(LEAVING).verdict, Holds)
    graph = explore(LEAVING)
    region = graph.region_without(LEAVING.promises[0])
    (component,) = components(graph, edges_within(graph, region))
    assert owed_by_states(graph, component) == set(), "so that a run in it would be called fair"
    assert owed_classes(graph, component, Fairness.WEAK) == {"b"}


def test_weak_fairness_owes_nothing_to_what_is_not_possible_all_the_time():
    sometimes = graph_model([(0, [("a", 1), ("b", 2)]), (1, [("a", 0)])], goals=(2,))
    assert isinstance(judged(sometimes, Fairness.WEAK).verdict, Violated)
    assert isinstance(judged(sometimes, Fairness.STRONG).verdict, Holds)


def test_strong_fairness_looks_again_at_what_is_left_without_the_states_that_owe():
    inner = graph_model(
        [(0, [("a", 1)]), (1, [("a", 0), ("a", 2)]), (2, [("a", 1), ("b", 3)])],
        goals=(3,),
    )
    graph = explore(inner)
    region = graph.region_without(inner.promises[0])
    (result,) = fair_components(graph, region, Fairness.STRONG, Coins.ADVERSARY)
    assert result.states == {0, 1}


def test_tossed_coins_leave_a_component_that_an_adversary_stays_in():
    coin = graph_model([(0, [("a", 0), ("a", 1)])], goals=(1,), coins=True)
    assert isinstance(judged(coin, coins=Coins.TOSSED).verdict, Holds)
    assert isinstance(judged(coin, coins=Coins.ADVERSARY).verdict, Violated)


def test_a_scheduler_stays_where_one_of_its_picks_lets_it_however_the_coins_fall():
    arrows = [("a", 0), ("a", 1), ("b", 0)]
    stay = graph_model([(0, arrows)], goals=(1,), coins=True)
    judgement = judged(stay, Fairness.NONE, Coins.TOSSED)
    assert isinstance(judgement.verdict, Violated)
    assert [action[0] for action in judgement.run.actions] == ["b"]
    assert isinstance(judged(stay, Fairness.WEAK, Coins.TOSSED).verdict, Holds)


def test_a_turn_that_leads_beyond_the_bound_is_owed_and_not_taken():
    over = graph_model([(0, [("a", 0), ("b", 1)])], beyond=(1,))
    assert isinstance(judged(over, Fairness.WEAK).verdict, Holds)
    assert isinstance(judged(over, Fairness.NONE).verdict, Violated)


def test_a_claim_says_which_runs_it_is_made_of():
    def runs(fairness, coins, tosses):
        model = graph_model([(0, [("a", 0), ("a", 1)])], coins=tosses)
        return judged(model, fairness, coins).of.removesuffix(" reaches a state where it holds (central scheduler)")

    assert runs(Fairness.NONE, Coins.TOSSED, tosses=False) == "every run"
    assert runs(Fairness.WEAK, Coins.TOSSED, tosses=True) == "every weakly fair run, with probability 1"
    assert runs(Fairness.STRONG, Coins.ADVERSARY, tosses=True) == "every strongly fair run, however the coins fall"
