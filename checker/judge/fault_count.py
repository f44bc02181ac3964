"""The number of faults of a system, step after step: counted anew only after relevant changes."""

from collections.abc import Hashable
from typing import Any

from gomboc.checker.judge.exact import keyed
from gomboc.checker.judge.system import System
from gomboc.checker.traces.trace import Sent, Step
from gomboc.spec.core.faults import anchor_of
from gomboc.spec.core.protocol import Protocol


class FaultCount:
    """The number of faults of the system, kept up to date step by step.

    It depends on the anchor, which is computed anew when the share of a node changes, and that is rare. Messages in
    flight to a node that is asleep are no fault, and neither are lost ones.
    """

    def __init__(self, protocol: Protocol, system: System) -> None:
        self._protocol = protocol
        self._system, self._keyed = system, keyed(protocol)
        self._nodes: dict[str, int] = {}
        self._messages: dict[int, int] = {}
        self._known_states: dict[tuple[str, Hashable], int] = {}
        self._known_messages: dict[tuple[str, Hashable], int] = {}
        self._states = dict(system.states)
        self._anchor = anchor_of(protocol, system.states)
        self._count_everything()

    def _count_everything(self) -> None:
        protocol, system = self._protocol, self._system
        self._known_states.clear()
        self._known_messages.clear()
        self._at_anchor = len(protocol.legitimacy.anchor_faults(self._anchor))
        self._nodes = {name: self._in_node(name, state) for name, state in system.states.items()}
        self._messages = {id_: self._in_message(sent) for id_, sent in system.in_flight.items()}
        self.total = self._at_anchor + sum(self._nodes.values()) + sum(self._messages.values())

    def _in_node(self, name: str, state: Any) -> int:
        key = name, self._keyed(state)
        if key not in self._known_states:
            self._known_states[key] = len(self._protocol.legitimacy.node_faults(self._anchor, name, state))
        return self._known_states[key]

    def _in_message(self, sent: Sent) -> int:
        if sent.to in self._system.asleep or sent.id in self._system.lost:
            return 0
        key = sent.to, self._keyed(sent.message)
        if key not in self._known_messages:
            self._known_messages[key] = len(
                self._protocol.legitimacy.message_faults(self._anchor, sent.to, sent.message)
            )
        return self._known_messages[key]

    def observe(self, step: Step, taken: Sent | None) -> None:
        """Record a step that the system has taken, and the message that it consumed."""
        # Most steps change nothing, and equal texts of states are read as one object.
        changed = step.state is not None and step.state is not self._states[step.node]
        if changed and self._moves(step.node, step.state):
            self._count_everything()
        else:
            self._count_changes(step, taken, changed)

    def _moves(self, node: str, state: Any) -> bool:
        """Whether a node falls asleep or wakes up in that new state, or the anchor changes."""
        protocol, states = self._protocol, self._system.states
        before, self._states[node] = self._states[node], state
        wakes = self._system.was_asleep != (node in self._system.asleep)
        if protocol.legitimacy.share(state) == protocol.legitimacy.share(before):
            return wakes
        known, self._anchor = self._anchor, anchor_of(protocol, states)
        return wakes or bool(self._anchor != known)

    def _count_changes(self, step: Step, taken: Sent | None, changed: bool) -> None:
        if taken is not None:
            self.total -= self._messages.pop(taken.id)
        if changed:
            faults = self._in_node(step.node, step.state)
            self.total += faults - self._nodes[step.node]
            self._nodes[step.node] = faults
        for sent in step.sent:
            self.total -= self._messages.get(sent.id, 0)
            self._messages[sent.id] = self._in_message(sent)
            self.total += self._messages[sent.id]
