"""Record one trace in numbers: the row of a pack with the same content as the trace's lines."""

from array import array
from collections.abc import Iterable, Mapping, Sequence

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import DELIVERY, NONE, Given
from gomboc.checker.replay.pack.write import TraceRow

Message = tuple[int, str, bytes]
"""A message given to the network: its id, the name of its target, and the text of its content."""

NumberedStep = tuple[str, int, int, int, int]
"""A step in numbers of the dictionary: node, kind of input, command, state after, and all that it gives."""


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

    def state(self, node: str, text: bytes) -> int:
        """The number of a state of that node."""
        return self._dictionary.states[self._roles.get(node), text]

    def message(self, text: bytes) -> int:
        """The number of a content."""
        return self._dictionary.messages[text]

    def gives(self, row: Given) -> int:
        """The number of all that a step gives."""
        return self._dictionary.given[row]

    def take(self, steps: Iterable[NumberedStep], taken: Iterable[int], sent: Iterable[int]) -> None:
        """Append steps, and the ids of all messages that they take and send.

        An unknown node has a state after its step, and none before. A message has no content if it was not sent so far.
        """
        known, now, contents, events, took = self._dictionary.steps, self.now, self._given, self.events, self.took
        ids, numbers, rows = array("q", sent), iter(taken), self._dictionary.given.in_order
        self.sent += ids
        position = 0
        for node, way, content, after, gives in steps:
            before, number = now.get(node, NONE), NONE
            if way == DELIVERY:
                number = next(numbers)
                content = contents.get(number, NONE)
            events.append(known[node, before, way, content, after, gives])
            took.append(number)
            for _, sending in rows[gives][0]:
                contents[ids[position]] = sending
                position += 1
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
