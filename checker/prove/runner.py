"""Prover of lemmas: each obligation by z3, each refutation also by the specification."""

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import z3

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.assignments import assignments
from gomboc.checker.prove.lemma import Enumeration, Journal, Lemma, Obligation, Outcome, Replay, Statement, Term
from gomboc.checker.prove.limits import CLOCK, timeout
from gomboc.checker.prove.settlement import Proved, Refuted, Result, Settled, Settlement, settlement
from gomboc.checker.prove.vacuity import speaking

INTERVAL = 0.02
"""Seconds between two looks at the clock, and between two requests to z3 to stop."""

ABOUT_NOTHING = "the premise of every part excludes the hypotheses, so that nothing is said"


def prove(lemma: Lemma, seconds: float, journal: Journal | None = None) -> Settlement:
    """Settle a lemma and its contrasts, each statement within so many seconds of a processor.

    The journal takes the queries of the statement.
    """
    start = CLOCK()
    statement = settle(lemma.statement, seconds, journal)
    contrasts = tuple(settle(contrast, seconds) for contrast in lemma.contrasts)
    return settlement(lemma, statement, contrasts, CLOCK() - start)


def settle(statement: Statement, seconds: float, journal: Journal | None = None) -> Settled:
    """Prove a statement, or refute it by the first obligation that is false, in so many seconds of a processor.

    This is done in a thread of its own, and an interrupt arrives here: in the thread of z3, Ctrl-C would be handled by
    z3, which returns one more unknown; and an exception raised while one of its terms is built or dropped is lost in a
    destructor.
    """
    stopped, deadline = Event(), CLOCK() + seconds
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(_result, statement, deadline, stopped, journal)
        try:
            while not wait([asked], INTERVAL).done:
                if CLOCK() >= deadline:
                    z3.main_ctx().interrupt()
            if CLOCK() > deadline:
                # Otherwise the request to stop, which z3 may not have met, would stop what comes next.
                z3.Solver().check()
            return Settled(statement.says, statement.holds, asked.result())
        except KeyboardInterrupt:
            stopped.set()
            # Repeated, since z3 may not have begun yet.
            while not wait([asked], INTERVAL).done:
                z3.main_ctx().interrupt()
            raise


def _result(statement: Statement, deadline: float, stopped: Event, journal: Journal | None) -> Result:
    proved, vacuous, counts, undecided, bounds = 0, 0, [], dict[str, list[str]](), dict[str, int]()
    for obligation in statement.obligations():
        if stopped.is_set():
            return Unknown("interrupted")
        if isinstance(obligation, Enumeration):
            outcome = obligation.settle(lambda: -1 if stopped.is_set() else deadline - CLOCK(), journal)
            counts.append(outcome.count)
            bounds |= {place: max(most, bounds.get(place, 0)) for place, most in outcome.bounds.items()}
            result = _of_outcome(obligation, outcome)
            if isinstance(result, Refuted) and statement.replay is not None:
                return Refuted(result.what, result.values, statement.replay(result.values))
        else:
            result = answer(obligation, deadline - CLOCK(), journal, statement.replay)
        if isinstance(obligation, Enumeration) and isinstance(result, Unknown):
            # The cases of an enumeration do not depend on one another: each that is open is named.
            undecided.setdefault(result.why, []).append(obligation.what)
        elif not isinstance(result, Proved):
            return result
        else:
            proved += result.parts
            vacuous += result.vacuous
    if undecided:
        return Unknown("; ".join(_of_cases(why, names) for why, names in undecided.items()))
    if vacuous and not proved:
        return Unknown(ABOUT_NOTHING)
    return Proved(proved, vacuous, tuple(counts), bounds) if proved else Unknown("there is nothing to prove")


def _of_cases(why: str, names: list[str]) -> str:
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} open: {why}"


def _of_outcome(enumeration: Enumeration, outcome: Outcome) -> Result:
    if outcome.open is not None:
        return Unknown(outcome.open)
    if outcome.values is not None:
        return Refuted(enumeration.what, dict(outcome.values), outcome.replayed)
    count = outcome.count
    return Proved(count.obligations, 0) if count.satisfiable else Proved(0, count.obligations)


def answer(
    obligation: Obligation, seconds: float, journal: Journal | None = None, replay: Replay | None = None
) -> Result:
    """The result of an obligation: refuting values, the reason why z3 is undecided, or the number of proved parts.

    With `replay`, values that it confirms, if z3 finds some.
    """
    if seconds <= 0:
        return Unknown(f"{obligation.what}: the time is up")
    solver = _solver(obligation.given, seconds)
    solver.push()
    solver.add(z3.Not(obligation.claim))
    answered = solver.check()
    if journal is not None and answered != z3.unknown:
        journal(str(answered), solver.to_smt2())
    match answered:
        case z3.sat:
            return _refuted(obligation, solver, replay)
        case z3.unknown:
            return _undecided(obligation, solver, seconds)
    solver.pop()
    match solver.check():
        case z3.unsat:
            return Unknown(f"the hypotheses of {obligation.what!r} exclude one another, so that it says nothing")
        case z3.unknown:
            return _undecided(obligation, solver, seconds)
    return Proved(*speaking(solver, obligation.claim))


def _refuted(obligation: Obligation, solver: z3.Solver, replay: Replay | None) -> Refuted:
    """The first values that the specification confirms, as many as are tried; else the very first ones."""
    read = obligation.read or _names
    every = map(dict, map(read, assignments(solver, solver.model())))
    tried = (Refuted(obligation.what, values, None if replay is None else replay(values)) for values in every)
    first = next(tried)
    return first if first.confirmed() else next((one for one in tried if one.confirmed()), first)


def _solver(hypotheses: tuple[Term, ...], seconds: float) -> z3.Solver:
    solver = z3.Solver()
    solver.set("timeout", timeout(seconds))
    solver.set("ctrl_c", False)
    solver.add(*hypotheses)
    return solver


def _undecided(obligation: Obligation, solver: z3.Solver, seconds: float) -> Unknown:
    limit = f"{seconds:.0f} s of a processor at most"
    return Unknown(f"{obligation.what}: z3 says {solver.reason_unknown()!r} after {limit}")


def _names(model: z3.ModelRef) -> dict[str, str]:
    return {declaration.name(): str(model[declaration]) for declaration in model.decls()}
