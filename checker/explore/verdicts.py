"""Judgement of promises on an explored graph, the same for all engines: the claims, and the verdicts.

A bound of a model never makes a verdict better. The claims are about the model without its bound:

- A violation is shown by explored steps alone, not by states beyond: a state where the promise is false, a step that
  ends it, a state from which no state that it holds in and no step beyond is reachable, a run that stops, a cycle that
  is fair although a step that leads beyond counts as enabled and not as taken. So is a state that shows SOMETIMES.
- All else is a claim about every reachable state. A state beyond the bound is reachable. There, or later, an ALWAYS may
  be false, a STABLE may end, a goal may be out of reach, a cycle may be fair, a run may be longer. It does not matter
  whether the promise held where the run left the bound: nothing shows that it lasts. So where one step leads beyond,
  each of these claims is unknown.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cached_property

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

BOUNDED = "the number of steps until it holds is bounded, under any scheduler"

EXPECTED = "the expected number of steps until it holds, where chance alone decides"

PROBABLE = "the probability that it holds at some time, under the best and under the worst scheduler, fair or not"

SCHEDULED = "the expected number of steps until it holds, under the best and under the worst scheduler, fair or not"

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
    """The exploration of a model that was stopped before there was a graph: every verdict is unknown."""
    scheduler, why = question.scheduler.value, Unknown(extent.incomplete if extent.states else extent.stopped)
    findings = (Finding(one.name, f"{one.kind.value} ({scheduler} scheduler)", why) for one in promises)
    return Exploration(model, scheduler, engine, extent, 0, watch.seconds, tuple(findings))


class UnsolvedError(Exception):
    """The equations of a number have no solution that is computed; the text gives the reason."""


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

    @abstractmethod
    def _beyond(self) -> Run | None:
        """A run whose last state is the first one beyond the bounds of the model; None if no run leads there."""

    @abstractmethod
    def _driven_out(self) -> int:
        """The number of states from which no fair run stays within the bounds of the model, for any promise.

        A run that stops within them stays.
        """

    def _expected(self, promise: Promise) -> Fraction | Unknown | None:
        """The largest expected number of steps until a promise holds; None if chance does not decide alone."""
        del promise
        return None

    def _over_schedulers(self, promise: Promise) -> tuple[str, str]:
        """The probability that a promise holds at some time, and the expected number of steps, as text.

        Raises UnsolvedError if there are no such numbers, or if there are too many equations. The graph is complete.
        """
        del promise
        raise UnsolvedError("only the plain engine computes it")

    def _why_no_fairness(self) -> str:
        """Reason why fair runs cannot be judged; empty if they can."""
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
                if self._question.numbers:
                    yield from self._numbers(promise)

    def _in_time(self, promise: Promise, of: str, judge: Callable[[Promise, str], Finding]) -> Finding:
        """A finding; unknown if a bound is reached before it is judged."""
        try:
            self._watch.insist()
            return judge(promise, of)
        except BoundReachedError as error:
            return settled(promise, of, "", self._extent.incomplete or f"{error} while it was judged")

    def _whole(self, promise: Promise, of: str, claim: str = "", more: Callable[[], str] = str) -> Finding:
        """The finding that a property holds in the whole graph, if that was explored to its end and has no bound.

        If some run leads beyond a bound, `more` returns further facts, as text.
        """
        extent = self._extent
        if extent.incomplete or not extent.exceeding:
            return settled(promise, of, claim or str(extent), extent.incomplete)
        return settled(promise, of, "", self._leads_beyond(more()), run=self._way_out)

    @cached_property
    def _way_out(self) -> Run | None:
        return self._beyond()

    def _leads_beyond(self, more: str = "") -> str:
        """Why a property is unknown, since runs lead beyond the bounds of the model."""
        nearest = "" if self._way_out is None else f", the nearest by a run of {self._way_out.steps}"
        return f"{f'{more}; ' if more else ''}{self._extent.exceeding}{nearest}; {self._extent}"

    def _always(self, promise: Promise) -> Finding:
        run = self._failing(promise)
        return violated(promise, ALWAYS, f"it is false after {run.steps}", run) if run else self._whole(promise, ALWAYS)

    def _stable(self, promise: Promise) -> Finding:
        run = self._ending(promise)
        if run:
            return violated(promise, STABLE, f"it held, and step {len(run.actions)} ends it", run)
        times, extent = self._times(promise), self._extent
        if not times and not extent.incomplete and not extent.exceeding:
            return settled(promise, STABLE, "", f"it holds in none of {extent}, so nothing is claimed")
        return self._whole(promise, STABLE, f"in {counted(times, 'state')} of {extent}")

    def _sometimes(self, promise: Promise) -> Finding:
        times, extent = self._times(promise), self._extent
        if times:
            return settled(promise, SOMETIMES, f"it holds in {counted(times, 'state')}", "")
        if extent.incomplete or extent.exceeding:
            return self._whole(promise, SOMETIMES)
        run = self._first()
        if run is None:
            return settled(promise, SOMETIMES, "", "there is no initial state")
        return violated(promise, SOMETIMES, f"it is false in all of {extent}", run)

    def _possible(self, promise: Promise, of: str) -> Finding:
        run, stuck = self._hopeless(promise)
        if run:
            return violated(promise, of, f"after {run.steps} no state is reachable any more where it holds", run)
        reach = f"{counted(stuck, 'state')} {'reaches' if stuck == 1 else 'reach'} it only beyond the bound, if at all"
        return self._whole(promise, of, more=lambda: reach if stuck else "")

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
            return self._whole(promise, of, more=self._where_no_run_stays)
        run, size = endless
        if run.back is None:
            says = f"a fair run can go on for ever in a component of {counted(size, 'state')}"
        else:
            length = len(run.actions) - run.back
            says = f"after {counted(run.back, 'step')} a cycle of {length} can go on for ever"
        return violated(promise, of, says, run)

    def _where_no_run_stays(self) -> str:
        """The number of states from which no fair run stays within the bound, as text; empty if there are none."""
        out, states = self._driven_out(), self._extent.explored
        if out == states:
            return "no fair run stays within the bound"
        return f"from {out:,} of {counted(states, 'state')} no fair run stays within the bound" if out else ""

    def _worst(self, promise: Promise) -> Iterator[Finding]:
        try:
            self._watch.insist()
            most = None if self._extent.stopped or self._extent.exceeding else self._longest(promise)
        except BoundReachedError:
            return
        if most is not None:
            yield settled(promise, BOUNDED, f"at most {counted(most, 'step')}; {self._extent}", "", most)

    def _expectation(self, promise: Promise) -> Iterator[Finding]:
        try:
            steps = self._expected(promise)
        except BoundReachedError as error:
            steps = Unknown(f"{error} while it was computed: {self._extent}")
        if steps is not None and self._extent.exceeding and not self._extent.incomplete:
            yield settled(promise, EXPECTED, "", self._leads_beyond(), run=self._way_out)
        elif isinstance(steps, Unknown):
            yield settled(promise, EXPECTED, "", steps.why)
        elif steps is not None:
            yield settled(promise, EXPECTED, f"at most {steps} steps; {self._extent}", "")

    def _numbers(self, promise: Promise) -> Iterator[Finding]:
        extent, claims = self._extent, ("", "")
        why = extent.incomplete or (self._leads_beyond() if extent.exceeding else "")
        try:
            claims = claims if why else self._over_schedulers(promise)
        except (BoundReachedError, UnsolvedError) as error:
            why = str(error)
        for of, claim in zip((PROBABLE, SCHEDULED), claims, strict=True):
            yield settled(promise, of, f"{claim}; {extent}", why)
