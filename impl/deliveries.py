"""Deliveries on their way to an application: what is held already, then a bounded queue with a stated policy."""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Generic, TypeVar

from msgspec import Struct

from gomboc.impl.backlog import Backlog
from gomboc.impl.errors import UsageError
from gomboc.impl.reasons import Reason, RefusedError

Item = TypeVar("Item")


class Policy(Enum):
    """What happens to a delivery for which the queue has no room. The protocol itself goes on under each of them."""

    BLOCK = "block"
    """It waits, in the node's store if there is one; it comes when the application has taken what is queued. What
    retention drops meanwhile is counted as dropped."""
    DROP_OLDEST = "drop oldest"
    """The oldest in the queue makes room, and is counted as dropped."""
    DISCONNECT = "disconnect"
    """It is counted as dropped. The application gets what is queued, and then the refusal `too_slow`."""


class Queueing(Struct, frozen=True):
    """How a queue is bounded; `capacity` counts publications, 1 or more."""

    policy: Policy = Policy.BLOCK
    capacity: int = 1024

    def __post_init__(self) -> None:
        """Refuse a queue without room with `UsageError`."""
        if self.capacity < 1:
            raise UsageError(f"A queue has room for 1 publication or more, not for {self.capacity}.")


class Counted(Struct, frozen=True):
    """What became of deliveries: taken by the application, in a queue, waiting in the store, and dropped."""

    delivered: int = 0
    queued: int = 0
    waiting: int = 0
    dropped: int = 0

    def __add__(self, other: "Counted") -> "Counted":
        """The sums."""
        return Counted(
            self.delivered + other.delivered,
            self.queued + other.queued,
            self.waiting + other.waiting,
            self.dropped + other.dropped,
        )


class Counters(Struct, frozen=True):
    """What became of deliveries, and how much was refused for each reason."""

    deliveries: Counted
    refused: Mapping[str, int]


class Deliveries(Generic[Item]):
    """An asynchronous iterator over publications, each once.

    First comes `history`, which no policy drops, and then what is put into the queue; `backlog` is where it waits for
    room. Iteration ends after `end()`, once all that is queued or waits was taken; after `close()` at once.
    """

    def __init__(self, queueing: Queueing, history: Iterable[Item], backlog: Backlog[Item]) -> None:
        self._queueing = queueing
        self._history = deque(history)
        self._queue: deque[Item] = deque()
        self._backlog = backlog
        self._delivered = self._dropped = 0
        self._ended = self._too_slow = False
        self._changed = asyncio.Event()

    @property
    def over(self) -> bool:
        """Whether nothing will come any more, and everything was taken or dropped."""
        return self._ended and not self._history and not self._queue and not self._backlog

    @property
    def counted(self) -> Counted:
        """What became of everything so far; history that was not taken yet counts as queued."""
        queued = len(self._history) + len(self._queue)
        return Counted(self._delivered, queued, len(self._backlog), self._dropped)

    def put(self, publication: Item) -> None:
        """Put into the queue what the node has just been given, or do what the policy says. It never waits."""
        if self._ended:
            return
        if not self._backlog and len(self._queue) < self._queueing.capacity:
            self._queue.append(publication)
        else:
            self._overflow(publication)
        self._changed.set()

    def take(self) -> Item | None:
        """The next publication, if there is one now."""
        if not self._history and not self._queue and self._backlog:
            fetched, gone = self._backlog.fetch(self._queueing.capacity)
            self._queue.extend(fetched)
            self._dropped += gone
        source = self._history or self._queue
        if not source:
            return None
        self._delivered += 1
        return source.popleft()

    def end(self) -> None:
        """Nothing more comes."""
        self._ended = True
        self._changed.set()

    def close(self) -> None:
        """The application takes no more; what it has not taken counts as dropped."""
        self._dropped += len(self._history) + len(self._queue) + len(self._backlog)
        for queue in (self._history, self._queue, self._backlog):
            queue.clear()
        self.end()

    def __aiter__(self) -> "Deliveries[Item]":
        """The iterator itself."""
        return self

    async def __anext__(self) -> Item:
        """The next publication, as soon as there is one; `RefusedError` (too_slow) if the queue has disconnected."""
        while (publication := self.take()) is None:
            if self._too_slow:
                says = "The queue is full and disconnects; open the deliveries again, and all that is held comes first."
                raise RefusedError(Reason.TOO_SLOW, says)
            if self._ended:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        return publication

    def _overflow(self, publication: Item) -> None:
        match self._queueing.policy:
            case Policy.BLOCK:
                self._dropped += self._backlog.add(publication)
            case Policy.DROP_OLDEST:
                self._queue.popleft()
                self._queue.append(publication)
                self._dropped += 1
            case Policy.DISCONNECT:
                self._dropped += 1
                self._ended = self._too_slow = True


class Opened(Generic[Item]):
    """The deliveries that are open for one reader of a node, and what those that are over have counted."""

    def __init__(self) -> None:
        self._open: list[Deliveries[Item]] = []
        self._closed = Counted()

    @property
    def counted(self) -> Counted:
        """What became of everything so far."""
        return sum((deliveries.counted for deliveries in self._open), self._closed)

    def add(self, opened: Deliveries[Item]) -> Deliveries[Item]:
        """Have one more, and keep no more of those that are over than what was counted."""
        for deliveries in [deliveries for deliveries in self._open if deliveries.over]:
            self._open.remove(deliveries)
            self._closed += deliveries.counted
        self._open.append(opened)
        return opened

    def put(self, publication: Item) -> None:
        """Put it into each queue."""
        for deliveries in self._open:
            deliveries.put(publication)

    def end(self) -> None:
        """Nothing more comes to any of them."""
        for deliveries in self._open:
            deliveries.end()
