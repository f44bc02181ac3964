"""From an instance to findings, by tables: the same promises, the same words, and the same counts as the plain one."""

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from checker.explore.bounds import BoundReachedError, Report, Watch, silent
from checker.explore.claims import ALWAYS, BOUNDED, POSSIBLE, SOMETIMES, STABLE
from checker.explore.covered import extent_of, incomplete, only_beyond
from checker.explore.fairness import in_words
from checker.explore.finding import Exploration, Finding, settled, violated
from checker.explore.in_time import in_time
from checker.explore.question import DEFAULT, Question
from checker.explore.run import Run
from checker.explore.table import reach
from checker.explore.table.decode import lasso_into, run_along
from checker.explore.table.fair import fair_components
from checker.explore.table.layout import TooWideError
from checker.explore.table.legitimacy import legitimate, well_formed
from checker.explore.table.matrix import Matrix, matrix
from checker.explore.table.search import Explored, search
from checker.explore.table.tables import Array
from checker.judge.verdict import Unknown
from spec.instance import Instance, bounded_model
from spec.model import Kind, Promise


def examine(instance: Instance, question: Question = DEFAULT, report: Report = silent) -> Exploration:
    """Explore an instance by tables, and judge the promises of self-stabilisation."""
    watch = Watch(question.bounds, report)
    promises = bounded_model(instance).promises
    try:
        explored = search(instance, question.bounds, report)
    except TooWideError as error:
        return _summed_up(instance, watch, None, None, str(error), _unknown(promises, str(error)))
    built = matrix(explored, watch)
    if isinstance(built, str):
        why = incomplete(built, len(explored.keys), explored.found, explored.transitions)
        return _summed_up(instance, watch, explored, None, built, _unknown(promises, why))
    judge = Judge(built, question, watch)
    findings = tuple(found for promise in promises for found in judge.judge(promise))
    return _summed_up(instance, watch, explored, judge, explored.stopped, findings)


def _unknown(promises: tuple[Promise, ...], why: str) -> tuple[Finding, ...]:
    return tuple(Finding(promise.name, promise.kind.value, Unknown(why)) for promise in promises)


def _summed_up(
    instance: Instance,
    watch: Watch,
    explored: Explored | None,
    judge: "Judge | None",
    stopped: str,
    findings: tuple[Finding, ...],
) -> Exploration:
    return Exploration(
        instance.protocol.name,
        "central",
        "table",
        instance.bounds() if explored is None else explored.expander.tables.bounds,
        0 if explored is None else len(explored.starts),
        0 if explored is None else explored.found,
        0 if explored is None else explored.transitions,
        0 if judge is None else int(judge.right.sum()),
        0 if judge is None else judge.built.beyond,
        stopped,
        watch.seconds,
        tuple(replace(found, of=f"{found.of} (central scheduler)") for found in findings),
    )


class Judge:
    """Judges the promises of one graph."""

    def __init__(self, built: Matrix, question: Question, watch: Watch) -> None:
        explored = built.explored
        self._watch = watch
        self.built = built
        self.right = legitimate(explored)
        self._question = question
        self._symmetric = len(explored.expander.tables.instance.alike) > 1
        bounds = explored.expander.tables.bounds
        self._extent = extent_of(explored.found, explored.transitions, bounds, built.beyond)
        self._incomplete = incomplete(explored.stopped, len(explored.keys), explored.found, explored.transitions)

    def judge(self, promise: Promise) -> Iterator[Finding]:
        """What the graph says of one promise."""
        match promise.kind:
            case Kind.ALWAYS:
                yield self._always(promise)
            case Kind.STABLE:
                yield self._stable(promise)
            case Kind.SOMETIMES:
                yield self._sometimes(promise)
            case Kind.EVENTUALLY:
                yield in_time(self._watch, promise, POSSIBLE, lambda: self._possible(promise))
                yield in_time(self._watch, promise, self._reaches(), lambda: self._inevitable(promise))
                yield from self._worst(promise)

    def _worst(self, promise: Promise) -> Iterator[Finding]:
        most = None if self._incomplete else self._longest()
        if most is not None:
            yield settled(promise, BOUNDED, f"at most {most:,} steps; {self._extent}", "", most)

    def _longest(self) -> int | None:
        try:
            return reach.longest(self.built, ~self.right, self._watch.insist)
        except BoundReachedError:
            return None

    def _always(self, promise: Promise) -> Finding:
        holding = well_formed(self.built.explored)
        if not holding.all():
            run = self._run_to(~holding)
            return violated(promise, ALWAYS, f"it is false after {len(run.actions)} steps", run)
        return settled(promise, ALWAYS, self._extent, self._incomplete)

    def _run_to(self, goals: Array) -> Run:
        return run_along(self.built, reach.nearest(self.built, goals))

    def _stable(self, promise: Promise) -> Finding:
        left = reach.leaving(self.built, self.right)
        if left.any():
            way = reach.nearest(self.built, left)
            run = run_along(self.built, [*way, reach.led_out(self.built, way[-1], self.right)])
            return violated(promise, STABLE, f"it held, and step {len(run.actions)} ends it", run)
        claim = f"in {int(self.right.sum()):,} states of {self._extent}"
        return settled(promise, STABLE, claim, self._incomplete)

    def _sometimes(self, promise: Promise) -> Finding:
        times = int(self.right.sum())
        if times:
            return settled(promise, SOMETIMES, f"it holds in {times:,} states", "")
        beyond = f"{self.built.beyond:,} transitions lead beyond the bound" if self.built.beyond else ""
        why = self._incomplete or beyond or ("" if len(self.right) else "there is no initial state")
        if why:
            return settled(promise, SOMETIMES, "", why)
        run = run_along(self.built, [int(self.built.starts[0])])
        return violated(promise, SOMETIMES, f"it is false in all of {self._extent}", run)

    def _possible(self, promise: Promise) -> Finding:
        stuck = ~reach.reaching(self.built, self.right, self._watch.insist)
        hopeless = (
            stuck & ~reach.reaching(self.built, reach.opening(self.built), self._watch.insist) if stuck.any() else stuck
        )
        if hopeless.any():
            run = self._run_to(hopeless)
            says = f"after {len(run.actions)} steps no state is reachable any more where it holds"
            return violated(promise, POSSIBLE, says, run)
        why = self._incomplete or only_beyond(int(stuck.sum()), self._extent)
        return settled(promise, POSSIBLE, self._extent, why)

    def _reaches(self) -> str:
        tosses = max(self.built.explored.expander.tables.most_ways) > 1
        return f"{in_words(self._question.fairness, self._question.coins, tosses)} reaches a state where it holds"

    def _inevitable(self, promise: Promise) -> Finding:
        question = self._question
        of = self._reaches()
        if self._symmetric:
            return settled(promise, of, "", "states that differ by names were taken as one; fairness tells them apart")
        stops = reach.stopping(self.built, ~self.right)
        if len(stops):
            goal = np.zeros(len(self.right), bool)
            goal[stops] = True
            run = self._run_to(goal)
            return violated(promise, of, f"nothing is possible any more after {len(run.actions)} steps", run)
        hosts = fair_components(self.built, ~self.right, question.fairness, question.coins, self._watch.insist)
        if hosts:
            return self._endless(promise, of, hosts)
        return settled(promise, of, self._extent, self._incomplete)

    def _endless(self, promise: Promise, of: str, hosts: list[Array]) -> Finding:
        """The finding that a fair run can stay in one of those components; the nearest of them is shown."""
        marked = np.zeros(len(self.right), bool)
        marked[np.concatenate(hosts)] = True
        entry = reach.nearest(self.built, marked)[-1]
        host = next(host for host in hosts if entry in host)
        run = lasso_into(self.built, host, self._question)
        if run is None or run.back is None:
            says = f"a fair run can go on for ever in a component of {len(host):,} states"
            run = run_along(self.built, reach.nearest(self.built, marked))
            return violated(promise, of, says, run)
        length = len(run.actions) - run.back
        return violated(promise, of, f"after {run.back} steps a cycle of {length} can go on for ever", run)
