"""Numbers for values, and inboxes: the messages in flight to one node, link by link."""

from collections.abc import Hashable, Mapping
from typing import Any

Queue = tuple[int, ...]
"""The messages on one link, by number, the earlier before the later."""

Inbox = tuple[tuple[str, Queue], ...]
"""The messages in flight to a node, by source, ascending; empty links are left out."""


class StateNumbers:
    """Values by number, in the order of first use."""

    def __init__(self, *first: Hashable) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Hashable, int] = {}
        for value in first:
            self.of(value)

    def of(self, value: Hashable) -> int:
        """The number of a value, a new one if it has none."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = len(self.values)
            self.values.append(value)
        return number


EMPTY = 0
"""The number of the empty inbox."""


class Inboxes:
    """Inboxes by number, and operations on them. Of consecutive equal messages `copies` are kept; None: all."""

    def __init__(self, copies: int | None) -> None:
        self._copies = copies
        self._numbers = StateNumbers(())
        self._put: dict[tuple[int, str, int], int] = {}
        self._saturated: dict[int, int] = {}

    def contents(self, number: int) -> Inbox:
        """The inbox of that number."""
        inbox: Inbox = self._numbers.values[number]
        return inbox

    def messages(self, number: int) -> Queue:
        """The messages in an inbox."""
        return tuple(message for _, queue in self.contents(number) for message in queue)

    def count(self, number: int, source: str) -> int:
        """The number of messages of a source in an inbox."""
        return len(dict(self.contents(number)).get(source, ()))

    def number(self, queues: Mapping[str, Queue]) -> int:
        """The number of the inbox with those queues."""
        return self._numbers.of(tuple((source, queues[source]) for source in sorted(queues) if queues[source]))

    def put(self, number: int, source: str, message: int) -> int:
        """The inbox with a further message."""
        key = number, source, message
        after = self._put.get(key)
        if after is None:
            queues = dict(self.contents(number))
            after = self._put[key] = self.number({**queues, source: (*queues.get(source, ()), message)})
        return after

    def without_first(self, number: int, source: str) -> int:
        """The inbox without the first message of a source."""
        queues = dict(self.contents(number))
        return self.number({**queues, source: queues[source][1:]})

    def without_last(self, number: int, source: str, lost: int) -> int:
        """The inbox without the last `lost` messages of a source."""
        queues = dict(self.contents(number))
        return self.number({**queues, source: queues[source][: len(queues[source]) - lost]})

    def saturated(self, number: int) -> int:
        """The inbox in which surplus consecutive copies of a message have coalesced."""
        reduced = self._saturated.get(number)
        if reduced is None:
            queues = {source: self._kept(queue) for source, queue in self.contents(number)}
            reduced = self._saturated[number] = self.number(queues)
        return reduced

    def _kept(self, queue: Queue) -> Queue:
        if self._copies is None:
            return queue
        kept: list[int] = []
        times = 0
        for before, message in zip((None, *queue), queue, strict=False):
            times = times + 1 if before == message else 1
            kept += [message] if times <= self._copies else []
        return tuple(kept)
