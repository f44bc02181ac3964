"""Closure and convergence of one run: the number of faults in the system over time, measured in rounds."""

from gomboc.checker.core.phrases import counted
from gomboc.checker.judge.claims import RESTED, became, stayed
from gomboc.checker.judge.fault_count import FaultCount
from gomboc.checker.judge.rounds import Rounds
from gomboc.checker.judge.system import System
from gomboc.checker.judge.unknown import NO_FURTHER_ROUND, NO_NODE_AWAKE, NOT_LEGITIMATE, not_yet, premise_lacks
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Verdict, Violated
from gomboc.checker.traces.trace import Sent, Step
from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import Protocol

MOST_NAMED = 5
"""Most faults named in a verdict."""

FaultyState = tuple[int, str, tuple[Fault, ...]]
"""A state by its step and the node of it, with its faults."""


class Stabilisation:
    """Judges closure and convergence of one run, by the states and messages of the trace.

    Commands divide the run, except quiet ones: convergence is counted from each command, and closure is judged between
    them. A lost message that arrives all the same divides it, too. Where the premise of the protocol is false,
    convergence is not promised: at the start, after a command, or after a quiet one that changed a state meanwhile. A
    violation stays, regardless of later steps.
    """

    def __init__(self, protocol: Protocol, system: System, bound: int) -> None:
        self._protocol = protocol
        self._system = system
        self._bound = bound
        self._faults = FaultCount(protocol, system)
        self._rounds = Rounds(system)
        self._left: FaultyState | None = None
        self._late: FaultyState | None = None
        self._lacking: tuple[int, Fault] | None = None
        self.rounds: int | None = None
        self._number = self._converged_at = 0
        self._judge(0, "", 0, anew=True)

    @property
    def rounds_after(self) -> int:
        """Rounds completed since the system became legitimate; 0 if it did not."""
        return 0 if self.rounds is None else max(0, self._rounds.completed - self.rounds)

    @property
    def rounds_completed(self) -> int:
        """Rounds completed since the start or the last command."""
        return self._rounds.completed

    def observe(self, number: int, step: Step, taken: Sent | None) -> None:
        """Record step `number`, which the system has taken."""
        self._number = number
        self._faults.observe(step, taken)
        running = self._rounds.completed + 1
        if self._system.begins_anew:
            self._rounds.restart(number, step)
            self.rounds = self._lacking = None
            running = 0
        else:
            self._rounds.observe(number, step)
        if self._faults.total or self.rounds is None:
            self._judge(number, step.node, running, self._system.begins_anew or self._system.moved)

    def _judge(self, number: int, node: str, running: int, anew: bool) -> None:
        """Judge a state that is faulty, or the first one that is not, after step `number` and in the `running` round.

        The premise is judged only if it is `anew`.
        """
        if not self._faults.total:
            self.rounds, self._converged_at = running, number
        elif self.rounds is not None:
            self._left = self._left or self._faulty(number, node)
        elif self._late is None and self._lacking is None:
            lacking = premise_faults(self._protocol, *self._system.now) if anew else ()
            if lacking:
                self._lacking = number, lacking[0]
            elif self._rounds.completed >= self._bound:
                self._late = self._faulty(number, "")

    def _faulty(self, number: int, node: str) -> FaultyState:
        return number, node, legitimacy_faults(self._protocol, *self._system.now)

    def closure_and_convergence(self, halted: str | None) -> tuple[Verdict, Verdict]:
        """Closure and convergence: whether the system stayed legitimate once it was, and became so within its bound.

        `halted` is the reason why the run was not judged to its end, if there is one.
        """
        stalled = self._rounds.stalled(self._number)
        return self._closure(halted, stalled), self._convergence(halted, stalled)

    def _closure(self, halted: str | None, stalled: str) -> Verdict:
        if self._left is not None:
            return _violated("closure", "the system was legitimate and is no more", *self._left)
        if halted is not None:
            return Unknown(halted)
        if self.rounds is None:
            return Unknown(NOT_LEGITIMATE)
        if not self._rounds.was_awake:
            return Unknown(NO_NODE_AWAKE)
        if self._rounds.was_round and not self._system.is_awake:
            return Holds(RESTED)
        if not self.rounds_after:
            return Unknown(NO_FURTHER_ROUND)
        return Unknown(stalled) if stalled else Holds(stayed(self.rounds_after))

    def _convergence(self, halted: str | None, stalled: str) -> Verdict:
        if self._late is not None:
            says = f"the system is not legitimate after {counted(self._bound, 'round')}"
            return _violated("convergence", says, *self._late)
        if halted is not None:
            return Unknown(halted)
        if self.rounds is not None and not self._rounds.was_awake:
            return Unknown(NO_NODE_AWAKE)
        if self.rounds is not None:
            return Holds(became(self.rounds, self._converged_at))
        if self._lacking is not None:
            return Unknown(premise_lacks(*self._lacking))
        return Unknown(stalled or not_yet(self._rounds.completed, self._bound))


def _violated(rule: str, says: str, number: int, node: str, faults: tuple[Fault, ...]) -> Violated:
    named = tuple(Difference(f"{f.rule} at {f.node}", f.expected, f.found) for f in faults[:MOST_NAMED])
    more = len(faults) - len(named)
    if more:
        says = f"{says}; {counted(more, 'further conjunct')} {'is' if more == 1 else 'are'} false"
    return Violated(number, rule, says, node, faults[0].source if faults else "", named)
