"""Result of an exploration: one finding for each property of each promise, with its fairness and its bounds."""

import msgspec

from gomboc.checker.explore.questions.run import Run
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Holds, Unknown, Verdict, Violated
from gomboc.spec.core.model import Promise


class Finding(msgspec.Struct, frozen=True):
    """A verdict on one property. `of` is the property as text: the claim, and the runs that it is about.

    `run` is a counterexample, as short as there is for one without a cycle; `worst` is the maximal number of steps
    until the property comes true, where the property asks for that number.
    """

    promise: str
    of: str
    verdict: Verdict
    run: Run | None = None
    worst: int | None = None


class Exploration(msgspec.Struct, frozen=True):
    """The numbers of one exploration, and all of its findings.

    `legitimate` counts the states in which the first promise of convergence holds.
    """

    model: str
    scheduler: str
    engine: str
    bounds: str
    starts: int
    states: int
    transitions: int
    legitimate: int
    beyond: int
    stopped: str
    seconds: float
    findings: tuple[Finding, ...]

    def exit_code(self) -> int:
        """0 if every verdict holds, 1 if one is violated, 3 if none is violated and one is unknown."""
        verdicts = [finding.verdict for finding in self.findings]
        if any(isinstance(verdict, Violated) for verdict in verdicts):
            return VIOLATED
        return UNKNOWN if any(isinstance(verdict, Unknown) for verdict in verdicts) else HOLDS


def violated(promise: Promise, of: str, says: str, run: Run) -> Finding:
    """The finding that a run violates a promise. Its step is the number of the run's last state."""
    step = len(run.states) - 1
    return Finding(promise.name, of, Violated(step, promise.name, says, source=promise.source), run)


def settled(promise: Promise, of: str, claim: str, why_not: str, worst: int | None = None) -> Finding:
    """The finding that a property holds, to the extent of `claim`, or that it is unknown for the reason `why_not`."""
    verdict = Unknown(why_not) if why_not else Holds(claim)
    return Finding(promise.name, of, verdict, None, worst)
