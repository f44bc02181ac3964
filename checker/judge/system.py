"""The whole system that a trace describes, step after step: every node's state, and every message in flight."""

from collections.abc import Iterable
from typing import Any

from gomboc.checker.traces.trace import Header, Sent, Step
from gomboc.spec.core.model import InFlight
from gomboc.spec.core.protocol import Discipline, Environment, Protocol, never_asleep


def is_command(step: Step) -> bool:
    """Whether a step takes a command."""
    took = step.took
    return took.__class__ is not int and took != "timeout"


class System:
    """Local states by name, messages in flight by id, and the ids that have ever been given to a message.

    It follows the trace and judges nothing: after a step that should not have been, it still is in the trace's state.

    `asleep` are the nodes that are asleep now; `was_asleep`: the node of the last step was, before that step. Under
    FIFO, `lost` are the ids of messages with a sender or target that has been asleep since they were sent: none of them
    need ever arrive. A lost message that arrives all the same, at a node that is awake, has `returned`: it counts as a
    new one. Without `protocol`, no node is asleep and nothing is lost.

    The last step `moved` if it took a command that changed the state of its node. It `begins_anew` if it may end
    legitimacy, so that rounds are counted anew from it on: it took a command that is not quiet, or a lost message.
    """

    def __init__(self, header: Header, protocol: Protocol | None = None) -> None:
        self.states: dict[str, Any] = dict(header.states)
        self.in_flight: dict[int, Sent] = {}
        self.given: dict[int, Sent] = {}
        self.lost: set[int] = set()
        self.returned = self.was_asleep = False
        self.moved = self.begins_anew = False
        environment = Environment() if protocol is None else protocol.environment
        self._is_asleep, self._is_quiet = environment.asleep, environment.is_quiet
        self._loses = protocol is not None and protocol.discipline is Discipline.FIFO
        self.asleep = {name for name, state in self.states.items() if self._is_asleep(state)}
        self._sender: dict[int, str] = {}
        self._put(header.messages)
        if self._loses:
            self._lose(header.messages)

    @property
    def now(self) -> tuple[dict[str, Any], InFlight]:
        """The states, and every message in flight that is not lost, in the specification's terms."""
        flying = ((sent.to, sent.message) for sent in self.in_flight.values() if sent.id not in self.lost)
        return self.states, tuple(flying)

    @property
    def is_awake(self) -> bool:
        """Whether some node is awake now."""
        return len(self.asleep) < max(1, len(self.states))

    def fell_asleep(self, step: Step) -> bool:
        """Whether the node of the last step has fallen asleep by it."""
        return not self.was_asleep and step.node in self.asleep

    def _put(self, sent: list[Sent]) -> None:
        for message in sent:
            self.in_flight[message.id] = message
            self.given[message.id] = message

    def apply(self, step: Step) -> Sent | None:
        """Take the step. Returns the message that it consumed, if there was such a message in flight."""
        taken = None
        self.moved = self.begins_anew = False
        if isinstance(step.took, int):
            taken = self.in_flight.pop(step.took, None)
        elif step.took != "timeout":
            self._take_command(step)
        if step.state is not None:
            self.states[step.node] = step.state
        self._put(step.sent)
        if self._is_asleep is not never_asleep:
            self._follow_sleep(step)
            self.returned = taken is not None and taken.id in self.lost and step.node not in self.asleep
        self.begins_anew |= self.returned
        return taken

    def _take_command(self, step: Step) -> None:
        self.moved = step.state is not None and step.state != self.states.get(step.node)
        self.begins_anew = not self._is_quiet(step.took, not self.moved and not step.sent)

    def _follow_sleep(self, step: Step) -> None:
        """Record whether the node of a step is asleep; under FIFO, cut the links of a node that falls asleep.

        Messages sent while an end of their link is asleep are lost, too.
        """
        self.was_asleep = step.node in self.asleep
        changes = step.state is not None and self._is_asleep(step.state) != self.was_asleep
        if changes:
            self.asleep ^= {step.node}
        if self._loses:
            self._sender |= dict.fromkeys((sent.id for sent in step.sent), step.node)
            self._lose(self.in_flight.values() if changes else step.sent)

    def _lose(self, messages: Iterable[Sent]) -> None:
        for sent in messages:
            if sent.to in self.asleep or self._sender.get(sent.id) in self.asleep:
                self.lost.add(sent.id)
