"""What an exploration says: one finding for each property of each promise, with its fairness and its bounds."""

import msgspec

from gomboc.checker.explore.run import Run
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Holds, Unknown, Verdict, Violated
from gomboc.spec.model import Promise


class Finding(msgspec.Struct, frozen=True):
    """A verdict on one property. `of` is the property in words: what is claimed of which runs.

    `run` is a counterexample, as short as there is for one without a cycle; `worst` is the number of steps after
    which the property has come true at the latest, where that is what is asked for.
    """

    promise: str
    of: str
    verdict: Verdict
    run: Run | None = None
    worst: int | None = None


class Exploration(msgspec.Struct, frozen=True):
    """What was explored, and everything that was found.

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
        """0 if everything holds, 1 if something is violated, 3 if something is unknown."""
        verdicts = [finding.verdict for finding in self.findings]
        if any(isinstance(verdict, Violated) for verdict in verdicts):
            return VIOLATED
        return UNKNOWN if any(isinstance(verdict, Unknown) for verdict in verdicts) else HOLDS


def violated(promise: Promise, of: str, says: str, run: Run) -> Finding:
    """The finding that a run speaks against a promise. Its step is the number of the run's last state."""
    step = len(run.states) - 1
    return Finding(promise.name, of, Violated(step, promise.name, says, source=promise.source), run)


def settled(promise: Promise, of: str, claim: str, why_not: str, worst: int | None = None) -> Finding:
    """The finding that a property holds, as far as `claim` says, or that it is unknown if there is a `why_not`."""
    verdict = Unknown(why_not) if why_not else Holds(claim)
    return Finding(promise.name, of, verdict, None, worst)
