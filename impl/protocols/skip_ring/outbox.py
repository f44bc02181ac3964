"""Outputs of a step, collected while its rules run."""

from gomboc.impl.core.automaton import Output, Send
from gomboc.impl.core.vocabulary import Message
from gomboc.impl.protocols.skip_ring.messages import GetConfiguration


class Outbox:
    """The outputs of one subscriber's current step."""

    __slots__ = ("_supervisor", "outputs")

    def __init__(self, supervisor: str) -> None:
        self._supervisor = supervisor
        self.outputs: list[Output] = []

    def tell(self, node: str, message: Message) -> None:
        """Send a message."""
        self.outputs.append(Send(node, message))

    def ask_about(self, node: str) -> None:
        """Have the supervisor send this node its configuration."""
        self.outputs.append(Send(self._supervisor, GetConfiguration(node)))

    def drain(self) -> list[Output]:
        """All outputs since the last call."""
        drained, self.outputs = self.outputs, []
        return drained
