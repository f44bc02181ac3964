"""Each property of a graph, held against networkx and the definition, with shortest counterexamples."""

import networkx
import pytest
from hypothesis import given
from msgspec.structs import replace

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.lasso import replays
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.checker.explore.verdicts import ALWAYS, BOUNDED, POSSIBLE, SOMETIMES, STABLE
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.model import Kind
from tests.checker.explore.graph.graphs import drawn, finding, graph_model, graph_models

KINDS = tuple(Kind)
PATH = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(0,), kinds=KINDS)
EVERY = "every "


def cut(most):
    return {"bounds": Bounds(most_states=most)}


def distances(graph):
    """The number of steps from the nearest initial state to each state."""
    if not graph.starts:
        return {}
    return networkx.multi_source_dijkstra_path_length(drawn(graph), set(range(graph.starts)), weight=None)


def assert_shortest(result, model, steps):
    """The property is violated if there is such a number of steps; a run shows it with the least of them."""
    assert isinstance(result.verdict, Violated) == bool(steps)
    assert not steps or (len(result.run.actions) == min(steps) and replays(model, result.run))


@given(graph_models(kinds=KINDS))
def test_always_is_violated_where_it_is_false_first(model):
    graph = explore(model)
    steps = [far for state, far in distances(graph).items() if not model.promises[0].holds(graph.states[state])]
    assert_shortest(finding(model, ALWAYS), model, steps)


@given(graph_models(kinds=KINDS))
def test_stable_is_violated_by_a_step_that_ends_it(model):
    graph, holds = explore(model), model.promises[0].holds
    far = distances(graph)
    pairs = ((state, graph.states[state], graph.states[target]) for state, target in drawn(graph).edges)
    assert_shortest(finding(model, STABLE), model, [far[at] + 1 for at, one, two in pairs if holds(one) > holds(two)])


@given(graph_models(kinds=KINDS, bounded=False))
def test_sometimes_is_violated_if_it_is_never_true(model):
    result = finding(model, SOMETIMES)
    assert isinstance(result.verdict, Holds) == any(map(model.promises[0].holds, explore(model).states))


def test_what_is_never_true_within_the_bound_may_be_true_beyond_it():
    model = graph_model([(0, [("a", 1)])], goals=(1,), kinds=KINDS, beyond=(1,))
    why = "1 state leads beyond the bound, the nearest by a run of 1 step; 1 state and 1 transition"
    assert finding(model, SOMETIMES).verdict == Unknown(why)


def test_a_model_without_initial_states_promises_nothing():
    model = graph_model([], starts=(), kinds=KINDS)
    assert finding(model, SOMETIMES).verdict == Unknown("there is no initial state")


def test_a_violation_is_one_however_little_was_explored():
    says = "it is false after 1 step"
    assert finding(PATH, ALWAYS, **cut(1)).verdict == Violated(1, "always", says, source="nowhere")
    says = "it held, and step 1 ends it"
    assert finding(PATH, STABLE, **cut(1)).verdict == Violated(1, "stable", says, source="nowhere")


def test_what_was_explored_in_part_holds_in_part_and_is_unknown():
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(0, 1, 2, 3), kinds=KINDS)
    why = Unknown("the bound of 1 state was reached: 1 of 2 states found were explored, 1 transition")
    assert finding(model, ALWAYS, **cut(1)).verdict == finding(model, STABLE, **cut(1)).verdict == why
    assert finding(model, SOMETIMES, **cut(1)).verdict == Holds("it holds in 2 states")


# AG EF.


def hopeless(graph, holds):
    """The states from which neither a goal nor a state beyond the bounds can be reached."""
    network = drawn(graph)
    open_ = {state for state, targets in enumerate(graph.targets) if -1 in targets}
    goals = {state for state in network if holds(graph.states[state])} | open_
    return [state for state in network if not goals & ({state} | networkx.descendants(network, state))]


@given(graph_models())
def test_it_is_violated_if_and_only_if_there_is_no_way_from_some_state(model):
    graph = explore(model)
    far = distances(graph)
    steps = [far[state] for state in hopeless(graph, model.promises[0].holds)]
    assert_shortest(finding(model, POSSIBLE), model, steps)


def test_one_can_always_still_get_out_of_a_cycle_that_one_need_not_leave():
    model = graph_model([(0, [("a", 1), ("b", 2)]), (1, [("a", 0)])], goals=(2,))
    assert finding(model, POSSIBLE).verdict == Holds("3 states and 3 transitions")


def test_what_is_reached_only_beyond_the_bound_is_unknown():
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(2,), beyond=(2,))
    why = "2 states reach it only beyond the bound, if at all; 1 state leads beyond the bound, the nearest by a run of"
    assert finding(model, POSSIBLE).verdict == Unknown(f"{why} 2 steps; 2 states and 2 transitions")


@pytest.mark.parametrize("most", [1, 2])
def test_what_was_not_explored_may_lead_there(most):
    model = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(3,))
    reached, taken = counted(most, "state"), counted(most, "transition")
    why = f"the bound of {reached} was reached: {most} of {most + 1} states found were explored, {taken}"
    assert finding(model, POSSIBLE, **cut(most)).verdict == Unknown(why)


# Fair runs, and the worst case.


def worst(model, **question):
    result = finding(model, BOUNDED, **question)
    return None if result is None else result.worst


@given(graph_models(bounded=False))
def test_the_worst_case_is_a_longest_way_out_of_the_region(model):
    graph = explore(model)
    region = graph.region_without(model.promises[0])
    inner = drawn(graph).subgraph(region)
    stuck = any(not graph.actions[state] for state in region)
    if stuck or not networkx.is_directed_acyclic_graph(inner):
        assert worst(model) is None
    else:
        assert worst(model) == (networkx.dag_longest_path_length(inner) + 1 if region else 0)


@given(graph_models(bounded=False))
def test_there_is_a_worst_case_if_and_only_if_every_run_gets_there(model):
    must = finding(model, EVERY, fairness=Fairness.NONE, coins=Coins.ADVERSARY)
    assert isinstance(must.verdict, Holds) == (worst(model) is not None)


def test_there_is_no_worst_case_of_a_cycle_a_run_that_stops_or_a_graph_explored_in_part():
    assert worst(graph_model([(0, [("a", 0)])])) is None
    assert worst(graph_model([(0, [])])) is None
    assert worst(graph_model([(0, [("a", 1)])], beyond=(1,))) is None
    path = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(2,))
    assert worst(path, **cut(1)) is None
    assert finding(path, BOUNDED).verdict == Holds("at most 2 steps; 3 states and 2 transitions")


def test_a_longest_way_is_no_shortest_one():
    assert worst(graph_model([(0, [("a", 2), ("b", 1)]), (1, [("a", 2)]), (2, [("a", 3)])], goals=(3,))) == 3


def test_a_violation_says_how_the_run_goes_on():
    around = graph_model([(0, [("a", 1)]), (1, [("a", 2)]), (2, [("a", 1)])])
    assert finding(around, EVERY).verdict.says == "after 1 step a cycle of 2 can go on for ever"
    stop = graph_model([(0, [("a", 1)])])
    assert finding(stop, EVERY).verdict.says == "nothing is possible any more after 1 step"


def test_the_nearest_lasso_is_shown():
    model = graph_model([(0, [("a", 1), ("b", 3)]), (1, [("a", 2)]), (2, [("a", 2)]), (3, [("a", 3)])])
    assert finding(model, EVERY).run.states == (0, 3)


def test_what_was_explored_in_part_is_unknown_and_a_lasso_in_it_is_violated_all_the_same():
    path = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(2,))
    assert isinstance(finding(path, EVERY, **cut(1)).verdict, Unknown)
    loop = graph_model([(0, [("a", 0), ("a", 1)]), (1, [("a", 2)])], goals=(2,))
    assert isinstance(finding(loop, EVERY, fairness=Fairness.NONE, **cut(1)).verdict, Violated)


# Commands from outside: they may end a promise, and runs neither wait for them unless owed, nor rely on them.


def commanded(arrows, goals):
    """A graph in which the classes `crash` and `suspect` are commands from outside; only the latter is owed."""
    return replace(
        graph_model(arrows, goals, kinds=(Kind.STABLE, Kind.EVENTUALLY)),
        fair=lambda action: () if action[0] == "crash" else (action[0],),
        disturbs=lambda action: action[0] in ("crash", "suspect"),
    )


@pytest.mark.parametrize(("name", "kind"), [("crash", Holds), ("a", Violated)])
def test_a_command_may_end_what_held_and_a_step_may_not(name, kind):
    model = commanded([(0, [(name, 1)]), (1, [("a", 0)])], goals=(0,))
    assert isinstance(finding(model, STABLE).verdict, kind)


def test_where_a_command_and_a_step_lead_alike_the_step_is_the_counterexample():
    both = commanded([(0, [("crash", 1), ("a", 1)]), (1, [("a", 0)])], goals=(0,))
    assert [action[0] for action in finding(both, STABLE).run.actions] == ["a"]


def test_a_run_may_stop_where_only_a_command_is_possible_that_no_node_is_owed():
    stops = finding(commanded([(0, [("crash", 1)])], (1,)), EVERY)
    assert stops.verdict.says == "nothing is possible any more after 0 steps"
    assert isinstance(finding(commanded([(0, [("suspect", 1)])], (1,)), EVERY).verdict, Holds)


@pytest.mark.parametrize(("name", "kind"), [("crash", Holds), ("d", Violated)])
def test_commands_for_ever_are_no_way_to_avoid_convergence_and_steps_are(name, kind):
    result = commanded([(0, [(name, 1), ("c", 2)]), (1, [("b", 0), ("a", 2)])], (2,))
    assert isinstance(finding(result, EVERY).verdict, kind)


def test_a_command_that_is_owed_and_offered_for_ever_comes_for_ever():
    endless = finding(commanded([(0, [("suspect", 1)]), (1, [("suspect", 0), ("a", 1)])], ()), EVERY)
    assert endless.verdict.says == "after 0 steps a cycle of 2 can go on for ever"
    assert isinstance(finding(commanded([(0, [("suspect", 1)])], (1,)), EVERY).verdict, Holds)


@pytest.mark.parametrize(("name", "kind"), [("crash", Violated), ("suspect", Holds)])
def test_no_node_relies_on_a_command_that_need_not_come(name, kind):
    assert isinstance(finding(commanded([(0, [(name, 1)])], (1,)), POSSIBLE).verdict, kind)
