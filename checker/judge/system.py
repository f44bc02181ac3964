"""The whole system as a trace says it is, step after step: every node's state, and every message in flight."""

from typing import Any

from checker.judge.trace import Header, Sent, Step


class System:
    """Local states by name, messages in flight by id, and which ids have ever been given to a message.

    It follows the trace and judges nothing: after a step that should not have been, it still is where the trace says.
    """

    def __init__(self, header: Header) -> None:
        self.states: dict[str, Any] = dict(header.states)
        self.in_flight: dict[int, Sent] = {}
        self.given: dict[int, Sent] = {}
        self._put(header.messages)

    def _put(self, sent: list[Sent]) -> None:
        for message in sent:
            self.in_flight[message.id] = message
            self.given[message.id] = message

    def apply(self, step: Step) -> Sent | None:
        """Take the step. Returns the message that it consumed, if there was such a message in flight."""
        taken = self.in_flight.pop(step.took, None) if isinstance(step.took, int) else None
        if step.state is not None:
            self.states[step.node] = step.state
        self._put(step.sent)
        return taken
