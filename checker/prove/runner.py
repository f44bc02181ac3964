"""Prover of lemmas: each obligation by z3, each refutation also by the specification."""

import time
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import z3

from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.lemma import Lemma, Obligation, Statement, Term
from gomboc.checker.prove.settlement import Proved, Refuted, Result, Settled, Settlement, settlement
from gomboc.checker.prove.vacuity import speaking

CLOCK = time.monotonic
"""The clock of the time limits."""
INTERVAL = 0.02
"""Seconds between two requests to z3 to stop."""
LONGEST = 2**31 - 1
"""The largest timeout of z3 in milliseconds, which is 24 days."""


def prove(lemma: Lemma, seconds: float) -> Settlement:
    """Settle a lemma and its contrasts, each statement within so many seconds."""
    start = CLOCK()
    statement = settle(lemma.statement, seconds)
    contrasts = tuple(settle(contrast, seconds) for contrast in lemma.contrasts)
    return settlement(lemma, statement, contrasts, CLOCK() - start)


def settle(statement: Statement, seconds: float) -> Settled:
    """Prove a statement, or refute it by the first obligation that is false.

    This is done in a thread of its own, and an interrupt arrives here: in the thread of z3, Ctrl-C would be handled by
    z3, which returns one more unknown; and an exception raised while one of its terms is built or dropped is lost in a
    destructor.
    """
    stopped = Event()
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(_result, statement, CLOCK() + seconds, stopped)
        try:
            return Settled(statement.says, statement.holds, asked.result())
        except KeyboardInterrupt:
            stopped.set()
            # Repeated, since z3 may not have begun yet.
            while not wait([asked], INTERVAL).done:
                z3.main_ctx().interrupt()
            raise


def _result(statement: Statement, deadline: float, stopped: Event) -> Result:
    proved = vacuous = 0
    for obligation in statement.obligations():
        if stopped.is_set():
            return Unknown("interrupted")
        result = answer(obligation, deadline - CLOCK())
        if isinstance(result, Refuted) and statement.replay is not None:
            return Refuted(result.what, result.values, statement.replay(result.values))
        if not isinstance(result, Proved):
            return result
        proved += result.parts
        vacuous += result.vacuous
    if vacuous and not proved:
        return Unknown("the premise of every part excludes the hypotheses, so that nothing is said")
    return Proved(proved, vacuous) if proved else Unknown("there is nothing to prove")


def answer(obligation: Obligation, seconds: float) -> Result:
    """The result of an obligation: refuting values, the reason why z3 is undecided, or the number of proved parts."""
    solver = _solver(obligation.given, seconds)
    solver.push()
    solver.add(z3.Not(obligation.claim))
    match solver.check():
        case z3.sat:
            read = obligation.read or _names
            return Refuted(obligation.what, dict(read(solver.model())))
        case z3.unknown:
            return _undecided(obligation, solver, seconds)
    solver.pop()
    match solver.check():
        case z3.unsat:
            return Unknown(f"the hypotheses of {obligation.what!r} exclude one another, so that it says nothing")
        case z3.unknown:
            return _undecided(obligation, solver, seconds)
    return Proved(*speaking(solver, obligation.claim))


def _solver(hypotheses: tuple[Term, ...], seconds: float) -> z3.Solver:
    solver = z3.Solver()
    solver.set("timeout", min(max(1, int(1000 * seconds)), LONGEST))
    solver.set("ctrl_c", False)
    solver.add(*hypotheses)
    return solver


def _undecided(obligation: Obligation, solver: z3.Solver, seconds: float) -> Unknown:
    return Unknown(f"{obligation.what}: z3 says {solver.reason_unknown()!r} after {max(seconds, 0):.0f} s at most")


def _names(model: z3.ModelRef) -> dict[str, str]:
    return {declaration.name(): str(model[declaration]) for declaration in model.decls()}
