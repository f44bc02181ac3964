"""A trace as events: the node and input of each step, the source of each message, and the causal order."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.judge.system import System
from gomboc.checker.traces.trace import Header, Sent, Step, open_trace

Clock = Mapping[str, int]
"""A vector clock: for each node, the number of its steps that are known."""


class TakenInput(msgspec.Struct, frozen=True):
    """A message that is delivered: its id, kind and content, and the step that sent it; 0 before the first step."""

    id: int
    kind: str
    content: Any
    sender: str
    sent_at: int


class Event(msgspec.Struct, frozen=True):
    """Step `number`: the node, its input in a word, the message if it took one, its messages, and its clock then."""

    number: int
    node: str
    what: str
    taken: TakenInput | None
    step: Step
    clock: Clock


class EventLog(msgspec.Struct, frozen=True):
    """A whole trace: its name and header, and an event for each step."""

    name: str
    header: Header
    events: tuple[Event, ...]


def story_of(path: Path) -> EventLog:
    """The events of the trace at `path`. Raises UsageError if it cannot be read."""
    with open_trace(path) as reader:
        teller = _Teller(reader.header)
        events = tuple(teller.tell(number, step) for number, step in enumerate(reader.steps(), 1))
        return EventLog(path.name, reader.header, events)


class _Teller:
    def __init__(self, header: Header) -> None:
        self._system = System(header)
        self._clocks: dict[str, dict[str, int]] = {}
        self._sent: dict[int, tuple[str, int, Clock]] = {}

    def tell(self, number: int, step: Step) -> Event:
        """The event of the next step."""
        taken = self._taken(step)
        clock = self._clocks.setdefault(step.node, {})
        if taken is not None and taken.id in self._sent:
            for node, steps in self._sent[taken.id][2].items():
                clock[node] = max(clock.get(node, 0), steps)
        clock[step.node] = clock.get(step.node, 0) + 1
        self._system.apply(step)
        now = dict(clock)
        self._sent |= {sent.id: (step.node, number, now) for sent in step.sent}
        return Event(number, step.node, _what(step, taken), taken, step, now)

    def _taken(self, step: Step) -> TakenInput | None:
        sent = self._system.given.get(step.took) if isinstance(step.took, int) else None
        if sent is None:
            return None
        sender, number, _ = self._sent.get(sent.id, ("", 0, {}))
        return TakenInput(sent.id, kind_of(sent.message), msgspec.to_builtins(sent.message), sender, number)


def kind_of(value: Any) -> str:
    """The kind of a message or command, as its trace names it."""
    plain = msgspec.to_builtins(value)
    return str(plain.get("kind", "message")) if isinstance(plain, dict) else "message"


def _what(step: Step, taken: TakenInput | None) -> str:
    if taken is not None:
        return taken.kind
    if isinstance(step.took, int):
        return "a message that was never sent"
    return "timeout" if step.took == "timeout" else kind_of(step.took)


def sent_kinds(sent: list[Sent]) -> list[str]:
    """The kinds of those messages."""
    return [kind_of(message.message) for message in sent]
