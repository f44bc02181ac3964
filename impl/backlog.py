"""Where deliveries wait for which a queue has no room: in the node's store, by their keys, or whole."""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeVar

from gomboc.impl.publication import Publication

Item = TypeVar("Item")


class Backlog(Protocol[Item]):
    """What waits, in order."""

    def __len__(self) -> int:
        """How many wait."""

    def add(self, item: Item) -> int:
        """Let one wait, and say how many of those that waited are gone for good."""

    def fetch(self, room: int) -> tuple[list[Item], int]:
        """At most so many, the first ones; and how many of those before them are gone for good."""

    def clear(self) -> None:
        """Let nothing wait any more."""


class Whole(Generic[Item]):
    """Waits as it is, as long as it takes: for what nobody else holds."""

    def __init__(self) -> None:
        self._waiting: deque[Item] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: Item) -> int:
        """Let one wait."""
        self._waiting.append(item)
        return 0

    def fetch(self, room: int) -> tuple[list[Item], int]:
        """At most so many, the first ones."""
        return [self._waiting.popleft() for _ in range(min(room, len(self._waiting)))], 0

    def clear(self) -> None:
        """Let nothing wait any more."""
        self._waiting.clear()


class InStore:
    """Waits in the node's store, of which `held` says what it holds now, by key: only keys are remembered here.

    Of these there are no more than twice what the store held when it was last looked at, or the `capacity` of a queue.
    """

    def __init__(self, held: Callable[[], Mapping[str, Publication]], capacity: int) -> None:
        self._held = held
        self._capacity = self._most = capacity
        self._keys: deque[str] = deque()

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, item: Publication) -> int:
        """Let one wait; if that is too many, forget those that the store has let go."""
        self._keys.append(item.key)
        if len(self._keys) <= self._most:
            return 0
        held, before = self._held(), len(self._keys)
        self._keys = deque(key for key in self._keys if key in held)
        self._most = max(self._capacity, 2 * len(self._keys))
        return before - len(self._keys)

    def fetch(self, room: int) -> tuple[list[Publication], int]:
        """At most so many, the first ones that the store still holds."""
        fetched: list[Publication] = []
        gone = 0
        held = self._held() if self._keys else {}
        while self._keys and len(fetched) < room:
            publication = held.get(self._keys.popleft())
            if publication is None:
                gone += 1
            else:
                fetched.append(publication)
        return fetched, gone

    def clear(self) -> None:
        """Let nothing wait any more."""
        self._keys.clear()
