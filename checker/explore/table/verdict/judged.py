"""A graph of columns as it is judged: the same answers as for the plain graph, for all states at once."""

from fractions import Fraction

import numpy as np

from gomboc.checker.explore.graph.replayed import lasso_through, run_through
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Run
from gomboc.checker.explore.table.columns import Transitions
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.checker.explore.table.verdict import reach
from gomboc.checker.explore.table.verdict.fair import fair_components
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.model import Promise


class JudgedColumns:
    """Answers for a graph of columns, computed by sweeps; see `Judged`."""

    def __init__(self, built: Transitions, watch: BoundWatch) -> None:
        self._built, self._insist = built, watch.insist
        self.extent, self.tosses, self.symmetric = built.extent, built.tosses, built.symmetric

    def times(self, promise: Promise) -> int:
        """The number of states in which a promise holds."""
        return int(self._built.holding(promise).sum())

    def first(self) -> Run | None:
        """The first initial state; None if there is none."""
        return self._run_along([int(self._built.starts[0])]) if len(self._built.starts) else None

    def failing(self, promise: Promise) -> Run | None:
        """A shortest run to a state in which a promise does not hold; None if it always holds."""
        return self._run_to(~self._built.holding(promise))

    def ending(self, promise: Promise) -> Run | None:
        """A shortest run whose last step, no command that disturbs, ends a promise; None if there is none."""
        holding = self._built.holding(promise)
        left = reach.leaving(self._built, holding)
        if not left.any():
            return None
        way = reach.nearest(self._built, left)
        return self._run_along([*way, reach.led_out(self._built, way[-1], holding)])

    def hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        """A shortest run to a state from which neither a promise nor an unexplored state is reachable; see `Judged`.

        With it, the number of states from which the promise is not reachable.
        """
        stuck = ~reach.reaching(self._built, self._built.holding(promise), self._insist)
        if not stuck.any():
            return None, 0
        opening = reach.reaching(self._built, reach.opening(self._built), self._insist)
        return self._run_to(stuck & ~opening), int(stuck.sum())

    def stopping(self, promise: Promise) -> Run | None:
        """A shortest run that may stop before a promise holds; None if there is none."""
        return self._run_to(self._marked(reach.stopping(self._built, ~self._built.holding(promise))))

    def endless(self, promise: Promise, question: Question) -> tuple[Run, int] | None:
        """A fair run that avoids a promise for ever, into the nearest component, with its size; None if there is none.

        If the component is too large to search it, the run is only the path into it.
        """
        region, ways = ~self._built.holding(promise), (question.fairness, question.coins, self._insist)
        hosts = fair_components(self._built, region, *ways)
        if not hosts:
            return None
        way = reach.nearest(self._built, self._marked(np.concatenate(hosts)))
        host = next(host for host in hosts if way[-1] in host)
        if len(host) > self._built.largest:
            return self._run_along(way), len(host)
        others = [self._built.state(number) for number in host.tolist() if number != way[-1]]
        path = [self._built.state(number) for number in way]
        return lasso_through(self._built.model, path, others, question), len(host)

    def longest(self, promise: Promise) -> int | None:
        """The maximal number of steps of any run until a promise holds; None if there is no such number."""
        return reach.longest(self._built, ~self._built.holding(promise), self._insist)

    def expected(self, promise: Promise) -> Fraction | Unknown | None:
        """None: an expectation is computed by the plain explorer only."""
        del promise
        return None

    def _marked(self, places: Array) -> Array:
        marked = np.zeros(self._built.count, bool)
        marked[places] = True
        return marked

    def _run_to(self, goals: Array) -> Run | None:
        return self._run_along(reach.nearest(self._built, goals)) if goals.any() else None

    def _run_along(self, places: list[int]) -> Run:
        return run_through(self._built.model, [self._built.state(number) for number in places])
