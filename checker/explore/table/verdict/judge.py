"""Judgement of promises on a graph of columns: the same texts as the plain explorer, for any type of state."""

from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.questions.claims import ALWAYS, BOUNDED, POSSIBLE, SOMETIMES, STABLE
from gomboc.checker.explore.questions.covered import leading, only_beyond
from gomboc.checker.explore.questions.deadline import in_time
from gomboc.checker.explore.questions.fairness import in_words
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.run import Run
from gomboc.checker.explore.results.finding import Finding, settled, violated
from gomboc.checker.explore.table.matrix import Transitions
from gomboc.checker.explore.table.model.tables import Array
from gomboc.checker.explore.table.verdict import reach
from gomboc.checker.explore.table.verdict.fair import fair_components
from gomboc.spec.core.model import Kind, Promise


class Judged(msgspec.Struct, frozen=True):
    """A graph, and the functions and texts that its judgement needs besides the transitions.

    - `holding(promise)`: for each state, whether the promise holds in it
    - `run_along(places)`: the run through those states
    - `lasso_into(component)`: a fair lasso into one of the components that `fair_components` returns; None if it is too
      large to search it
    - `extent`, `incomplete`: the extent of a claim, and why no claim can be made, as text
    - `tosses`: whether coins are tossed; `symmetric`: whether states that differ by names were taken as one
    """

    built: Transitions
    holding: Callable[[Promise], Array]
    run_along: Callable[[list[int]], Run]
    lasso_into: Callable[[Array], Run | None]
    extent: str
    incomplete: str = ""
    tosses: bool = False
    symmetric: bool = False


class Judge:
    """Judges the promises of one graph."""

    def __init__(self, graph: Judged, question: Question, watch: BoundWatch) -> None:
        self._graph = graph
        self._question = question
        self._watch = watch

    def judge(self, promise: Promise) -> Iterator[Finding]:
        """The findings of the graph on one promise."""
        match promise.kind:
            case Kind.ALWAYS:
                yield self._always(promise)
            case Kind.STABLE:
                yield self._stable(promise)
            case Kind.SOMETIMES:
                yield self._sometimes(promise)
            case Kind.EVENTUALLY:
                why = self._graph.incomplete
                yield in_time(self._watch, promise, POSSIBLE, lambda: self._possible(promise), why)
                yield in_time(self._watch, promise, self._reaches(), lambda: self._inevitable(promise), why)
                yield from self._worst(promise)

    def _worst(self, promise: Promise) -> Iterator[Finding]:
        most = None if self._graph.incomplete else self._longest(promise)
        if most is not None:
            yield settled(promise, BOUNDED, f"at most {counted(most, 'step')}; {self._graph.extent}", "", most)

    def _longest(self, promise: Promise) -> int | None:
        try:
            return reach.longest(self._graph.built, ~self._graph.holding(promise), self._watch.insist)
        except BoundReachedError:
            return None

    def _always(self, promise: Promise) -> Finding:
        holding = self._graph.holding(promise)
        if not holding.all():
            run = self._run_to(~holding)
            return violated(promise, ALWAYS, f"it is false after {counted(len(run.actions), 'step')}", run)
        return settled(promise, ALWAYS, self._graph.extent, self._graph.incomplete)

    def _run_to(self, goals: Array) -> Run:
        return self._graph.run_along(reach.nearest(self._graph.built, goals))

    def _stable(self, promise: Promise) -> Finding:
        right = self._graph.holding(promise)
        left = reach.leaving(self._graph.built, right)
        if left.any():
            way = reach.nearest(self._graph.built, left)
            run = self._graph.run_along([*way, reach.led_out(self._graph.built, way[-1], right)])
            return violated(promise, STABLE, f"it held, and step {len(run.actions)} ends it", run)
        claim = f"in {counted(int(right.sum()), 'state')} of {self._graph.extent}"
        return settled(promise, STABLE, claim, self._graph.incomplete)

    def _sometimes(self, promise: Promise) -> Finding:
        right = self._graph.holding(promise)
        times = int(right.sum())
        if times:
            return settled(promise, SOMETIMES, f"it holds in {counted(times, 'state')}", "")
        beyond = f"{leading(self._graph.built.beyond)} beyond the bound" if self._graph.built.beyond else ""
        why = self._graph.incomplete or beyond or ("" if len(right) else "there is no initial state")
        if why:
            return settled(promise, SOMETIMES, "", why)
        run = self._graph.run_along([int(self._graph.built.starts[0])])
        return violated(promise, SOMETIMES, f"it is false in all of {self._graph.extent}", run)

    def _possible(self, promise: Promise) -> Finding:
        right = self._graph.holding(promise)
        stuck = ~reach.reaching(self._graph.built, right, self._watch.insist)
        hopeless = (
            stuck & ~reach.reaching(self._graph.built, reach.opening(self._graph.built), self._watch.insist)
            if stuck.any()
            else stuck
        )
        if hopeless.any():
            run = self._run_to(hopeless)
            says = f"after {counted(len(run.actions), 'step')} no state is reachable any more where it holds"
            return violated(promise, POSSIBLE, says, run)
        why = self._graph.incomplete or only_beyond(int(stuck.sum()), self._graph.extent)
        return settled(promise, POSSIBLE, self._graph.extent, why)

    def _reaches(self) -> str:
        runs = in_words(self._question.fairness, self._question.coins, self._graph.tosses)
        return f"{runs} reaches a state where it holds"

    def _inevitable(self, promise: Promise) -> Finding:
        right = self._graph.holding(promise)
        question = self._question
        of = self._reaches()
        if self._graph.symmetric:
            return settled(promise, of, "", "states that differ by names were taken as one; fairness tells them apart")
        stops = reach.stopping(self._graph.built, ~right)
        if len(stops):
            goal = np.zeros(len(right), bool)
            goal[stops] = True
            run = self._run_to(goal)
            return violated(promise, of, f"nothing is possible any more after {counted(len(run.actions), 'step')}", run)
        hosts = fair_components(self._graph.built, ~right, question.fairness, question.coins, self._watch.insist)
        if hosts:
            return self._endless(promise, of, hosts)
        return settled(promise, of, self._graph.extent, self._graph.incomplete)

    def _endless(self, promise: Promise, of: str, hosts: list[Array]) -> Finding:
        """The finding that a fair run can stay in one of those components; its run leads to the nearest one."""
        marked = np.zeros(len(self._graph.built.keys), bool)
        marked[np.concatenate(hosts)] = True
        entry = reach.nearest(self._graph.built, marked)[-1]
        host = next(host for host in hosts if entry in host)
        run = self._graph.lasso_into(host)
        if run is None or run.back is None:
            says = f"a fair run can go on for ever in a component of {counted(len(host), 'state')}"
            run = self._graph.run_along(reach.nearest(self._graph.built, marked))
            return violated(promise, of, says, run)
        length = len(run.actions) - run.back
        return violated(promise, of, f"after {counted(run.back, 'step')} a cycle of {length} can go on for ever", run)
