"""Deliveries to an application: first the publications held already, then a bounded queue with a stated policy."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from operator import add
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason, RefusedError
from gomboc.impl.publishing.backlog import Backlog

Item = TypeVar("Item")


class Policy(Enum):
    """Handling of a delivery for which the queue has no room. The protocol itself goes on under each policy."""

    BLOCK = "block"
    """The delivery waits, in the node's store if there is one, until the application has taken the queued ones. A
    waiting delivery that retention drops is counted as dropped."""
    DROP_OLDEST = "drop oldest"
    """The oldest delivery in the queue is removed, and counted as dropped."""
    DISCONNECT = "disconnect"
    """The delivery is counted as dropped. The application gets the queued ones, and then the refusal `too_slow`."""


class Queueing(Struct, frozen=True):
    """Bound of a queue; `capacity` counts publications, 1 or more."""

    policy: Policy = Policy.BLOCK
    capacity: int = 1024

    def __post_init__(self) -> None:
        """Refuse a queue without room with `UsageError`."""
        if self.capacity < 1:
            raise UsageError(f"A queue has room for 1 publication or more, not for {self.capacity}.")


class Counted(Struct, frozen=True):
    """Numbers of deliveries taken by the application, in a queue, waiting in the store, and dropped."""

    delivered: int = 0
    queued: int = 0
    waiting: int = 0
    dropped: int = 0

    def __add__(self, other: "Counted") -> "Counted":
        """The sums."""
        return Counted(*map(add, astuple(self), astuple(other)))


class Counters(Struct, frozen=True):
    """Numbers of deliveries by their state, and of refusals by their reason."""

    deliveries: Counted
    refused: Mapping[str, int]


class Deliveries(Generic[Item]):
    """An asynchronous iterator over publications, each once.

    First comes `history`, which no policy drops, and then the queue; `backlog` holds deliveries that wait for room.
    Iteration ends after `end()` once all queued and waiting deliveries were taken; after `close()` at once. `lost` is
    called with each that DROP_OLDEST removes.
    """

    def __init__(self, queueing: Queueing, history: Iterable[Item], backlog: Backlog[Item]) -> None:
        self._queueing = queueing
        self._history = deque(history)
        self._queue: deque[Item] = deque()
        self._backlog = backlog
        self._delivered = self._dropped = 0
        self._ended = self._too_slow = False
        self._changed = asyncio.Event()
        self.lost: Callable[[Item], None] | None = None

    @property
    def over(self) -> bool:
        """Whether no more deliveries will come, and all were taken or dropped."""
        return self._ended and not self._history and not self._queue and not self._backlog

    @property
    def counted(self) -> Counted:
        """The counts so far; history that was not taken yet counts as queued."""
        queued = len(self._history) + len(self._queue)
        return Counted(self._delivered, queued, len(self._backlog), self._dropped)

    def put(self, publication: Item) -> None:
        """Queue a publication, or apply the policy if there is no room. It never waits."""
        if self._ended:
            return
        if not self._backlog and len(self._queue) < self._queueing.capacity:
            self._queue.append(publication)
        else:
            self._overflow(publication)
        self._changed.set()

    def take(self) -> Item | None:
        """The next publication; None if there is none now."""
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
        """Accept no more publications."""
        self._ended = True
        self._changed.set()

    def close(self) -> None:
        """End, and count the deliveries that the application has not taken as dropped."""
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
            await self.change()
        return publication

    async def change(self) -> None:
        """Wait until there may be a publication; StopAsyncIteration at the end, `RefusedError` (too_slow) as above."""
        if self._too_slow:
            says = "The queue is full and disconnects; open the deliveries again, and all that is held comes first."
            raise RefusedError(Reason.TOO_SLOW, says)
        if self._ended:
            raise StopAsyncIteration
        self._changed.clear()
        await self._changed.wait()

    def wake(self) -> None:
        """Let a reader that waits look again."""
        self._changed.set()

    def _overflow(self, publication: Item) -> None:
        match self._queueing.policy:
            case Policy.BLOCK:
                self._dropped += self._backlog.add(publication)
            case Policy.DROP_OLDEST:
                oldest = self._queue.popleft()
                self._queue.append(publication)
                self._dropped += 1
                if self.lost is not None:
                    self.lost(oldest)
            case Policy.DISCONNECT:
                self._dropped += 1
                self._ended = self._too_slow = True


class Opened(Generic[Item]):
    """The open deliveries of one reader of a node, and the counts of those that are over."""

    def __init__(self) -> None:
        self._open: list[Deliveries[Item]] = []
        self._closed = Counted()

    @property
    def counted(self) -> Counted:
        """The counts so far, over open and finished deliveries."""
        return sum((deliveries.counted for deliveries in self._open), self._closed)

    def add(self, opened: Deliveries[Item]) -> Deliveries[Item]:
        """Add deliveries, and replace those that are over by their counts."""
        for deliveries in [deliveries for deliveries in self._open if deliveries.over]:
            self._open.remove(deliveries)
            self._closed += deliveries.counted
        self._open.append(opened)
        return opened

    def put(self, publication: Item) -> None:
        """Put the publication into each queue."""
        for deliveries in self._open:
            deliveries.put(publication)

    def end(self) -> None:
        """End all of them."""
        for deliveries in self._open:
            deliveries.end()
