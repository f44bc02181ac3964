"""A graph of columns as it is judged: the same answers as for the plain graph, for all states at once."""

import numpy as np

from gomboc.checker.explore.graph.lasso import lasso_through, run_further, run_through
from gomboc.checker.explore.questions.bounds import BoundWatch
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.results.finding import Run
from gomboc.checker.explore.table.columns import Transitions
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.checker.explore.table.verdict import reach
from gomboc.checker.explore.table.verdict.fair import fair_components
from gomboc.checker.explore.verdicts import Judge
from gomboc.spec.core.model import Promise

_NOWHERE = np.empty(0, np.int64)


class ColumnsJudge(Judge):
    """Judges a graph of columns, by sweeps over all states."""

    def __init__(self, built: Transitions, question: Question, watch: BoundWatch) -> None:
        super().__init__(built.extent, question, watch)
        self._built = built

    def _tosses(self) -> bool:
        return self._built.tosses

    def _why_no_fairness(self) -> str:
        alike = "states that differ by names were taken as one; fairness tells them apart"
        return alike if self._built.symmetric else ""

    def _times(self, promise: Promise) -> int:
        return int(self._built.holding(promise).sum())

    def _first(self) -> Run | None:
        return self._run_along([int(self._built.starts[0])]) if len(self._built.starts) else None

    def _failing(self, promise: Promise) -> Run | None:
        return self._run_to(~self._built.holding(promise))

    def _ending(self, promise: Promise) -> Run | None:
        holding = self._built.holding(promise)
        left = reach.leaving(self._built, holding)
        if not left.any():
            return None
        way = reach.nearest(self._built, left)
        return self._run_along([*way, reach.led_out(self._built, way[-1], holding)])

    def _hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        stuck = ~reach.reaching(self._built, self._built.holding(promise), self._watch.insist)
        if not stuck.any():
            return None, 0
        opening = reach.reaching(self._built, reach.opening(self._built), self._watch.insist)
        return self._run_to(stuck & ~opening), int(stuck.sum())

    def _stopping(self, promise: Promise) -> Run | None:
        return self._run_to(self._marked(reach.stopping(self._built, ~self._built.holding(promise))))

    def _endless(self, promise: Promise) -> tuple[Run, int] | None:
        region, question = ~self._built.holding(promise), self._question
        ways = question.fairness, question.coins, self._watch.insist
        hosts = fair_components(self._built, region, *ways)
        if not hosts:
            return None
        way = reach.nearest(self._built, self._marked(np.concatenate(hosts)))
        host = next(host for host in hosts if way[-1] in host)
        if len(host) > self._built.largest:
            return self._run_along(way), len(host)
        others = [self._built.state(number) for number in host.tolist() if number != way[-1]]
        path = [self._built.state(number) for number in way]
        return lasso_through(self._built.model(), path, others, question), len(host)

    def _longest(self, promise: Promise) -> int | None:
        return reach.longest(self._built, ~self._built.holding(promise), self._watch.insist)

    def _beyond(self) -> Run | None:
        run = self._run_to(reach.opening(self._built))
        return None if run is None else run_further(self._built.model(), run)

    def _driven_out(self) -> int:
        built, question = self._built, self._question
        everywhere, ways = np.ones(built.count, bool), (question.fairness, question.coins, self._watch.insist)
        staying = self._marked(np.concatenate([_NOWHERE, *fair_components(built, everywhere, *ways)]))
        staying[reach.stopping(built, everywhere)] = True
        return int((~reach.reaching(built, staying, self._watch.insist, owed=False)).sum())

    def _marked(self, places: Array) -> Array:
        marked = np.zeros(self._built.count, bool)
        marked[places] = True
        return marked

    def _run_to(self, goals: Array) -> Run | None:
        return self._run_along(reach.nearest(self._built, goals)) if goals.any() else None

    def _run_along(self, places: list[int]) -> Run:
        return run_through(self._built.model(), [self._built.state(number) for number in places])
