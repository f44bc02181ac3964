"""The outlet of a node: messages are sent, deliveries handed over, and steps shown to an observer.

Each output is carried out whatever the others raise.
"""

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Delivered,
    HeldAgain,
    HeldElsewhere,
    Implementation,
    Input,
    Output,
    Received,
    Refused,
    Send,
    SetTimer,
    Traced,
)
from gomboc.impl.core.failed import Failed
from gomboc.impl.core.trace import InFlight, Step, StepObserver
from gomboc.impl.runtime.configuration import HostConfig, NodeContext, Terms
from gomboc.impl.runtime.instances import StepResult, Timers
from gomboc.impl.runtime.topics import note, sealed
from gomboc.impl.runtime.transport import Parcel


class Turn(Struct, frozen=True):
    """One input of an instance; exceptions of what could not be carried out are in `failed`.

    If it is a message, it came in the `parcel`, and `heard` is what its sender wrote.
    """

    topic: str
    event: Input
    failed: Failed
    parcel: Parcel | None = None
    heard: Struct | None = None

    @property
    def took(self) -> Literal["timeout"] | int | Struct:
        """The input as a trace names it."""
        if isinstance(self.event, Commanded):
            return self.event.command
        return "timeout" if self.parcel is None else self.parcel.number


class Outlet:
    """The outlet of one node, for the outputs of all its instances."""

    def __init__(
        self,
        name: str,
        conduct: HostConfig,
        implementation: Implementation,
        agreement: str,
        around: NodeContext,
        timers: Timers,
    ) -> None:
        self._name, self._conduct, self._encode = name, conduct, implementation.encode
        self._usual = Terms(agreement, conduct.contacts)
        self._transport, self._witness, self._timers = around.transport, around.witness, timers

    def terms(self, topic: str) -> Terms:
        """What the nodes of a topic share."""
        return self._conduct.topics.get(topic, self._usual)

    def show(self, failed: Failed, told: Callable[[StepObserver], None]) -> None:
        """Tell the observer, if there is one."""
        if self._witness is not None:
            with failed:
                told(self._witness)

    def send(self, topic: str, outputs: Iterable[Output], failed: Failed) -> list[InFlight]:
        """Send the messages among the outputs; the ones that are sent."""
        sent: list[InFlight] = []
        agreement = self.terms(topic).agreement
        for output in outputs:
            if isinstance(output, Send):
                with failed:
                    leaver = self._conduct.leavers.leaver(topic, output.to)
                    written = sealed(topic, agreement, self._encode(output.message), leaver)
                    sent.append(InFlight(self._transport.send(output.to, written), output.to, output.message))
        return sent

    def send_note(self, topic: str, to: str, keys: tuple[str, ...], failed: Failed) -> None:
        """Tell a peer which of its items were refused, if any."""
        if keys:
            with failed:
                self._transport.send(to, note(topic, self.terms(topic).agreement, keys))

    def carry_out(self, turn: Turn, taken: StepResult) -> None:
        """Carry out the outputs of a step."""
        topic, failed = turn.topic, turn.failed
        delivered: list[object] = []
        handed: list[object] = []
        held: list[HeldElsewhere] = []
        coin: str | None = None
        # The timer first: whatever else fails, the instance goes on.
        for output in taken.outputs:
            if isinstance(output, SetTimer):
                self._timers.set(topic, output.at)
        sent = self.send(topic, taken.outputs, failed)
        for output in taken.outputs:
            match output:
                case Delivered(content):
                    delivered.append(content)
                    handed.append(content)
                case Refused(reason):
                    self._conduct.refusals.count(topic, reason, None if turn.parcel is None else turn.parcel.sender)
                case Traced(name):
                    coin = name
                case HeldAgain(content):
                    handed.append(content)
                case HeldElsewhere():
                    held.append(output)
        if self._witness is not None:
            step = Step(self._name, turn.took, taken.core.snapshot(), sent, tuple(delivered), coin)
            with failed:
                self._witness.took(topic, step, turn.event.message if isinstance(turn.event, Received) else None)
        for content in handed:
            with failed:
                self._conduct.hand_over(topic, content)
        self._report_holders(turn, held)

    def _report_holders(self, turn: Turn, held: list[HeldElsewhere]) -> None:
        if self._conduct.held_elsewhere is not None:
            if self._conduct.holders is not None and turn.heard is not None:
                said = self._conduct.holders(turn.heard)
                held += () if said is None else (said,)
            for holding in held:
                with turn.failed:
                    self._conduct.held_elsewhere(turn.topic, holding)
