"""Rounds: each waits for every node that is awake, and for the messages on their way to it."""

from gomboc.checker.judge.system import System
from gomboc.checker.judge.unknown import not_completed
from gomboc.checker.traces.trace import Step

STALLED = 5
"""A round with so many times the steps of the longest before it is not slow: it waits for an event that never comes."""


class Rounds:
    """Counts rounds.

    In each, every node that is awake takes a timeout, and every message that was in flight to such nodes is delivered.
    A node that falls asleep is not waited for any more, and neither are messages to it, nor lost ones. A node that
    wakes up is waited for from the next round on, and while no node is awake, no round is completed.

    `was_awake`: some node has been awake; `was_round`: a round was completed, even before the last command.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self.was_awake = system.is_awake
        self.was_round = False
        self.completed = self._longest = 0
        self._begin(0)

    def restart(self, number: int, step: Step) -> None:
        """Begin to count after step `number`, which the system has taken."""
        self._follow_sleep(step)
        self.completed = self._longest = 0
        self._begin(number)

    def _begin(self, number: int) -> None:
        self._since = number
        asleep, in_flight = self._system.asleep, self._system.in_flight
        self._waiting_nodes = set(self._system.states) - asleep
        self._waiting_messages = {id_ for id_, sent in in_flight.items() if sent.to not in asleep}
        self._waiting_messages -= self._system.lost
        self._began_awake = self._system.is_awake

    def _follow_sleep(self, step: Step) -> None:
        """The node of a step may fall asleep or wake up."""
        self.was_awake = self.was_awake or self._system.is_awake
        if self._system.fell_asleep(step):
            in_flight = self._system.in_flight
            self._waiting_nodes.discard(step.node)
            self._waiting_messages -= {id_ for id_, sent in in_flight.items() if sent.to == step.node}
            self._waiting_messages -= self._system.lost

    def observe(self, number: int, step: Step) -> None:
        """Record step `number`, which the system has taken."""
        self._follow_sleep(step)
        if step.took == "timeout":
            self._waiting_nodes.discard(step.node)
        elif isinstance(step.took, int):
            self._waiting_messages.discard(step.took)
        if self._waiting_nodes or self._waiting_messages:
            return
        if self._began_awake or self._system.is_awake:
            self.completed += 1
            self.was_round = True
            self._longest = max(self._longest, number - self._since)
            self._begin(number)

    def stalled(self, number: int) -> str:
        """A sentence on the pending events, if the round that runs at step `number` is far longer than all before it.

        Empty if it is not, and as long as no round was completed.
        """
        steps = number - self._since
        if not self.completed or steps < STALLED * self._longest:
            return ""
        waiting = [f"a timeout of {node}" for node in sorted(self._waiting_nodes)]
        in_flight = self._system.in_flight
        waiting += [f"message {id_} to {in_flight[id_].to}" for id_ in sorted(self._waiting_messages & set(in_flight))]
        return not_completed(steps, self._longest, waiting) if waiting else ""
