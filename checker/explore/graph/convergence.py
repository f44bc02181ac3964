"""Convergence: whether every fair run reaches a state, since no run stops before it and no fair cycle avoids it."""

from collections.abc import Callable

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.fair import fair_components
from gomboc.checker.explore.graph.graph import BEYOND, Graph, extent, why_incomplete
from gomboc.checker.explore.graph.lasso import lasso
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.questions.claims import BOUNDED
from gomboc.checker.explore.questions.fairness import Coins, Fairness, in_words
from gomboc.checker.explore.results.finding import Finding, settled, violated
from gomboc.spec.core.model import Promise, surely


def region_without(graph: Graph, promise: Promise) -> frozenset[int]:
    """The states in which a promise does not hold."""
    holding = graph.holding[promise.name]
    return frozenset(state for state in range(len(graph.states)) if not holding[state])


def tosses_coins(graph: Graph) -> bool:
    """Whether chance decides anything in a graph."""
    chance = graph.model.chance
    return chance is not surely and any(chance(action) != 1 for actions in graph.actions for action in actions)


def reaches(graph: Graph, fairness: Fairness, coins: Coins) -> str:
    """The claim that every fair run reaches such a state, as text."""
    return f"{in_words(fairness, coins, tosses_coins(graph))} reaches a state where it holds"


def inevitable(
    graph: Graph, promise: Promise, fairness: Fairness, coins: Coins, insist: Callable[[], None] = go_on
) -> Finding:
    """Judge whether every run under this fairness and these coins reaches a state where a promise holds.

    `insist` is called repeatedly, and may raise.
    """
    of = reaches(graph, fairness, coins)
    region = region_without(graph, promise)
    stop = next((s for s in sorted(region) if graph.is_explored(s) and graph.rests(s)), None)
    if stop is not None:
        run = graph.run_along(graph.path_to(stop))
        return violated(promise, of, f"nothing is possible any more after {counted(len(run.actions), 'step')}", run)
    insist()
    hosts = list(fair_components(graph, region, fairness, coins, insist))
    if hosts:
        nearest = min(hosts, key=lambda component: (min(component.states), len(component.states)))
        run = lasso(graph, nearest, fairness)
        assert run.back is not None, "a lasso has a place to go back to"
        length = len(run.actions) - run.back
        return violated(promise, of, f"after {counted(run.back, 'step')} a cycle of {length} can go on for ever", run)
    return settled(promise, of, extent(graph), why_incomplete(graph))


def worst_case(graph: Graph, promise: Promise, insist: Callable[[], None] = go_on) -> Finding:
    """The maximal number of steps of any run until a promise holds; unknown if there is no such number."""
    insist()
    region = region_without(graph, promise)
    edges = edges_within(graph, region)
    if any(True for _ in components(graph, edges, insist)):
        return settled(promise, BOUNDED, "", "there is a cycle, so no number of steps is enough without fairness")
    if any(graph.is_explored(s) and graph.rests(s) for s in region):
        return settled(promise, BOUNDED, "", "there is a run that stops before it holds")
    if graph.stopped or any(BEYOND in graph.targets[state] for state in region):
        return settled(promise, BOUNDED, "", why_incomplete(graph) or "some transitions lead beyond the bound")
    most = max(longest_ways(graph, region).values(), default=0)
    return settled(promise, BOUNDED, f"at most {counted(most, 'step')}; {extent(graph)}", "", most)


def longest_ways(graph: Graph, region: frozenset[int]) -> dict[int, int]:
    """For each state of a region without cycles, the most steps until the region is left."""
    longest: dict[int, int] = {}
    for root in sorted(region):
        work = [root]
        while work:
            state = work[-1]
            open_ = [t for t in graph.targets[state] if t in region and t not in longest]
            if open_ and state not in longest:
                work.extend(open_)
                continue
            work.pop()
            longest[state] = 1 + max((longest.get(target, 0) for target in graph.targets[state]), default=0)
    return longest
