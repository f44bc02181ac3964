"""Each publisher's order: a publication is held back until all that came before it are there, or known to be missing.

The numbers of an incarnation are dense in a topic, and its first publication may say the number before it. So a reader
knows of a gap from the numbers alone. A gap is known to be missing if retention lets nothing in it be stored any more,
or if it lasts longer than the reader's patience.
"""

from bisect import insort
from collections import deque
from heapq import heappop, heappush

from msgspec import Struct

from gomboc.impl.publishing import payloads
from gomboc.impl.publishing.numbers import MOST_PER_INCARNATION, incarnation_of, is_first
from gomboc.impl.publishing.publication import Publication


class Missing(Struct, frozen=True, order=True):
    """The publications of a publisher with these numbers, the last one included, are not delivered any more."""

    publisher: str
    first: int
    last: int


Ordered = Publication | Missing


def before(number: int, item: Ordered) -> int | None:
    """The number of the publication before the one of this number, as far as it is said; None if there is none."""
    if not is_first(number):
        return number - 1
    after = payloads.read(item.text).after if isinstance(item, Publication) else None
    return None if after is None or after >= number else after


class _Line:
    """The publications of one publisher: all up to the number `last` are settled, that is given or reported missing.

    `settled` are the last settled numbers of incarnations, `highest` the greatest numbers of all that have come, as
    many as are kept; `since` is when the reader began to wait for the present gap.
    """

    __slots__ = ("_heap", "_keep", "_waiting", "highest", "last", "publisher", "settled", "since")

    def __init__(self, publisher: str, keep: int | None) -> None:
        self.publisher, self._keep = publisher, keep
        self.last = -1
        self.settled: dict[int, int] = {}
        self.highest: list[int] = []
        self.since: float | None = None
        self._heap: list[int] = []
        self._waiting: dict[int, Ordered] = {}

    def __len__(self) -> int:
        return sum(isinstance(held_back, Publication) for held_back in self._waiting.values())

    def add(self, number: int, item: Ordered) -> Missing | None:
        """Hold the item of this number back; if it comes too late to be in order, return that it is missing."""
        if isinstance(item, Publication) and self._keep is not None and number not in self.highest:
            insort(self.highest, number)
            del self.highest[: -self._keep]
        if number <= self.last:
            return self._settle(number)
        if number not in self._waiting:
            heappush(self._heap, number)
            self._waiting[number] = item
        return None

    def next(self, now: float, patience: float | None) -> list[Ordered]:
        """The next item, after the report of a gap before it; nothing if the gap may be filled."""
        if not self._heap:
            self.since = None
            return []
        number = self._heap[0]
        item = self._waiting[number]
        previous = before(number, item)
        gap = None
        if previous is not None and previous > self.last:
            self.since = now if self.since is None else self.since
            if not self._excludes(previous) and (patience is None or now < self.since + patience):
                return []
            gap = self._settle(previous)
        heappop(self._heap)
        del self._waiting[number]
        self.since = None
        self.last = self.settled[incarnation_of(number)] = number
        return [item] if gap is None else [gap, item]

    def _excludes(self, number: int) -> bool:
        """Whether so many higher numbers have come that none up to this one is stored any more."""
        return self._keep is not None and len(self.highest) == self._keep and number < self.highest[0]

    def _settle(self, number: int) -> Missing | None:
        """Report all numbers of an incarnation up to this one that are not settled yet; None if all are."""
        incarnation = incarnation_of(number)
        first = self.settled.get(incarnation, incarnation * MOST_PER_INCARNATION - 1) + 1
        if first > number:
            return None
        self.settled[incarnation] = number
        self.last = max(self.last, number)
        return Missing(self.publisher, first, number)


class Ordering:
    """The lines of all publishers. The `keep` highest numbers of each are kept, all if that is None.

    A gap is waited for `patience` periods, for ever if that is None.
    """

    def __init__(self, keep: int | None, patience: float | None) -> None:
        self._keep, self._patience = keep, patience
        self._lines: dict[str, _Line] = {}
        self._with_gaps: dict[str, _Line] = {}

    def __len__(self) -> int:
        """The number of publications that are held back."""
        return sum(map(len, self._with_gaps.values()))

    @property
    def due(self) -> float | None:
        """The time at which patience with a gap ends; None if there is none, or no end."""
        if self._patience is None:
            return None
        waits = [line.since for line in self._with_gaps.values() if line.since is not None]
        return min(waits) + self._patience if waits else None

    def put(self, publication: Publication, now: float) -> list[Ordered]:
        """Everything that is in order once this publication has come."""
        line = self._line(publication.publisher)
        late = line.add(publication.number, publication)
        return [late] if late is not None else self._next(line, now, self._patience)

    def lose(self, publication: Publication) -> None:
        """Record that this publication was dropped before it came here."""
        number = publication.number
        self._line(publication.publisher).add(number, Missing(publication.publisher, number, number))

    def expire(self, now: float) -> list[Ordered]:
        """Everything that is in order without the gaps that have lasted too long."""
        return [item for line in tuple(self._with_gaps.values()) for item in self._next(line, now, self._patience)]

    def flush(self, now: float) -> list[Ordered]:
        """Everything that is held back: nothing more will come."""
        return [item for line in tuple(self._with_gaps.values()) for item in self._next(line, now, 0.0)]

    def _line(self, publisher: str) -> _Line:
        if publisher not in self._lines:
            self._lines[publisher] = _Line(publisher, self._keep)
        return self._lines[publisher]

    def _next(self, line: _Line, now: float, patience: float | None) -> list[Ordered]:
        ordered: deque[Ordered] = deque()
        while items := line.next(now, patience):
            for item in items:
                _append(ordered, item)
        if line.since is None:
            self._with_gaps.pop(line.publisher, None)
        else:
            self._with_gaps[line.publisher] = line
        return list(ordered)


def _append(ordered: deque[Ordered], item: Ordered) -> None:
    """Append an item; two reports of adjacent numbers become one."""
    latest = ordered[-1] if ordered else None
    if isinstance(item, Missing) and isinstance(latest, Missing) and latest.last + 1 == item.first:
        ordered[-1] = Missing(item.publisher, latest.first, item.last)
    else:
        ordered.append(item)
