"""Record one trace in numbers: the row of a pack with the same content as the trace's lines."""

from array import array
from collections.abc import Mapping, Sequence

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, NONE, TIMEOUT
from gomboc.checker.replay.pack.write import TraceRow

Message = tuple[int, str, bytes]
"""A message given to the network: its id, the name of its target, and the text of its content."""

Taken = tuple[int, int, int]
"""The input of a step: its kind, the id of the message, and the number of its content or of the command."""

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
        return DELIVERY, number, self._given.get(number, NONE)

    def command(self, text: bytes) -> Taken:
        """The input of a step that takes this command."""
        return COMMAND, NONE, self._dictionary.messages[text]

    def take(
        self,
        node: str,
        taken: Taken,
        state: bytes,
        sent: Sequence[Message],
        coin: str | None = None,
        delivered: bytes | None = None,
        received: bytes | None = None,
    ) -> None:
        """Append a step. An unknown node has a state after it, and none before."""
        words, (way, number, content) = self._dictionary, taken
        known = node in self._roles
        before, after = self.now[node] if known else NONE, words.states[self._roles.get(node), state]
        heard = None if received is None else words.messages[received]
        sends = tuple([(to, words.messages[text]) for _, to, text in sent])
        self.events.append(words.steps[node, before, way, content, after, sends, coin, delivered, heard])
        self.took.append(number)
        for (id_, _, _), (_, sending) in zip(sent, sends, strict=True):
            self.sent.append(id_)
            self._given[id_] = sending
        if known:
            self.now[node] = after

    def happened(self, at: float) -> None:
        """Record the time of the last step, in seconds."""
        self._at[len(self.events) - 1] = at

    def claimed(self, node: str, before: bytes) -> None:
        """Record the state in which the node claims to have taken the last step."""
        self._claimed[len(self.events) - 1] = self._dictionary.states[self._roles.get(node), before]

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
