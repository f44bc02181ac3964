"""Closure of a protocol as a statement: an enumeration for each case, and counterexamples that are tried for real."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache, partial
from operator import is_
from typing import Any, NamedTuple

import msgspec

from gomboc.checker.prove.closure.cases import OWN, Case, Runs, Step, Survey, Tried, World, cases, kinds_of
from gomboc.checker.prove.closure.constants import beyond, texts_looked_up
from gomboc.checker.prove.closure.paths import Path, Undecided
from gomboc.checker.prove.closure.stand_ins import Caches, Installed
from gomboc.checker.prove.closure.stated import check_conjuncts, check_world
from gomboc.checker.prove.closure.values import concrete, constant
from gomboc.checker.prove.lemma import Count, Enumeration, Journal, Outcome, Replayed
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.guarded import unwatched
from gomboc.spec.core.model import InFlight, Received
from gomboc.spec.core.protocol import Protocol


def closure(
    world: Callable[[Path], World],
    protocol: Protocol,
    roots: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    conjuncts: Callable[[Path], World] | None = None,
    only: Callable[[Case], bool] | None = None,
) -> Iterator[Enumeration]:
    """Closure of a protocol: an enumeration for each role with each input that a legitimate system can see.

    `world` is a system of any number of nodes as a path sees it, and `roots` are the packages of the specification, by
    default that of its rules. The hypotheses leave out the conjuncts `without`. `conjuncts` is a world that suffices to
    find those of messages, if that one is large; `only` says which cases are wanted. Raises UsageError, as soon as a
    case is settled, for a world or a conjunct that makes no sense.
    """
    roots = roots or (protocol.actor.rule.__module__.partition(".")[0], "gomboc.spec")
    installed, caches = Installed(roots), Caches(roots)
    others = tuple(root for root in roots if not root.startswith("gomboc."))
    # Of our own protocols, no name or text is looked up among texts of the code.
    texts = cache(partial(texts_looked_up, unwatched(protocol), world, others) if others else constant(()))
    seen = cache(partial(beyond, unwatched(protocol), others))
    wanted = tuple(filter(only or constant(True), cases(protocol)))
    wanted_roles = tuple(dict.fromkeys(case.role for case in wanted))
    surveys, small = (_surveys(_Same(one, protocol), roots) for one in (world, conjuncts or world))

    def settle(case: Case, seconds_left: Callable[[], float], journal: Journal | None) -> Outcome:
        try:
            runs = Runs(surveys.world, installed, caches, seconds_left, texts(), frozenset(without), journal)
            seen()
            messages = small.messages(runs)
            # A conjunct to be left out may be one of any role.
            known = {role: surveys.of(runs, role) for role in (wanted_roles if without else (case.role,))}
            names, mine = (*surveys.kept, *messages), known[case.role]
            check_conjuncts(without, (*names, *(name for survey in known.values() for name in survey.conjuncts())))
            count = len({*mine.conjuncts(), *messages, *OWN})
            outcome = _outcome(runs.tried(case, mine.begun(without), count), without)
            if outcome.open is None:
                seen().insist()
        except Undecided as undecided:
            return Outcome(Count(str(case), 0, 0, 0, 0.0), str(undecided))
        return outcome

    for case in wanted:
        yield Enumeration(str(case), partial(settle, case))


class _Same(NamedTuple):
    """A world and a protocol as a key: each is what it is, whatever it is equal to."""

    world: Callable[[Path], World]
    protocol: Protocol

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and all(map(is_, self, other))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self)))


class _Surveys:
    """The surveys of a world, each made once, when a case first needs it; the world is checked on its first path.

    Statements and contrasts on one world have them in common. A journal is to have all queries: for another one they
    are made again.
    """

    def __init__(self, of: _Same) -> None:
        self._of = of
        self._made: dict[str, tuple[Journal | None, Any]] = {}
        self.kept: tuple[str, ...] = ()

    def world(self, path: Path) -> World:
        """The world as a path sees it. Raises UsageError for one that makes no sense."""
        made = self._of.world(path)
        if not self.kept:
            check_world(made)
            self.kept = (*OWN, *made.kept)
        return made

    def of(self, runs: Runs, role: str) -> Survey:
        """The survey of a role."""
        survey: Survey = self._once(runs, role, lambda: runs.survey(role))
        return survey

    def messages(self, runs: Runs) -> tuple[str, ...]:
        """The conjuncts of all messages."""
        small = msgspec.structs.replace(runs, world=self.world)
        names: tuple[str, ...] = self._once(runs, "", lambda: small.of_messages(kinds_of(self._of.protocol)))
        return names

    def _once(self, runs: Runs, role: str, made: Callable[[], Any]) -> Any:
        if role not in self._made or runs.journal not in (None, self._made[role][0]):
            self._made[role] = runs.journal, made()
        return self._made[role][1]


@lru_cache(maxsize=8)
def _surveys(of: _Same, roots: tuple[str, ...]) -> _Surveys:
    del roots
    return _Surveys(of)


def _outcome(tried: Tried, without: tuple[str, ...]) -> Outcome:
    count = Count(tried.name, tried.conjuncts, tried.paths, tried.satisfiable, tried.seconds)
    if tried.open is not None:
        return Outcome(count, tried.open)
    if tried.broken is None:
        return Outcome(count, bounds=tried.bounds)
    step = tried.broken.result
    for model in tried.broken.path.models():
        values, replayed = _counterexample(step, model, without)
        if replayed is None or replayed.confirms():
            return Outcome(count, None, values, replayed)
    return Outcome(count, f"z3 has an assignment that breaks {step.broken[0]}, which no system has")


def _counterexample(step: Step, model: Any, without: tuple[str, ...]) -> tuple[dict[str, Any], Replayed | None]:
    """The values of a step in an assignment, and what becomes of a real system; None if the world has none."""
    me, local, taken, choice, outcome = (
        concrete(value, model) for value in (step.me, step.local, step.taken, step.choice, step.outcome)
    )
    values = {"breaks": step.broken, "node": me, "before": local, "input": taken, "outcome": outcome}
    if step.world.system is None or step.world.real is None:
        return values, None
    states = {**step.world.system(model), me: local}
    return values, replay(step.world.real, states, step._replace(me=me, taken=taken, choice=choice), without)


def replay(protocol: Protocol, states: Mapping[str, Any], step: Step, without: tuple[str, ...]) -> Replayed:
    """Whether that step leads a legitimate system out of the legitimate states: the faults after it, none expected.

    If the system is not legitimate before, there is nothing to be found.
    """
    me = step.me
    in_flight: InFlight = ()
    if isinstance(step.taken, Received):
        in_flight = ((me, step.taken.message),)
    before = {fault.rule for fault in legitimacy_faults(protocol, states, in_flight)} - {*without}
    if before:
        return Replayed((), ())
    outcome = protocol.actor.react(me, states[me], step.taken, step.choice)
    sent = tuple((send.target, send.message) for send in outcome.sends)
    after = {**states, me: outcome.local}
    values = (outcome.local, *(message for _, message in sent))
    malformed = [fault for value in values for fault in protocol.naming.malformed(value)]
    faults = (*legitimacy_faults(protocol, after, sent), *malformed)
    return Replayed((), tuple(dict.fromkeys(fault.rule for fault in faults if fault.rule not in without)))
