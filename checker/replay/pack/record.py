"""Record one trace in numbers: the row of a pack with the same content as the trace's lines."""

from array import array
from collections.abc import Iterable, Mapping, Sequence

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, NONE, TIMEOUT
from gomboc.checker.replay.pack.write import TraceRow

Message = tuple[int, str, bytes]
"""A message given to the network: its id, the name of its target, and the text of its content."""

Taken = tuple[int, int, int]
"""The input of a step: its kind, the id of the message, and the number of its content or of the command."""

NumberedStep = tuple[str, Taken, int, tuple[tuple[str, int], ...], str | None, bytes | None, int | None]
"""A step in numbers of the dictionary: node, input, state after, sends, coin, deliveries as text, received content."""

NOTHING: Taken = TIMEOUT, NONE, NONE
"""The input of a timeout."""


class Recorder:
    """A recording of one trace, from its start on. Texts are JSON exactly as the trace writes it.

    `now` is the number of every node's state; `start` has the messages in flight before the first step, by id: the
    target, and the number of the content. `events`, `took` and `sent` are those columns of the row.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        header: bytes,
        roles: Mapping[str, str],
        states: Mapping[str, bytes],
        messages: Sequence[Message],
    ) -> None:
        self._dictionary = dictionary
        self._header = header
        self._roles = roles
        self.now = {name: dictionary.states[role, states[name]] for name, role in roles.items()}
        self._first = array("i", self.now.values())
        self._initial = [(number, to, dictionary.messages[text]) for number, to, text in messages]
        self.start = {number: (to, content) for number, to, content in self._initial}
        self._given = {number: content for number, _, content in self._initial}
        self.events, self.took, self.sent = array("i"), array("q"), array("q")
        self._at: dict[int, float] = {}
        self._claimed: dict[int, int] = {}

    def delivery(self, number: int) -> Taken:
        """The input of a step that takes this message. It has no content if the message has not been sent so far."""
        return DELIVERY, number, NONE

    def command(self, text: bytes) -> Taken:
        """The input of a step that takes this command."""
        return COMMAND, NONE, self._dictionary.messages[text]

    def state(self, node: str, text: bytes) -> int:
        """The number of a state of that node."""
        return self._dictionary.states[self._roles.get(node), text]

    def message(self, text: bytes) -> int:
        """The number of a content."""
        return self._dictionary.messages[text]

    def take(self, steps: Iterable[NumberedStep], sent: Iterable[int]) -> None:
        """Append steps, and the ids of all messages that they send.

        An unknown node has a state after its step, and none before.
        """
        known, now, given, events, took = self._dictionary.steps, self.now, self._given, self.events, self.took
        ids = array("q", sent)
        self.sent += ids
        place = 0
        for node, (way, number, content), after, sends, coin, delivered, heard in steps:
            before = now.get(node, NONE)
            if way == DELIVERY:
                content = given.get(number, NONE)
            events.append(known[node, before, way, content, after, sends, coin, delivered, heard])
            took.append(number)
            for _, sending in sends:
                given[ids[place]] = sending
                place += 1
            if before != NONE:
                now[node] = after

    def happened(self, step: int, at: float) -> None:
        """Record the time of a step, by index, in seconds."""
        self._at[step] = at

    def claimed(self, step: int, before: int) -> None:
        """Record the number of the state in which the node claims to have taken a step, by index."""
        self._claimed[step] = before

    def row(self, name: str) -> TraceRow:
        """The trace so far, under that name."""
        steps, index = range(len(self.events)), {node: position for position, node in enumerate(self._roles)}
        return TraceRow(
            name=name,
            header=self._header,
            first=self._first,
            initial=array("q", [number for number, _, _ in self._initial]),
            initial_to=array("i", [index.get(to, NONE) for _, to, _ in self._initial]),
            initial_content=array("i", [content for _, _, content in self._initial]),
            events=self.events,
            took=self.took,
            sent=self.sent,
            at=[self._at.get(step) for step in steps] if self._at else None,
            claimed=array("i", [self._claimed.get(step, NONE) for step in steps]) if self._claimed else None,
        )
