"""The graph of the plain explorer as it is judged: the state of each violation, by the definition of each property."""

from collections import deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil, floor
from typing import Any

from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.expectation import expected_steps, scheduler_decides
from gomboc.checker.explore.graph.fair import fair_components
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.graph.lasso import lasso
from gomboc.checker.explore.graph.optimal import Optimal, optimal
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.questions.question import Coins, Question
from gomboc.checker.explore.results.finding import Run
from gomboc.checker.explore.verdicts import Judge, UnsolvedError
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.model import Promise, everywhere


class GraphJudge(Judge):
    """Judges a graph of values, state by state."""

    def __init__(self, graph: Graph, question: Question, watch: BoundWatch) -> None:
        super().__init__(graph.extent, question, watch)
        self._graph = graph

    def _tosses(self) -> bool:
        return self._graph.tosses

    def _times(self, promise: Promise) -> int:
        return sum(self._graph.holding[promise.name])

    def _first(self) -> Run | None:
        return self._graph.run_along([0]) if self._graph.states else None

    def _failing(self, promise: Promise) -> Run | None:
        state = self._graph.holding[promise.name].find(0)
        return None if state < 0 else self._graph.run_to(state)

    def _ending(self, promise: Promise) -> Run | None:
        graph, holding = self._graph, self._graph.holding[promise.name]
        for state, targets in enumerate(graph.targets):
            if not holding[state]:
                continue
            for action, target in zip(graph.actions[state], targets, strict=True):
                if target != BEYOND and not holding[target] and not graph.model.disturbs(action):
                    way = graph.run_to(state)
                    return Run((*way.states, graph.states[target]), (*way.actions, action))
        return None

    def _hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        graph, holding = self._graph, self._graph.holding[promise.name]
        # No claim relies on a command from outside that no fair run owes.
        before = predecessors(graph, graph.turns)
        self._watch.insist()
        reaching = backwards(before, (state for state in range(len(graph.states)) if holding[state]))
        self._watch.insist()
        opening = backwards(before, (state for state in range(len(graph.states)) if is_open(graph, state)))
        stuck = [state for state in range(len(graph.states)) if not reaching[state]]
        hopeless = next((state for state in stuck if not opening[state]), None)
        return None if hopeless is None else graph.run_to(hopeless), len(stuck)

    def _stopping(self, promise: Promise) -> Run | None:
        graph = self._graph
        stops = (s for s in sorted(graph.region_without(promise)) if graph.is_explored(s) and graph.rests(s))
        stop = next(stops, None)
        return None if stop is None else graph.run_to(stop)

    def _endless(self, promise: Promise) -> tuple[Run, int] | None:
        graph, question = self._graph, self._question
        ways = question.fairness, question.coins, self._watch.insist
        hosts = list(fair_components(graph, graph.region_without(promise), *ways))
        if not hosts:
            return None
        nearest = min(hosts, key=lambda component: (min(component.states), len(component.states)))
        return lasso(graph, nearest, question.fairness), len(nearest.states)

    def _longest(self, promise: Promise) -> int | None:
        graph, region = self._graph, self._graph.region_without(promise)
        if any(True for _ in components(graph, edges_within(graph, region), self._watch.insist)):
            return None
        if any(graph.is_explored(s) and graph.rests(s) for s in region):
            return None
        if graph.stopped or any(BEYOND in graph.targets[state] for state in region):
            return None
        return max(longest_ways(graph, region).values(), default=0)

    def _beyond(self) -> Run | None:
        return self._graph.run_beyond()

    def _driven_out(self) -> int:
        graph, question = self._graph, self._question
        ways = question.fairness, question.coins, self._watch.insist
        hosts = fair_components(graph, frozenset(range(len(graph.states))), *ways)
        staying = {state for host in hosts for state in host.states}
        staying |= {state for state in range(len(graph.targets)) if graph.rests(state)}
        return len(graph.targets) - sum(backwards(predecessors(graph, everywhere), staying))

    def _expected(self, promise: Promise) -> Fraction | Unknown | None:
        if not self._tosses() or scheduler_decides(self._graph, promise):
            return None
        steps = expected_steps(self._graph, promise, self._watch.insist)
        return steps if isinstance(steps, Unknown) else max(steps.values(), default=Fraction(0))

    def _over_schedulers(self, promise: Promise) -> tuple[str, str]:
        graph, every = self._graph, [action for actions in self._graph.actions for action in actions]
        if self._question.coins is Coins.ADVERSARY:
            raise UnsolvedError("the coins are the adversary's, and have no chances")
        if any(graph.model.disturbs(action) or not graph.turns(action) for action in every):
            raise UnsolvedError("commands come from outside, and no scheduler is bound to give them")
        found = optimal(graph, promise, self._watch.insist)
        best, worst = (
            _between(*(min(getattr(side, name).values(), default=Fraction(1)) for side in found))
            for name in ("likely", "unlikely")
        )
        probable = f"at least {best} from any state under the best scheduler, {worst} under the worst"
        return probable, _steps(*(_latest(found, name) for name in ("soon", "late")))


DIGITS = 6
"""Digits after the decimal point of a number that is known by bounds."""


def _latest(bounds: tuple[Optimal, Optimal], name: str) -> str | None:
    """The maximum of the expected numbers of steps, of which there is one for each state; None if it is infinite."""
    sides = [getattr(side, name) for side in bounds]
    if len(sides[0]) < len(bounds[0].likely):
        return None
    return _between(*(max(side.values(), default=Fraction(0)) for side in sides))


def _steps(soon: str | None, late: str | None) -> str:
    """The expected numbers of steps under the best and the worst scheduler, as text."""
    if soon is None:
        return "infinite from some state under any scheduler"
    worst = "infinite from some state" if late is None else late
    return f"at most {soon} from any state under the best scheduler, {worst} under the worst"


def _between(low: Fraction, high: Fraction) -> str:
    """A number by its bounds, rounded outward if they differ."""
    if low == high:
        return str(low)
    scale = 10**DIGITS
    return f"[{floor(low * scale) / scale:.{DIGITS}f}, {ceil(high * scale) / scale:.{DIGITS}f}]"


def is_open(graph: Graph, state: int) -> bool:
    """Whether a state has transitions with unexplored targets."""
    return not graph.is_explored(state) or BEYOND in graph.targets[state]


def predecessors(graph: Graph, counts: Callable[[Any], Any]) -> list[list[int]]:
    """For each state, the states with a transition to it by an action that `counts`."""
    before: list[list[int]] = [[] for _ in graph.states]
    for state, targets in enumerate(graph.targets):
        for action, target in zip(graph.actions[state], targets, strict=True):
            if target != BEYOND and counts(action):
                before[target].append(state)
    return before


def backwards(before: list[list[int]], goals: Iterable[int]) -> bytearray:
    """For each state, whether one of the goals can be reached from it."""
    marked = bytearray(len(before))
    queue = deque(goals)
    for goal in queue:
        marked[goal] = True
    while queue:
        for state in before[queue.popleft()]:
            if not marked[state]:
                marked[state] = True
                queue.append(state)
    return marked


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
