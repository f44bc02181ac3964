"""The timers of a node's instances: each has one, and the one that was set last."""

from collections.abc import Callable
from functools import partial

from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.disciplines import JITTER, Discipline, times


class Timers:
    """The timers of one node by topic; `expired(topic)` is called at the time of one."""

    def __init__(self, around: NodeContext, expired: Callable[[str], None]) -> None:
        self._clock, self._expired = around.clock, expired
        self._times = around.times or times(Discipline.UNORDERED, lambda: 0.0, JITTER, around.random)
        self._due: dict[str, float] = {}

    def start(self, topic: str) -> None:
        """Start the timer of an instance, unless it runs already."""
        if topic not in self._due:
            self._call_at(topic, self._times.first(self._clock.now()))

    def set(self, topic: str, at: float) -> None:
        """Set the timer of an instance to about this time."""
        self._call_at(topic, self._times.due(self._clock.now(), at))

    def stop(self) -> None:
        """Stop all timers."""
        self._due.clear()

    def _call_at(self, topic: str, at: float) -> None:
        self._due[topic] = at
        self._clock.call_at(at, partial(self._end, topic, at))

    def _end(self, topic: str, at: float) -> None:
        # A timer that was replaced means nothing.
        if self._due.get(topic) == at:
            del self._due[topic]
            self._expired(topic)
