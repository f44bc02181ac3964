"""Judgement of promises on an explored graph, the same for all engines: what is claimed of each, and the verdict."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Protocol

from msgspec.structs import replace

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding, Run, settled, violated
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.model import Kind, Promise

ALWAYS = "it holds in every reachable state"

STABLE = "once it holds, every step keeps it"

SOMETIMES = "it holds in some reachable state"

POSSIBLE = "from every state one can get to where it holds (AG EF), so random schedules do with probability 1"

BOUNDED = "the number of steps until it holds is bounded, whatever the scheduler does"

EXPECTED = "the expected number of steps until it holds, where chance alone decides"

RUNS = {
    Fairness.NONE: "every run",
    Fairness.WEAK: "every weakly fair run",
    Fairness.STRONG: "every strongly fair run",
}


class Judged(Protocol):
    """An explored graph, as an engine answers for it. Every run begins in an initial state, and is a shortest one.

    Any of the answers may raise BoundReachedError.
    """

    @property
    def extent(self) -> Extent:
        """The part of the model that was explored."""

    @property
    def tosses(self) -> bool:
        """Whether chance decides anything."""

    @property
    def symmetric(self) -> bool:
        """Whether states that differ by names were taken as one."""

    def times(self, promise: Promise) -> int:
        """The number of states in which a promise holds."""

    def first(self) -> Run | None:
        """The first initial state; None if there is none."""

    def failing(self, promise: Promise) -> Run | None:
        """A run to a state in which a promise does not hold; None if it always holds."""

    def ending(self, promise: Promise) -> Run | None:
        """A run whose last step, no command that disturbs, ends a promise that held; None if there is none."""

    def hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        """A run to a state from which neither a promise nor an unexplored state is reachable, by steps that are owed.

        With it, the number of states from which the promise is not reachable.
        """

    def stopping(self, promise: Promise) -> Run | None:
        """A run that may stop before a promise holds; None if there is none."""

    def endless(self, promise: Promise, question: Question) -> tuple[Run, int] | None:
        """A fair run that avoids a promise for ever, or the path to a component in which there is one, with its size.

        None if there is no such run.
        """

    def longest(self, promise: Promise) -> int | None:
        """The maximal number of steps until a promise holds; None if there is no such number."""

    def expected(self, promise: Promise) -> Fraction | Unknown | None:
        """The largest expected number of steps until a promise holds; None if chance does not decide alone."""


def judged(
    graph: Judged, engine: str, model: str, promises: tuple[Promise, ...], question: Question, watch: BoundWatch
) -> Exploration:
    """The exploration of a model, with the findings on each of its promises."""
    judge = Judge(graph, question, watch)
    findings = [finding for promise in promises for finding in judge.judge(promise)]
    chosen = next((one for one in promises if one.kind is Kind.EVENTUALLY), promises[0] if promises else None)
    legitimate = 0 if chosen is None else graph.times(chosen)
    scheduler = question.scheduler.value
    named = tuple(replace(finding, of=f"{finding.of} ({scheduler} scheduler)") for finding in findings)
    return Exploration(model, scheduler, engine, graph.extent, legitimate, watch.seconds, named)


def unjudged(
    extent: Extent, engine: str, model: str, promises: tuple[Promise, ...], question: Question, watch: BoundWatch
) -> Exploration:
    """The exploration of a model of which nothing is known, since it was stopped before there was a graph."""
    scheduler, why = question.scheduler.value, Unknown(extent.incomplete if extent.states else extent.stopped)
    findings = (Finding(one.name, f"{one.kind.value} ({scheduler} scheduler)", why) for one in promises)
    return Exploration(model, scheduler, engine, extent, 0, watch.seconds, tuple(findings))


class Judge:
    """Judges the promises of one graph."""

    def __init__(self, graph: Judged, question: Question, watch: BoundWatch) -> None:
        self._graph, self._extent = graph, graph.extent
        self._question, self._watch = question, watch

    def judge(self, promise: Promise) -> Iterator[Finding]:
        """The findings on one promise: for convergence two or more, with numbers where they exist."""
        match promise.kind:
            case Kind.ALWAYS:
                yield self._always(promise)
            case Kind.STABLE:
                yield self._stable(promise)
            case Kind.SOMETIMES:
                yield self._sometimes(promise)
            case Kind.EVENTUALLY:
                yield self._in_time(promise, POSSIBLE, self._possible)
                yield self._in_time(promise, self._reaches(), self._inevitable)
                yield from self._worst(promise)
                yield from self._expected(promise)

    def _in_time(self, promise: Promise, of: str, judge: Callable[[Promise, str], Finding]) -> Finding:
        """A finding; unknown if a bound is reached before it is judged."""
        try:
            self._watch.insist()
            return judge(promise, of)
        except BoundReachedError as error:
            return settled(promise, of, "", self._extent.incomplete or f"{error} while it was judged")

    def _whole(self, promise: Promise, of: str, claim: str = "", why_not: str = "") -> Finding:
        """The finding that a property holds in the whole graph, if that was explored to its end."""
        return settled(promise, of, claim or str(self._extent), self._extent.incomplete or why_not)

    def _always(self, promise: Promise) -> Finding:
        run = self._graph.failing(promise)
        return violated(promise, ALWAYS, f"it is false after {run.steps}", run) if run else self._whole(promise, ALWAYS)

    def _stable(self, promise: Promise) -> Finding:
        run = self._graph.ending(promise)
        if run:
            return violated(promise, STABLE, f"it held, and step {len(run.actions)} ends it", run)
        return self._whole(promise, STABLE, f"in {counted(self._graph.times(promise), 'state')} of {self._extent}")

    def _sometimes(self, promise: Promise) -> Finding:
        times, extent = self._graph.times(promise), self._extent
        if times:
            return settled(promise, SOMETIMES, f"it holds in {counted(times, 'state')}", "")
        why = extent.incomplete or (f"{extent.leading_beyond()} the bound" if extent.beyond else "")
        run = None if why else self._graph.first()
        if run is None:
            return settled(promise, SOMETIMES, "", why or "there is no initial state")
        return violated(promise, SOMETIMES, f"it is false in all of {extent}", run)

    def _possible(self, promise: Promise, of: str) -> Finding:
        run, stuck = self._graph.hopeless(promise)
        if run:
            return violated(promise, of, f"after {run.steps} no state is reachable any more where it holds", run)
        reach = f"{counted(stuck, 'state')} {'reaches' if stuck == 1 else 'reach'} it only beyond the bound, if at all"
        return self._whole(promise, of, why_not=f"{reach}; {self._extent}" if stuck else "")

    def _reaches(self) -> str:
        coins = ", with probability 1" if self._question.coins is Coins.TOSSED else ", however the coins fall"
        runs = f"{RUNS[self._question.fairness]}{coins if self._graph.tosses else ''}"
        return f"{runs} reaches a state where it holds"

    def _inevitable(self, promise: Promise, of: str) -> Finding:
        if self._graph.symmetric:
            return settled(promise, of, "", "states that differ by names were taken as one; fairness tells them apart")
        run = self._graph.stopping(promise)
        if run:
            return violated(promise, of, f"nothing is possible any more after {run.steps}", run)
        self._watch.insist()
        endless = self._graph.endless(promise, self._question)
        if endless is None:
            return self._whole(promise, of)
        run, size = endless
        if run.back is None:
            says = f"a fair run can go on for ever in a component of {counted(size, 'state')}"
        else:
            length = len(run.actions) - run.back
            says = f"after {counted(run.back, 'step')} a cycle of {length} can go on for ever"
        return violated(promise, of, says, run)

    def _worst(self, promise: Promise) -> Iterator[Finding]:
        try:
            self._watch.insist()
            most = None if self._extent.stopped else self._graph.longest(promise)
        except BoundReachedError:
            return
        if most is not None:
            yield settled(promise, BOUNDED, f"at most {counted(most, 'step')}; {self._extent}", "", most)

    def _expected(self, promise: Promise) -> Iterator[Finding]:
        try:
            steps = self._graph.expected(promise)
        except BoundReachedError as error:
            steps = Unknown(f"{error} while it was computed: {self._extent}")
        if isinstance(steps, Unknown):
            yield settled(promise, EXPECTED, "", steps.why)
        elif steps is not None:
            yield settled(promise, EXPECTED, f"at most {steps} steps; {self._extent}", "")
