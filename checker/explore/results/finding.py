"""Result of an exploration: one finding for each property of each promise, with its fairness and its bounds."""

from typing import Any

import msgspec

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED, Holds, Unknown, Verdict, Violated
from gomboc.spec.core.model import Promise


class Run(msgspec.Struct, frozen=True):
    """A run of a model: its states, and the actions between them.

    A lasso has one action more, which leads back to state number `back`, so that it can continue for ever.
    """

    states: tuple[Any, ...]
    actions: tuple[Any, ...]
    back: int | None = None

    @property
    def steps(self) -> str:
        """The number of its steps, as text."""
        return counted(len(self.actions), "step")


class Extent(msgspec.Struct, frozen=True):
    """The part of a model that was explored, on which every claim rests.

    - `starts`, `states` and `transitions` were found; `explored` states are those whose transitions are known.
    - `beyond` transitions lead beyond `bounds`, the bounds of the model as text, from `leaving` different states;
      `outside` initial states are there.
    - `stopped`: the bound of the question that ended the exploration; empty if it came to its end.
    """

    starts: int = 0
    states: int = 0
    transitions: int = 0
    explored: int = 0
    beyond: int = 0
    bounds: str = ""
    stopped: str = ""
    leaving: int = 0
    outside: int = 0

    def __str__(self) -> str:
        """The states, transitions and bounds that a claim about the whole graph rests on."""
        bounded = f"; {self.bounds}" if self.bounds else ""
        return f"{counted(self.states, 'state')} and {counted(self.transitions, 'transition')}{bounded}"

    @property
    def exceeding(self) -> str:
        """The numbers of states that lead beyond the bounds, and of initial ones that are there; empty if none."""
        leading = f"{counted(self.leaving, 'state')} {'leads' if self.leaving == 1 else 'lead'} beyond the bound"
        starts = f"{counted(self.outside, 'initial state')} {'is' if self.outside == 1 else 'are'} beyond the bound"
        return ", ".join([leading] * bool(self.leaving) + [starts] * bool(self.outside))

    @property
    def incomplete(self) -> str:
        """Why no claim can be made about the whole graph; empty if it was explored to its end."""
        if not self.stopped:
            return ""
        explored = f"{self.explored:,} of {counted(self.states, 'state')} found were explored"
        return f"{self.stopped}: {explored}, {counted(self.transitions, 'transition')}"


class Finding(msgspec.Struct, frozen=True):
    """A verdict on one property. `of` is the property as text: the claim, and the runs that it is about.

    `run` is a counterexample, as short as there is for one without a cycle; of an unknown property it is a shortest run
    to what is not known. `worst` is the maximal number of steps until the property comes true, where the property asks
    for that number.
    """

    promise: str
    of: str
    verdict: Verdict
    run: Run | None = None
    worst: int | None = None


class Exploration(msgspec.Struct, frozen=True):
    """The extent of one exploration, and all of its findings.

    `legitimate` counts the states in which the first promise of convergence holds, or else the first promise.
    """

    model: str
    scheduler: str
    engine: str
    extent: Extent
    legitimate: int
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


def settled(
    promise: Promise, of: str, claim: str, why_not: str, worst: int | None = None, run: Run | None = None
) -> Finding:
    """The finding that a property holds, to the extent of `claim`, or that it is unknown for the reason `why_not`.

    `run` leads to what is not known.
    """
    verdict = Unknown(why_not) if why_not else Holds(claim)
    return Finding(promise.name, of, verdict, run if why_not else None, worst)
