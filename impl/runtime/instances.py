"""The instances of one node: an independent core, and a timer, for each topic that it has a part in.

An instance with the state of a new one is dropped, and made again when it is needed. So a node that has left a topic
still answers there like one that has left, and its peers cannot tell that it has no instance.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from msgspec import Raw

from gomboc.impl.core.automaton import Core, Input, Output
from gomboc.impl.runtime.configuration import NodeContext
from gomboc.impl.runtime.disciplines import JITTER, Discipline, times


@dataclass(frozen=True, slots=True)
class StepResult:
    """Result of one step: the core that took it, as it is since then, and its outputs.

    Without an instance there is a blank state `before` it.
    """

    core: Core
    outputs: list[Output]
    before: Raw | None = None


class Instances:
    """The cores of one node by topic; `make(topic)` makes a blank one. Without `drops`, none is ever dropped.

    Unless it `remembers`, a topic is unknown again when its core is dropped.
    """

    def __init__(self, make: Callable[[str], Core], *, drops: bool = True, remembers: bool = True) -> None:
        self._make = make
        self._drops, self._remembers = drops, remembers
        self._cores: dict[str, Core] = {}
        self._wanted: set[str] = set()
        self._blank: dict[str, Raw] = {}
        self._openers: dict[str, str] = {}
        self._opened: Counter[str] = Counter()
        self.shown = set[str]()
        """The topics with an instance of which an observer has seen a state."""

    def __contains__(self, topic: object) -> bool:
        """Whether the topic has an instance now."""
        return topic in self._cores

    def __iter__(self) -> Iterator[str]:
        """The topics that have an instance now, in the order in which these were made."""
        return iter(tuple(self._cores))

    def __len__(self) -> int:
        """The number of topics that have an instance now."""
        return len(self._cores)

    def know(self, topic: str) -> bool:
        """Whether the topic has, or once had, an instance here."""
        return topic in self._blank

    def want(self, topic: str) -> None:
        """Keep an instance of this topic in any state, and make one if there is none."""
        if topic not in self._cores:
            core = self._make(topic)
            self._keep(topic, core, core.snapshot())
        self._wanted.add(topic)

    def release(self, topic: str) -> None:
        """Keep the instance only as long as its state differs from a new one's."""
        self._wanted.discard(topic)

    def core(self, topic: str) -> Core:
        """A topic's instance. KeyError if there is none."""
        return self._cores[topic]

    def snapshot(self, topic: str) -> Raw:
        """The state of a topic's instance. KeyError if there is none."""
        return self._cores[topic].snapshot()

    def take(self, now: float, topic: str, event: Input) -> StepResult:
        """Have the topic's instance take one step. KeyError if there is none."""
        core = self._cores[topic]
        outputs = core.handle(now, event)
        if self._drops and topic not in self._wanted and core.snapshot() == self._blank[topic]:
            del self._cores[topic]
            self.shown.discard(topic)
            self._forget_opener(topic)
            if not self._remembers:
                del self._blank[topic]
        return StepResult(core, outputs)

    def answer(self, now: float, topic: str, event: Input, *, keep: bool) -> StepResult | None:
        """Have a new instance take the step; with `keep`, it stays if its state differs from a new one's then.

        If the state would differ and must not be kept, the step has not happened, and the result is None.
        """
        core = self._make(topic)
        blank, outputs = core.snapshot(), core.handle(now, event)
        if core.snapshot() != blank:
            if not keep:
                return None
            self._keep(topic, core, blank)
        return StepResult(core, outputs, blank)

    def record_opener(self, topic: str, peer: str) -> None:
        """Record that a message of this peer has begun the instance of the topic."""
        self._openers[topic] = peer
        self._opened[peer] += 1

    def opened_by(self, peer: str) -> int:
        """The number of instances that messages of this peer have begun."""
        return self._opened[peer]

    def _forget_opener(self, topic: str) -> None:
        peer = self._openers.pop(topic, None)
        if peer is not None:
            self._opened[peer] -= 1
            if not self._opened[peer]:
                del self._opened[peer]

    def _keep(self, topic: str, core: Core, blank: Raw) -> None:
        self._cores[topic] = core
        self._blank[topic] = blank


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
