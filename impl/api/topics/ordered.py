"""Deliveries in each publisher's order, with a report of whatever is missing."""

from collections import deque

from gomboc.impl.publishing.deliveries import Deliveries
from gomboc.impl.publishing.ordering import Missing, Ordered, Ordering
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.runtime.clock import Clock


class OrderedDeliveries:
    """An asynchronous iterator over the same publications as `arrivals`, and over what is `Missing` among them.

    What is held back for an earlier one is in memory, and was taken from the queue of arrivals.
    """

    def __init__(self, arrivals: Deliveries[Publication], ordering: Ordering, clock: Clock) -> None:
        self._arrivals, self._ordering, self._clock = arrivals, ordering, clock
        self._ready: deque[Ordered] = deque()
        self._alarm: float | None = None
        arrivals.lost = ordering.lose

    @property
    def over(self) -> bool:
        """Whether no more will come, and all was taken."""
        return self._arrivals.over and not self._ready and not len(self._ordering)

    @property
    def held_back(self) -> int:
        """The number of publications that wait for an earlier one of their publisher."""
        return len(self._ordering)

    def take(self) -> Publication | Missing | None:
        """The next publication, or report of missing ones; None if there is none now."""
        while not self._ready and (arrived := self._arrivals.take()) is not None:
            self._ready.extend(self._ordering.put(arrived, self._clock.now()))
        if not self._ready:
            now = self._clock.now()
            self._ready.extend(self._ordering.flush(now) if self._arrivals.over else self._ordering.expire(now))
        return self._ready.popleft() if self._ready else None

    def close(self) -> None:
        """End, and deliver nothing more."""
        self._arrivals.close()
        self._ordering.flush(self._clock.now())
        self._ready.clear()

    def __aiter__(self) -> "OrderedDeliveries":
        """The iterator itself."""
        return self

    async def __anext__(self) -> Publication | Missing:
        """The next one, as soon as it is in order; `RefusedError` (too_slow) if the queue has disconnected."""
        while (item := self.take()) is None:
            self._set_alarm()
            await self._arrivals.change()
        return item

    def _set_alarm(self) -> None:
        """Look again when patience with a gap ends."""
        due = self._ordering.due
        if due is not None and due != self._alarm:
            self._alarm = due
            self._clock.call_at(due, self._arrivals.wake)
