"""Identity of a node: its name, its position on the circle, and the common parameters."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from gomboc.impl.protocols.chord.circle import Circle
from gomboc.impl.protocols.chord.parameters import Parameters


@dataclass(frozen=True, slots=True)
class LocalIdentity:
    """One node, apart from its variables."""

    name: str
    id: int
    parameters: Parameters
    circle: Circle

    def way(self, name: str) -> int:
        """The clockwise distance from oneself to that node: 0 for oneself."""
        return self.circle.way(self.id, self.circle.id_of(name))

    def is_before(self, name: str, end: str | None) -> bool:
        """Whether that node lies strictly between oneself and the end; all other nodes do, if there is no end."""
        return self.circle.between(self.id, self.circle.id_of(name), self.id if end is None else self.circle.id_of(end))

    def is_behind(self, name: str, start: str | None) -> bool:
        """Whether that node lies strictly between the start and oneself; all other nodes do, if there is no start."""
        begin = self.id if start is None else self.circle.id_of(start)
        return self.circle.between(begin, self.circle.id_of(name), self.id)

    def shortened(self, names: Iterable[str]) -> tuple[str, ...]:
        """A list of successors out of these names: each once, none from oneself on, and r at most.

        Source: Zave, "How to Make Chord Correct", Section 4, `butLast`; here what is missing is not made up
        """
        kept = dict.fromkeys(takewhile(lambda name: name != self.name, names))
        return tuple(kept)[: self.parameters.r]
