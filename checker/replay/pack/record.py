"""Record one trace in numbers: the row of a pack with the same content as the trace's lines."""

from array import array
from collections.abc import Mapping, Sequence

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import NONE, Given
from gomboc.checker.replay.pack.write import TraceRow

Message = tuple[int, str, bytes]
"""A message given to the network: its id, the name of its target, and the text of its content."""


class Recorder:
    """A recording of one trace, from its start on. Texts are JSON exactly as the trace writes it.

    `now` is the number of every node's state; `start` has the messages in flight before the first step, by id: the
    target, and the number of the content. `steps` numbers local steps. `events`, `took` and `sent` are those columns of
    the row.
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
        self.steps = dictionary.steps
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
