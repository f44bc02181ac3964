"""Failure detectors in a simulated run: heartbeats that are delayed and lost, and the detector of each node."""

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count
from random import Random

from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.runtime.detection import detector
from gomboc.impl.runtime.detection.detector import Timing, Watched

Pair = tuple[str, str]
"""A node that watches, and the node that it watches."""


class HeartbeatRules(Struct, frozen=True):
    """Detectors of this timing. A node that is up sends a heartbeat in each period to each node that watches it.

    It is lost with the probability `loss`, and else delayed as a message is. Detectors look once in a period.
    """

    timing: Timing = Timing()
    loss: float = 0.0

    def __post_init__(self) -> None:
        """Refuse an invalid probability with `UsageError`."""
        if not 0 <= self.loss < 1:
            raise UsageError(f"The probability that a heartbeat is lost is at least 0 and below 1, not {self.loss}.")


class Detection:
    """The detectors of all nodes; `is_up(node)` says at any time whether a node is up."""

    def __init__(
        self, rules: HeartbeatRules, is_up: Callable[[str], bool], delay: Callable[[], float], random: Random
    ) -> None:
        self._rules, self._is_up, self._delay, self._random = rules, is_up, delay, random
        self._watched: dict[Pair, Watched] = {}
        self._events: list[tuple[float, int, Callable[[float, Pair], Iterator[Pair]], Pair]] = []
        self._order = count()

    def watch(self, now: float, pair: Pair) -> None:
        """The first node of the pair watches the second from now on, if it does not yet."""
        if pair not in self._watched and pair[0] != pair[1]:
            self._watched[pair] = detector.begin(self._rules.timing, now)
            self._schedule(now + self._random.random(), self._beat, pair)
            self._schedule(now + self._random.random(), self._look, pair)

    def hear(self, now: float, pair: Pair) -> None:
        """The first node has received a message of the second, which is a heartbeat, too."""
        if pair in self._watched:
            self._watched[pair] = detector.heard(self._watched[pair], now)

    def suspects(self, pair: Pair) -> bool:
        """Whether the first node suspects the second."""
        return pair in self._watched and self._watched[pair].is_suspected

    def has_heard(self, pair: Pair) -> bool:
        """Whether the first node has heard the second since it suspects it."""
        return self._watched[pair].again > 0

    def advance(self, until: float) -> Iterator[Pair]:
        """Yield the pairs about which a detector that is up has looked by this time."""
        while self._events and self._events[0][0] <= until:
            now, _, happen, pair = heappop(self._events)
            yield from happen(now, pair)

    def _schedule(self, at: float, happen: Callable[[float, Pair], Iterator[Pair]], pair: Pair) -> None:
        heappush(self._events, (at, next(self._order), happen, pair))

    def _beat(self, now: float, pair: Pair) -> Iterator[Pair]:
        if self._is_up(pair[1]) and self._random.random() >= self._rules.loss:
            self._schedule(now + self._delay(), self._hear, pair)
        self._schedule(now + 1.0, self._beat, pair)
        return iter(())

    def _hear(self, now: float, pair: Pair) -> Iterator[Pair]:
        self.hear(now, pair)
        return iter(())

    def _look(self, now: float, pair: Pair) -> Iterator[Pair]:
        self._schedule(now + 1.0, self._look, pair)
        if self._is_up(pair[0]):
            self._watched[pair] = detector.looked(self._rules.timing, self._watched[pair], now)
            yield pair
