"""Who waits for which lookup. Nobody knows which question an answer belongs to: all who wait for its place have it."""

from collections.abc import Callable

Answered = Callable[[str, str], None]
"""Called with the key and the name of the node that owns it."""


class Waiting:
    """The lookups of one node that are not answered yet, by topic and by the place of the key."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], list[tuple[str, Answered]]] = {}

    def add(self, topic: str, position: str, key: str, answered: Answered) -> None:
        """Have whoever asked for this key called when its place has an owner."""
        self._waiting.setdefault((topic, position), []).append((key, answered))

    def answer(self, topic: str, position: str, owner: str) -> None:
        """Call everybody who waits for this place, in the order in which they asked, and once."""
        for key, answered in self._waiting.pop((topic, position), []):
            answered(key, owner)

    def forget(self, topic: str) -> None:
        """Nobody waits in this topic any more."""
        for entry in [entry for entry in self._waiting if entry[0] == topic]:
            del self._waiting[entry]
