"""Judgement of promises on an explored graph, the same for all engines: what is claimed of each, and the verdict."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction

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


def reaches(question: Question, tosses: bool) -> str:
    """The claim that every fair run converges; `tosses` says whether chance decides anything."""
    coins = ", with probability 1" if question.coins is Coins.TOSSED else ", however the coins fall"
    return f"{RUNS[question.fairness]}{coins if tosses else ''} reaches a state where it holds"


def unjudged(
    extent: Extent, engine: str, model: str, promises: tuple[Promise, ...], question: Question, watch: BoundWatch
) -> Exploration:
    """The exploration of a model of which nothing is known, since it was stopped before there was a graph."""
    scheduler, why = question.scheduler.value, Unknown(extent.incomplete if extent.states else extent.stopped)
    findings = (Finding(one.name, f"{one.kind.value} ({scheduler} scheduler)", why) for one in promises)
    return Exploration(model, scheduler, engine, extent, 0, watch.seconds, tuple(findings))


class Judge(ABC):
    """Judges the promises of one graph; an engine answers for its graph, by methods that may raise BoundReachedError.

    Every run that is answered begins in an initial state, and is a shortest one, except for the cycle of a lasso.
    """

    def __init__(self, extent: Extent, question: Question, watch: BoundWatch) -> None:
        self._extent, self._question, self._watch = extent, question, watch

    @abstractmethod
    def _tosses(self) -> bool:
        """Whether chance decides anything."""

    @abstractmethod
    def _times(self, promise: Promise) -> int:
        """The number of states in which a promise holds."""

    @abstractmethod
    def _first(self) -> Run | None:
        """The first initial state; None if there is none."""

    @abstractmethod
    def _failing(self, promise: Promise) -> Run | None:
        """A run to a state in which a promise does not hold; None if it always holds."""

    @abstractmethod
    def _ending(self, promise: Promise) -> Run | None:
        """A run whose last step, no command that disturbs, ends a promise that held; None if there is none."""

    @abstractmethod
    def _hopeless(self, promise: Promise) -> tuple[Run | None, int]:
        """A run to a state from which neither a promise nor an unexplored state is reachable, by steps that are owed.

        With it, the number of states from which the promise is not reachable.
        """

    @abstractmethod
    def _stopping(self, promise: Promise) -> Run | None:
        """A run that may stop before a promise holds; None if there is none."""

    @abstractmethod
    def _endless(self, promise: Promise) -> tuple[Run, int] | None:
        """A fair run that avoids a promise for ever, in the nearest component, and the size of that; None without one.

        If the component is too large to search it, the run is only the path into it.
        """

    @abstractmethod
    def _longest(self, promise: Promise) -> int | None:
        """The maximal number of steps of any run until a promise holds; None if there is no such number."""

    def _expected(self, promise: Promise) -> Fraction | Unknown | None:
        """The largest expected number of steps until a promise holds; None if chance does not decide alone."""
        del promise
        return None

    def _why_no_fairness(self) -> str:
        """Why nothing can be said of fair runs; empty if it can."""
        return ""

    def exploration(self, engine: str, model: str, promises: tuple[Promise, ...]) -> Exploration:
        """The exploration of a model, with the findings on each of its promises."""
        findings = [finding for promise in promises for finding in self.judge(promise)]
        chosen = next((one for one in promises if one.kind is Kind.EVENTUALLY), promises[0] if promises else None)
        legitimate = 0 if chosen is None else self._times(chosen)
        scheduler = self._question.scheduler.value
        named = tuple(replace(finding, of=f"{finding.of} ({scheduler} scheduler)") for finding in findings)
        return Exploration(model, scheduler, engine, self._extent, legitimate, self._watch.seconds, named)

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
                yield self._in_time(promise, reaches(self._question, self._tosses()), self._inevitable)
                yield from self._worst(promise)
                yield from self._expectation(promise)

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
        run = self._failing(promise)
        return violated(promise, ALWAYS, f"it is false after {run.steps}", run) if run else self._whole(promise, ALWAYS)

    def _stable(self, promise: Promise) -> Finding:
        run = self._ending(promise)
        if run:
            return violated(promise, STABLE, f"it held, and step {len(run.actions)} ends it", run)
        return self._whole(promise, STABLE, f"in {counted(self._times(promise), 'state')} of {self._extent}")

    def _sometimes(self, promise: Promise) -> Finding:
        times, extent = self._times(promise), self._extent
        if times:
            return settled(promise, SOMETIMES, f"it holds in {counted(times, 'state')}", "")
        why = extent.incomplete or (f"{extent.leading_beyond()} the bound" if extent.beyond else "")
        run = None if why else self._first()
        if run is None:
            return settled(promise, SOMETIMES, "", why or "there is no initial state")
        return violated(promise, SOMETIMES, f"it is false in all of {extent}", run)

    def _possible(self, promise: Promise, of: str) -> Finding:
        run, stuck = self._hopeless(promise)
        if run:
            return violated(promise, of, f"after {run.steps} no state is reachable any more where it holds", run)
        reach = f"{counted(stuck, 'state')} {'reaches' if stuck == 1 else 'reach'} it only beyond the bound, if at all"
        return self._whole(promise, of, why_not=f"{reach}; {self._extent}" if stuck else "")

    def _inevitable(self, promise: Promise, of: str) -> Finding:
        why = self._why_no_fairness()
        if why:
            return settled(promise, of, "", why)
        run = self._stopping(promise)
        if run:
            return violated(promise, of, f"nothing is possible any more after {run.steps}", run)
        self._watch.insist()
        endless = self._endless(promise)
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
            most = None if self._extent.stopped else self._longest(promise)
        except BoundReachedError:
            return
        if most is not None:
            yield settled(promise, BOUNDED, f"at most {counted(most, 'step')}; {self._extent}", "", most)

    def _expectation(self, promise: Promise) -> Iterator[Finding]:
        try:
            steps = self._expected(promise)
        except BoundReachedError as error:
            steps = Unknown(f"{error} while it was computed: {self._extent}")
        if isinstance(steps, Unknown):
            yield settled(promise, EXPECTED, "", steps.why)
        elif steps is not None:
            yield settled(promise, EXPECTED, f"at most {steps} steps; {self._extent}", "")
