"""Closure and convergence of one run: the number of faults in the system over time, and rounds to measure it by."""

from typing import Any

from checker.judge.system import System
from checker.judge.trace import Sent, Step
from checker.judge.verdict import Difference, Holds, Unknown, Verdict, Violated
from spec.model import Fault
from spec.protocol import Protocol, anchor_of, legitimacy_faults

MOST_NAMED = 5
"""Faults that a verdict names at most."""


class FaultCount:
    """How many faults the system has, kept up to date step by step. The anchor decides, and rarely changes."""

    def __init__(self, protocol: Protocol, system: System) -> None:
        self._protocol = protocol
        self._system = system
        self._nodes: dict[str, int] = {}
        self._messages: dict[int, int] = {}
        self._known_states: dict[tuple[str, Any], int] = {}
        self._known_messages: dict[tuple[str, Any], int] = {}
        self._count_everything()

    def _count_everything(self) -> None:
        protocol, system = self._protocol, self._system
        self._known_states.clear()
        self._known_messages.clear()
        self._anchor = anchor_of(protocol, system.states)
        self._at_anchor = len(protocol.anchor_faults(self._anchor))
        self._nodes = {name: self._in_node(name, state) for name, state in system.states.items()}
        self._messages = {id_: self._in_message(sent) for id_, sent in system.in_flight.items()}
        self.total = self._at_anchor + sum(self._nodes.values()) + sum(self._messages.values())

    def _in_node(self, name: str, state: Any) -> int:
        key = name, state
        if key not in self._known_states:
            self._known_states[key] = len(self._protocol.node_faults(self._anchor, name, state))
        return self._known_states[key]

    def _in_message(self, sent: Sent) -> int:
        key = sent.to, sent.message
        if key not in self._known_messages:
            self._known_messages[key] = len(self._protocol.message_faults(self._anchor, sent.to, sent.message))
        return self._known_messages[key]

    def observe(self, step: Step, taken: Sent | None) -> None:
        """Take note of a step that the system has taken, and of the message that it consumed."""
        if anchor_of(self._protocol, self._system.states) != self._anchor:
            self._count_everything()
        else:
            self._count_changes(step, taken)

    def _count_changes(self, step: Step, taken: Sent | None) -> None:
        if taken is not None:
            self.total -= self._messages.pop(taken.id)
        if step.state is not None:
            faults = self._in_node(step.node, step.state)
            self.total += faults - self._nodes[step.node]
            self._nodes[step.node] = faults
        for sent in step.sent:
            self.total -= self._messages.get(sent.id, 0)
            self._messages[sent.id] = self._in_message(sent)
            self.total += self._messages[sent.id]


class Rounds:
    """Counts rounds: in each, every node takes a timeout and everything that was in flight is delivered."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.restart()

    def restart(self) -> None:
        """Begin to count at this point."""
        self.completed = 0
        self._begin()

    def _begin(self) -> None:
        self._waiting_nodes = set(self._system.states)
        self._waiting_messages = set(self._system.in_flight)

    def observe(self, step: Step) -> None:
        """Take note of a step that the system has taken."""
        if step.took == "timeout":
            self._waiting_nodes.discard(step.node)
        elif isinstance(step.took, int):
            self._waiting_messages.discard(step.took)
        if not self._waiting_nodes and not self._waiting_messages:
            self.completed += 1
            self._begin()


class Stabilisation:
    """Judges closure and convergence of one run, from the states and messages that the trace states.

    Commands divide the run: convergence is counted from the last one, and closure is judged between them.
    """

    def __init__(self, protocol: Protocol, system: System, bound: int) -> None:
        self._protocol = protocol
        self._system = system
        self._bound = bound
        self._faults = FaultCount(protocol, system)
        self._rounds = Rounds(system)
        self._left: Violated | None = None
        self._late: Violated | None = None
        self._begin(0)

    def _begin(self, number: int) -> None:
        """Begin to wait for legitimacy, at the start or after a command."""
        self._rounds.restart()
        self._late = None
        self.rounds: int | None = None
        self._converged_at = number
        if not self._faults.total:
            self.rounds = 0
        elif not self._bound:
            self._late = self._violated_late(number)

    @property
    def rounds_after(self) -> int:
        """Rounds completed since the system became legitimate; 0 if it did not."""
        return 0 if self.rounds is None else max(0, self._rounds.completed - self.rounds)

    @property
    def rounds_completed(self) -> int:
        """Rounds completed since the start or the last command."""
        return self._rounds.completed

    def observe(self, number: int, step: Step, taken: Sent | None) -> None:
        """Take note of step `number`, which the system has taken."""
        self._faults.observe(step, taken)
        if step.took != "timeout" and not isinstance(step.took, int):
            return self._begin(number)
        running = self._rounds.completed + 1
        self._rounds.observe(step)
        legitimate = not self._faults.total
        if self.rounds is None and legitimate:
            self.rounds, self._converged_at = running, number
        elif self.rounds is not None and not legitimate and self._left is None:
            self._left = self._violated(number, step.node, "closure", "the system was legitimate and is no more")
        elif self.rounds is None and self._late is None and self._rounds.completed >= self._bound:
            self._late = self._violated_late(number)
        return None

    def _violated_late(self, number: int) -> Violated:
        return self._violated(number, "", "convergence", f"the system is not legitimate after {self._bound} rounds")

    def _violated(self, number: int, node: str, rule: str, says: str) -> Violated:
        faults = current_faults(self._protocol, self._system)
        named = tuple(Difference(f"{f.rule} at {f.node}", f.expected, f.found) for f in faults[:MOST_NAMED])
        more = len(faults) - len(named)
        says = says if not more else f"{says}; {more} further conjuncts are false"
        return Violated(number, rule, says, node, faults[0].source if faults else "", named)

    def closure(self) -> Verdict:
        """Whether the system stayed legitimate once it was."""
        if self._left is not None:
            return self._left
        if self.rounds is None:
            return Unknown("the system has not been legitimate since the start or the last command")
        return Holds(f"legitimate for {self.rounds_after} further rounds, to the end of the trace")

    def convergence(self) -> Verdict:
        """Whether the system became legitimate within its bound."""
        if self._late is not None:
            return self._late
        if self.rounds is not None:
            return Holds(f"legitimate after {self.rounds} rounds, at step {self._converged_at}")
        done = self._rounds.completed
        return Unknown(f"the trace ends after {done} rounds, and the bound is {self._bound}: not legitimate yet")


def current_faults(protocol: Protocol, system: System) -> tuple[Fault, ...]:
    """Every fault of the system as it is now."""
    in_flight = tuple((sent.to, sent.message) for sent in system.in_flight.values())
    return legitimacy_faults(protocol, system.states, in_flight)
