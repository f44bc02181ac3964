"""The four classic traps of liveness checkers, put as protocols, and judged by both engines.

Each trap has a wrong rule that other checkers have followed, and that would say the opposite.
"""

import pytest

from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.fair import enabled_classes
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.model import Kind
from tests.checker.explore.alike import explored_alike
from tests.checker.explore.table.protocols import instance_of, tabled


def first_paths(model):
    """For each state the path on which a search reaches it first, as a checker knows that marks paths."""
    paths = {start: [start] for start in model.initial()}
    queue = list(paths)
    for state in queue:
        for action in model.enabled(state):
            after = model.step(state, action)
            if after not in paths:
                paths[after] = [*paths[state], after]
                queue.append(after)
    return paths


def marks_say_it_holds(model, holds):
    """The rule that a run ends where nothing is possible, and was satisfied if its first path was."""
    ends = [path for state, path in first_paths(model).items() if not model.enabled(state)]
    return all(any(map(holds, path)) for path in ends)


def larger_components(graph, region):
    """The rule that a cycle is a component of two states or more."""
    return [one for one in components(graph, edges_within(graph, frozenset(region))) if len(one.states) > 1]


def owed_by_states(graph, component):
    """The rule that a class has had its turn in a component if it is enabled in one of its states."""
    enabled = [enabled_classes(graph, state) for state in component.states]
    return set.intersection(*enabled) - set.union(*enabled)


AGAIN = (("a", 10),)
"""The message that is sent again by its delivery."""


def trap(reactions, right, messages=()):
    """Node a runs through its states from 0 on, with those messages in flight at first; the states given are right."""
    wrong = {(state, "a", state) for state in range(4) if state not in right}
    protocol = tabled({("a", *when): ((after, sends),) for when, after, sends in reactions}, wrong)

    def begins(start):
        return len(start.in_flight) == len(messages)

    return instance_of(protocol, messages=[("a", sent) for sent in messages], in_flight=len(messages), admits=begins)


def judged(instance, fairness=Fairness.WEAK, coins=Coins.TOSSED):
    """The finding that a right state is inevitable, or not."""
    exploration = explored_alike(instance, Question(fairness=fairness, coins=coins))
    return next(one for one in exploration.findings if "reaches a state where it holds" in one.of)


def states_of(run):
    """The states of node a along a run."""
    return [world.states()["a"] for world in run.states]


def goal(instance):
    """The plain model of an instance, and its expected result."""
    model = bounded_model(instance)
    return model, next(promise for promise in model.promises if promise.kind is Kind.EVENTUALLY)


CYCLE = trap([((0, None), 1, ()), ((1, None), 2, ()), ((2, None), 0, ())], right=())
JOIN = trap([((0, 10), 1, ()), ((0, 11), 2, ()), ((1, 11), 3, ()), ((2, 10), 3, ())], right=(1,), messages=(10, 11))
STOP = trap([((0, None), 1, ())], right=())
STUTTER = trap([((0, 10), 0, AGAIN)], right=(), messages=(10,))
TURN = trap([((0, 10), 0, AGAIN), ((0, None), 1, ())], right=(1,), messages=(10,))
LEAVING = trap(
    [((0, 10), 1, AGAIN), ((1, 10), 0, AGAIN), ((0, None), 2, ()), ((1, None), 2, ())], right=(2,), messages=(10,)
)


def test_an_edge_that_closes_a_cycle_is_a_run_that_goes_on_for_ever():
    judgement = judged(CYCLE)
    assert isinstance(judgement.verdict, Violated)
    assert (states_of(judgement.run), judgement.run.back) == ([0, 1, 2], 0)
    model, promise = goal(CYCLE)
    assert marks_say_it_holds(model, promise.holds)


def test_two_paths_that_join_are_two_runs():
    judgement = judged(JOIN)
    assert isinstance(judgement.verdict, Violated)
    assert states_of(judgement.run)[-1] == 3
    model, promise = goal(JOIN)
    assert marks_say_it_holds(model, promise.holds)


def test_a_run_that_cannot_go_on_has_not_arrived():
    judgement = judged(STOP)
    assert isinstance(judgement.verdict, Violated)
    assert (states_of(judgement.run), judgement.run.back) == ([0, 1], None)
    graph = explore(bounded_model(STOP))
    assert not list(components(graph, edges_within(graph, frozenset({0, 1})))), "no cycle is to be found"


def test_a_state_that_leads_to_itself_only_is_a_cycle():
    judgement = judged(STUTTER)
    assert isinstance(judgement.verdict, Violated)
    assert (states_of(judgement.run), judgement.run.back) == ([0], 0)
    graph = explore(bounded_model(STUTTER))
    assert not larger_components(graph, range(len(graph.states)))


def test_stuttering_takes_no_node_elses_turn():
    assert isinstance(judged(TURN).verdict, Holds)
    assert isinstance(judged(TURN, Fairness.NONE).verdict, Violated), "the wrong rule: any cycle is a run"


def test_a_timeout_that_changes_nothing_is_no_step_and_owed_no_turn():
    idle = trap([((0, 10), 1, ()), ((1, None), 1, ())], right=(1,), messages=(10,))
    assert isinstance(judged(idle, Fairness.NONE).verdict, Holds)


def test_a_component_is_judged_by_its_edges_not_by_its_states():
    assert isinstance(judged(LEAVING).verdict, Holds)
    model, promise = goal(LEAVING)
    graph = explore(model)
    (component,) = components(graph, edges_within(graph, graph.region_without(promise)))
    assert owed_by_states(graph, component) == set(), "so that a run in it would be called fair"
    assert isinstance(judged(LEAVING, Fairness.NONE).verdict, Violated)


@pytest.mark.parametrize(("fairness", "kind"), [(Fairness.WEAK, Violated), (Fairness.STRONG, Holds)])
def test_only_strong_fairness_owes_what_is_possible_again_and_again(fairness, kind):
    sometimes = trap([((0, 10), 1, AGAIN), ((1, 10), 0, AGAIN), ((0, None), 2, ())], right=(2,), messages=(10,))
    assert isinstance(judged(sometimes, fairness).verdict, kind)


def test_a_scheduler_stays_only_where_its_pick_lets_it_however_the_coins_fall():
    coin = {("a", 0, None): ((0, AGAIN), (1, ())), ("a", 0, 10): ((0, AGAIN),)}
    wrong = {(0, "a", 0)}
    instance = instance_of(tabled(coin, wrong))
    tossed = judged(instance, Fairness.NONE)
    assert isinstance(tossed.verdict, Violated)
    cycle = tossed.run.actions[tossed.run.back :]
    assert [action.envelope is None for action in cycle] == [False], "the delivery goes round, and not the coin"
    assert isinstance(judged(instance, Fairness.WEAK).verdict, Holds)
    assert isinstance(judged(instance, Fairness.WEAK, Coins.ADVERSARY).verdict, Violated)


def test_a_coin_is_one_turn_however_many_ways_it_may_fall():
    coin = {("a", 0, 10): ((1, AGAIN),), ("a", 1, 10): ((0, AGAIN),), ("a", 0, None): ((2, ()), (3, ()))}
    wrong = {(0, "a", 0), (1, "a", 1)}
    instance = instance_of(tabled(coin, wrong), messages=[("a", 10)], in_flight=1)
    assert isinstance(judged(instance).verdict, Violated), "it is not possible in state 1, and owed nothing"
    assert isinstance(judged(instance, Fairness.STRONG).verdict, Holds)


def test_chance_leaves_a_component_beyond_the_bound_too():
    coin = {("a", 0, None): ((0, ()), (0, (("b", 10), ("b", 11))))}
    instance = instance_of(tabled(coin, {(0, "a", 0)}), most=1)
    assert isinstance(judged(instance, Fairness.NONE).verdict, Unknown)
    assert isinstance(judged(instance, Fairness.NONE, Coins.ADVERSARY).verdict, Violated)


def test_a_turn_is_that_of_a_message_wherever_it_stands_among_others():
    around = {("a", 0, 10): ((0, (("a", 12),)),), ("a", 0, 12): ((0, AGAIN),), ("b", 0, 11): ((1, ()),)}
    sent = (("a", 10), ("b", 11), ("a", 12))
    instance = instance_of(tabled(around, {(0, "b", 0)}), messages=sent, in_flight=2, admits=begins_with(sent[:2]))
    assert isinstance(judged(instance).verdict, Holds), "what node b shall hear is in flight all the time"
    assert isinstance(judged(instance, Fairness.NONE).verdict, Violated)


def begins_with(messages):
    return lambda start: start.in_flight == messages
