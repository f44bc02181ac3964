"""Backlogs of deliveries for which a queue has no room: by key in the node's store, or as whole items."""

from collections import deque
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from gomboc.impl.publishing.publication import Publication

Item = TypeVar("Item")


class Backlog(Protocol[Item]):
    """Items that wait, in order."""

    def __len__(self) -> int:
        """The number of items that wait."""

    def add(self, item: Item) -> int:
        """Append an item; return how many waiting items have been lost for good."""

    def fetch(self, room: int) -> tuple[list[Item], int]:
        """Remove and return up to `room` items from the front, and how many items before them are lost for good."""

    def clear(self) -> None:
        """Remove all items."""


class MemoryBacklog(Generic[Item]):
    """Backlog that keeps whole items without a bound, for items that no store holds."""

    def __init__(self) -> None:
        self._waiting: deque[Item] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: Item) -> int:
        """Append an item."""
        self._waiting.append(item)
        return 0

    def fetch(self, room: int) -> tuple[list[Item], int]:
        """Remove and return up to `room` items from the front."""
        return [self._waiting.popleft() for _ in range(min(room, len(self._waiting)))], 0

    def clear(self) -> None:
        """Remove all items."""
        self._waiting.clear()


class Held(Protocol):
    """The publications that a node holds now, by key."""

    def get(self, key: str) -> Publication | None:
        """The publication with this key; None if it is not held."""

    def __contains__(self, key: object) -> bool:
        """Whether a publication with this key is held."""


class StoreBacklog:
    """Backlog that remembers only keys; `held` returns the publications in the node's store now, by key.

    There are at most twice as many keys as the store held when it was last read, or as many as the `capacity` of a
    queue.
    """

    def __init__(self, held: Callable[[], Held], capacity: int) -> None:
        self._held = held
        self._capacity = self._most = capacity
        self._keys: deque[str] = deque()

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, item: Publication) -> int:
        """Append a publication; if there are too many keys, drop those that the store no longer holds."""
        self._keys.append(item.key)
        if len(self._keys) <= self._most:
            return 0
        held, before = self._held(), len(self._keys)
        self._keys = deque(key for key in self._keys if key in held)
        self._most = max(self._capacity, 2 * len(self._keys))
        return before - len(self._keys)

    def fetch(self, room: int) -> tuple[list[Publication], int]:
        """Remove and return up to `room` publications from the front that the store still holds."""
        fetched: list[Publication] = []
        gone = 0
        held = self._held()
        while self._keys and len(fetched) < room:
            publication = held.get(self._keys.popleft())
            if publication is None:
                gone += 1
            else:
                fetched.append(publication)
        return fetched, gone

    def clear(self) -> None:
        """Remove all items."""
        self._keys.clear()
