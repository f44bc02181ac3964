"""The graph of the plain explorer as it is judged: the state of each violation, by the definition of each property."""

from collections import deque
from collections.abc import Iterable
from fractions import Fraction

from gomboc.checker.explore.graph.components import components, edges_within
from gomboc.checker.explore.graph.expectation import expected_steps, scheduler_decides
from gomboc.checker.explore.graph.fair import fair_components
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.graph.lasso import lasso
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Extent, Run
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.model import Promise


class JudgedGraph:
    """Answers for a graph of values, computed state by state."""

    symmetric = False

    def __init__(self, graph: Graph, watch: BoundWatch) -> None:
        self._graph, self._insist = graph, watch.insist

    @property
    def extent(self) -> Extent:
        """The part of the model that was explored."""
        return self._graph.extent

    @property
    def tosses(self) -> bool:
        """Whether chance decides anything."""
        return self._graph.tosses

    def times(self, promise: Promise) -> int:
        """The number of states in which a promise holds."""
        return sum(self._graph.holding[promise.name])

    def first(self) -> Run | None:
        """The first initial state; None if there is none."""
        return self._graph.run_along([0]) if self._graph.states else None

    def failing(self, promise: Promise) -> Run | None:
        """The shortest run to a state in which a promise does not hold; None if it always holds."""
        state = self._graph.holding[promise.name].find(0)
        return None if state < 0 else self._graph.run_to(state)

    def ending(self, promise: Promise) -> Run | None:
        """The shortest run whose last step, no command that disturbs, ends a promise; None if there is none."""
        graph, holding = self._graph, self._graph.holding[promise.name]
        for state, targets in enumerate(graph.targets):
            if not holding[state]:
                continue
            for action, target in zip(graph.actions[state], targets, strict=True):
                if target != BEYOND and not holding[target] and not graph.model.disturbs(action):
                    way = graph.run_to(state)
                    return Run((*way.states, graph.states[target]), (*way.actions, action))
        return None

    def hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        """The shortest run to a state from which neither a promise nor an unexplored state is reachable; see `Judged`.

        With it, the number of states from which the promise is not reachable.
        """
        graph, holding = self._graph, self._graph.holding[promise.name]
        before = predecessors(graph)
        self._insist()
        reaching = backwards(before, (state for state in range(len(graph.states)) if holding[state]))
        self._insist()
        opening = backwards(before, (state for state in range(len(graph.states)) if is_open(graph, state)))
        stuck = [state for state in range(len(graph.states)) if not reaching[state]]
        hopeless = next((state for state in stuck if not opening[state]), None)
        return None if hopeless is None else graph.run_to(hopeless), len(stuck)

    def stopping(self, promise: Promise) -> Run | None:
        """The shortest run that may stop before a promise holds; None if there is none."""
        graph = self._graph
        stops = (s for s in sorted(graph.region_without(promise)) if graph.is_explored(s) and graph.rests(s))
        stop = next(stops, None)
        return None if stop is None else graph.run_to(stop)

    def endless(self, promise: Promise, question: Question) -> tuple[Run, int] | None:
        """A fair run that avoids a promise for ever, into the nearest component, with its size; else None."""
        graph, ways = self._graph, (question.fairness, question.coins, self._insist)
        hosts = list(fair_components(graph, graph.region_without(promise), *ways))
        if not hosts:
            return None
        nearest = min(hosts, key=lambda component: (min(component.states), len(component.states)))
        return lasso(graph, nearest, question.fairness), len(nearest.states)

    def longest(self, promise: Promise) -> int | None:
        """The maximal number of steps of any run until a promise holds; None if there is no such number."""
        graph, region = self._graph, self._graph.region_without(promise)
        if any(True for _ in components(graph, edges_within(graph, region), self._insist)):
            return None
        if any(graph.is_explored(s) and graph.rests(s) for s in region):
            return None
        if graph.stopped or any(BEYOND in graph.targets[state] for state in region):
            return None
        return max(longest_ways(graph, region).values(), default=0)

    def expected(self, promise: Promise) -> Fraction | Unknown | None:
        """The largest expected number of steps until a promise holds; None if a scheduler decides, or no coin."""
        if not self.tosses or scheduler_decides(self._graph, promise):
            return None
        steps = expected_steps(self._graph, promise, self._insist)
        return steps if isinstance(steps, Unknown) else max(steps.values(), default=Fraction(0))


def is_open(graph: Graph, state: int) -> bool:
    """Whether a state has transitions with unexplored targets."""
    return not graph.is_explored(state) or BEYOND in graph.targets[state]


def predecessors(graph: Graph) -> list[list[int]]:
    """For each state, the states with a transition to it, except by commands from outside without a fairness class."""
    before: list[list[int]] = [[] for _ in graph.states]
    for state, targets in enumerate(graph.targets):
        for action, target in zip(graph.actions[state], targets, strict=True):
            if target != BEYOND and graph.turns(action):
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
