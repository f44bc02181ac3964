"""The lines of a trace, as `traces/README.md` names them, and the interface of what observes steps."""

from typing import Any, Literal, Protocol

from msgspec import Raw, Struct


class InFlight(Struct, frozen=True, gc=False):
    """A message in flight: its number, unique in the trace; its receiver; its content."""

    id: int
    to: str
    message: Any


class Step(Struct, frozen=True, omit_defaults=True, gc=False):
    """A node's step: its input, its whole state afterwards, the messages and deliveries, and perhaps its time."""

    node: str
    took: Literal["timeout"] | int | Struct
    state: Raw
    sent: list[InFlight]
    delivered: tuple[Any, ...] = ()
    coin: str | None = None
    at: float | None = None


class StepObserver(Protocol):
    """Observer of a node's steps, topic by topic; a recorder, for instance."""

    def began(self, topic: str, node: str, role: str, state: Raw) -> None:
        """The node's instance of this topic is in this state before its next step.

        Called before the first step of an instance, maybe before others, and before the next one if it has raised.
        """

    def took(self, topic: str, step: Step, message: Struct | None) -> None:
        """The node has taken this step, with this message if the input was a message."""

    def crashed(self, node: str) -> None:
        """The node has crashed: it has lost the instances of all topics."""

    def gone(self, topic: str, node: str) -> None:
        """There is no node of this name; answers are due, and its state is to be known before its next step."""

    def missed(self, topic: str, node: str, number: int, message: Struct) -> None:
        """This message was for a node that does not exist, and no answer is due."""

    def started(self, node: str) -> None:
        """A node of this name starts, without any instance; if there was one before, that one has crashed."""
