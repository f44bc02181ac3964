"""Pending lookups. An answer names only the key's position, so it serves all lookups of that position."""

from collections.abc import Callable
from functools import partial

from gomboc.impl.core.failed import each

Answered = Callable[[str, str], None]
"""Called with the key and the name of the node that owns it."""


class Waiting:
    """The unanswered lookups of one node, by topic and by the position of the key."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], list[tuple[str, Answered]]] = {}

    def add(self, topic: str, position: str, key: str, answered: Answered) -> None:
        """Call `answered` when the owner of this key's position is known."""
        self._waiting.setdefault((topic, position), []).append((key, answered))

    def answer(self, topic: str, position: str, owner: str) -> None:
        """Call back all lookups of this position, in the order of their requests, and once."""
        waiting = self._waiting.pop((topic, position), [])
        each(*(partial(answered, key, owner) for key, answered in waiting))

    def forget(self, topic: str) -> None:
        """Drop all lookups of this topic."""
        for entry in [entry for entry in self._waiting if entry[0] == topic]:
            del self._waiting[entry]
