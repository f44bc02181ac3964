"""The plain explorer: every state once, by a shortest way; bounds; models that cannot be trusted."""

from collections import Counter

import networkx
import pytest
from hypothesis import given
from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.graph.search import PATIENCE, explore
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.spec.core.model import Kind, Model, Promise
from tests.checker.explore.graph.graphs import drawn, graph_model, graph_models


def offering():
    """Actions of a counter up to 5, of which the state 3 has none every second time."""
    asked = Counter()

    def enabled(state):
        asked[state] += 1
        return () if state == 5 or (state == 3 and asked[state] % 2 == 0) else ("count",)

    return enabled


def counter(most=None, **other):
    """A model that counts, up to a number or for ever."""
    counting = Model(
        name="counter",
        initial=lambda: [0],
        enabled=lambda state: () if state == most else ("count",),
        step=lambda state, action: state + 1,
        actor=lambda action: "it",
        promises=(Promise(Kind.SOMETIMES, "is_seven", lambda state: state == 7, "nowhere"),),
    )
    return replace(counting, **other)


@given(graph_models())
def test_every_reachable_state_is_found_once_with_all_its_transitions(model):
    graph = explore(model)
    reached, queue = set(), [state for state in model.initial() if model.within(state)]
    while queue:
        state = queue.pop()
        if state not in reached:
            reached.add(state)
            queue += [action[1] for action in model.enabled(state) if model.within(action[1])]
    assert sorted(graph.states) == sorted(reached)
    assert graph.transitions == sum(len(model.enabled(state)) for state in reached)
    for state, targets, actions in zip(graph.states, graph.targets, graph.actions, strict=True):
        assert actions == model.enabled(state)
        after = [BEYOND if target == BEYOND else graph.states[target] for target in targets]
        assert after == [action[1] if model.within(action[1]) else BEYOND for action in actions]


@given(graph_models(bounded=False))
def test_the_way_to_a_state_is_a_shortest_one(model):
    graph = explore(model)
    network = drawn(graph)
    for state in network:
        way = graph.path_to(state)
        assert way[0] < graph.starts
        assert len(way) - 1 == min(
            networkx.shortest_path_length(network, start, state)
            for start in range(graph.starts)
            if networkx.has_path(network, start, state)
        )


def test_the_way_leads_through_the_state_from_which_each_was_found_first():
    assert explore(counter(4)).path_to(4) == [0, 1, 2, 3, 4]


def test_a_state_beyond_the_bounds_is_never_explored():
    graph = explore(graph_model([(0, [("a", 1), ("b", 2)]), (2, [("a", 0)])], beyond=(1,)))
    assert graph.states == [0, 2]
    assert graph.targets == [(BEYOND, 1), (0,)]
    assert (graph.transitions, graph.beyond) == (3, 1)


def test_a_bound_on_states_stops_what_has_no_end():
    graph = explore(counter(), Bounds(most_states=10))
    assert graph.stopped == "the bound of 10 states was reached"
    assert (len(graph.states), len(graph.targets)) == (11, 10)


def test_a_model_that_is_as_large_as_the_bound_is_explored_to_its_end():
    assert explore(counter(9), Bounds(most_states=10)).stopped == ""
    assert explore(counter(10), Bounds(most_states=10)).stopped == "the bound of 10 states was reached"


def test_a_bound_on_time_stops_what_has_no_end():
    assert explore(counter(), Bounds(seconds=0.01)).stopped == "the bound of 0.01 seconds was reached"


def test_a_bound_on_memory_stops_what_has_no_end():
    assert explore(counter(), Bounds(megabytes=1)).stopped == "the bound of 1 MB of memory was reached"


@pytest.mark.parametrize("bounds", [Bounds(most_states=5), Bounds(seconds=0), Bounds(megabytes=1)])
def test_initial_states_without_end_are_stopped_too(bounds):
    endless = counter(initial=lambda: iter(range(1 << 40)))
    graph = explore(endless, bounds)
    assert graph.stopped.startswith("the bound of")
    assert graph.transitions == 0


def test_progress_is_reported_at_intervals():
    calls = []
    explore(counter(3 * PATIENCE), report=lambda *numbers: calls.append(numbers))
    assert (0, 1, 0) in calls
    assert (PATIENCE + 1, PATIENCE + 2, PATIENCE + 1) in calls
    assert calls == sorted(calls)


def failing(state, *_):
    if state == 3:
        raise ValueError("three is too many")
    return state


class Box:
    """A state that can be changed."""

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return isinstance(other, Box) and self.number == other.number

    def __hash__(self):
        return self.number

    def __repr__(self):
        return f"Box({self.number})"


def spoil(state, action):
    state.number += 1
    return Box(state.number)


def answers(value):
    return (Promise(Kind.SOMETIMES, "is_odd", lambda state: value if state == 3 else False, "nowhere"),)


def raising():
    yield 0
    raise ValueError("no more")


BAD = {
    "enabled": (
        counter(5, enabled=lambda state: ("count",) if failing(state) < 5 else ()),
        "raises in enabled (ValueError: three is too many), in the state 3.",
        3,
    ),
    "step": (
        counter(5, step=lambda state, action: failing(state) + 1),
        "raises in step with the action 'count' (ValueError: three is too many), in the state 3.",
        3,
    ),
    "predicate": (
        counter(5, promises=(Promise(Kind.SOMETIMES, "is_odd", lambda state: failing(state) == 1, "nowhere"),)),
        "raises in the predicate is_odd (ValueError: three is too many), in the state 3.",
        3,
    ),
    "none": (
        counter(5, promises=answers(None)),
        "has a predicate is_odd that answers None, not True or False, in the state 3.",
        3,
    ),
    "number": (
        counter(5, promises=answers(1)),
        "has a predicate is_odd that answers 1, not True or False, in the state 3.",
        3,
    ),
    "within": (
        counter(5, within=lambda state: None if state == 3 else True),
        "has a predicate within that answers None, not True or False, in the state 3.",
        3,
    ),
    "other actions when asked again": (
        counter(5, enabled=offering()),
        "has other actions enabled when it is asked again, in the state 3.",
        3,
    ),
    "unhashable": (
        counter(5, step=lambda state, action: [state]),
        "steps to a state that cannot be hashed, [0] (TypeError: unhashable type: 'list'), in the state 0.",
        0,
    ),
    "unhashable at first": (
        counter(5, initial=lambda: [0, [1]]),
        "has a state that cannot be hashed (TypeError: unhashable type: 'list'), in the state [1].",
        [1],
    ),
    "mutates": (
        counter(enabled=lambda state: ("count",) if state.number < 5 else (), initial=lambda: [Box(0)], step=spoil),
        "has a step or a predicate that changes its argument, in the state Box(1).",
        Box(1),
    ),
    "initial": (counter(5, initial=raising), "raises in initial (ValueError: no more), after the state 0.", 0),
    "initial at once": (
        counter(5, initial=lambda: failing(3)),
        "raises in initial (ValueError: three is too many), before its first state.",
        None,
    ),
}


@pytest.mark.parametrize("model", BAD)
def test_a_bad_model_is_told_apart_with_the_state_that_shows_it(model):
    bad, what, state = BAD[model]
    with pytest.raises(BadModelError) as caught:
        explore(bad)
    assert str(caught.value) == f"The model counter {what}"
    assert caught.value.state == state


def test_what_raises_only_once_is_said_to():
    left = [5]

    def moody(state):
        left[0] -= 1
        if not left[0]:
            raise ValueError("not now")
        return ("count",) if state < 9 else ()

    with pytest.raises(BadModelError, match=r"raises only once \(ValueError: not now\), in the state 2\.$"):
        explore(counter(9, enabled=moody))
