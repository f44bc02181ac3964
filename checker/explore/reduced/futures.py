"""Events that may come before some nodes act, read off the part of the reduced graph that has been explored.

A node is *touched* if it is one of the chosen nodes, or has taken a message that a touched node sent since. A
step of an untouched node depends on no step of a chosen node, so in some run it comes before all of these.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import TypeVar

import msgspec

from gomboc.checker.explore.numbered.actions import LocalAction
from gomboc.checker.explore.numbered.values import Numbers, State, Values
from gomboc.checker.explore.reduced.events import Event, Signatures, events

Steps = dict[LocalAction, State]
"""The explored steps from a state, and the states that they lead to."""

Link = tuple[int, int]
"""The indices of source and target."""


class Moment(msgspec.Struct, frozen=True):
    """A state, and the nodes that are touched in it, as bits.

    `left` has the numbers of messages from touched to untouched nodes that were sent before their source was touched.
    """

    state: State
    touched: int
    left: tuple[tuple[Link, int], ...]


class Futures:
    """The events of untouched nodes from each moment on, as bits; each moment is looked at once."""

    def __init__(self, values: Values, signatures: Signatures, graph: Mapping[State, Steps]) -> None:
        self._values, self._signatures, self._graph = values, signatures, graph
        self._events, self._known = Numbers(), dict[Moment, int]()
        self._version = 0
        self._waiting, self._bits = cache(self._lengths), cache(self._as_bits)

    def before(self, state: State, chosen: Iterable[int], after: State) -> tuple[Event, ...]:
        """The events that may come before any of the chosen nodes acts, read off the graph from a state on.

        It is the state after one of their steps, all of whose steps have been explored.
        """
        if self._version != self._signatures.version:
            self._known.clear()
            self._bits.cache_clear()
            self._version = self._signatures.version
        touched = sum(1 << node for node in chosen)
        moment = self._moment(after, touched, self._links_from(state, chosen))
        expand_all(moment, self._expand, self._known.__contains__)
        bits = self._known[moment]
        return tuple(event for number, event in enumerate(self._events.values) if bits >> number & 1)

    def waiting(self, state: State, source: int, target: int) -> int:
        """The number of messages on a link."""
        return self._waiting(state[self._values.size + target]).get(source, 0)

    def _lengths(self, inbox: int) -> dict[int, int]:
        queues = self._values.inboxes.queues(inbox)
        return {self._values.place.get(source, -1): len(queue) for source, queue in queues.items()}

    def _links_from(self, state: State, sources: Iterable[int]) -> dict[Link, int]:
        targets = range(self._values.size)
        return {(source, to): self.waiting(state, source, to) for source in sources for to in targets}

    def _moment(self, state: State, touched: int, left: Mapping[Link, int]) -> Moment:
        """A moment, with messages that are lost or taken left out."""
        kept = ((link, min(count, self.waiting(state, *link))) for link, count in left.items())
        return Moment(state, touched, tuple(sorted(item for item in kept if item[1] and not touched >> item[0][1] & 1)))

    def _expand(self, moment: Moment) -> Iterator[Moment]:
        """The moments that the events from a moment on depend on, which are known afterwards."""
        ways = tuple(self._ways(moment))
        for _, then in ways:
            yield then
        self._known[moment] = reduce(or_, (bits | self._known[then] for bits, then in ways), 0)

    def _ways(self, moment: Moment) -> Iterator[tuple[int, Moment]]:
        """The events of each step from a moment, and the next moment."""
        state, touched, left = moment.state, moment.touched, dict(moment.left)
        for action, after in self._graph[state].items():
            node, source = self._values.place[action.act.node], self._source(action)
            link = source, node
            if touched >> node & 1:
                yield 0, self._moment(after, touched, left)
            elif source < 0 or not touched >> source & 1:
                yield self._bits(action, state[node]), self._moment(after, touched, left)
            elif left.get(link):
                yield self._bits(action, state[node]), self._moment(after, touched, {**left, link: left[link] - 1})
            else:
                yield 0, self._moment(after, touched | 1 << node, {**left, **self._links_from(state, (node,))})

    def _source(self, action: LocalAction) -> int:
        """The index of the sender of a delivered message; -1 if there is none."""
        envelope = action.act.envelope
        return -1 if envelope is None else self._values.place.get(envelope.source, -1)

    def _as_bits(self, action: LocalAction, before: int) -> int:
        every = events(self._values, self._signatures, action, before)
        return reduce(or_, (1 << self._events.of(event) for event in every), 0)


Key = TypeVar("Key", bound=Hashable)


class CycleError(Exception):
    """A key asks for itself, directly or through others."""


def expand_all(first: Key, expand: Callable[[Key], Iterator[Key]], is_known: Callable[[Key], bool]) -> None:
    """Expand a key, after each unknown key that its expansion asks for. Raises CycleError if one asks for itself."""
    if is_known(first):
        return
    path = {first: expand(first)}
    while path:
        needed = next(path[next(reversed(path))], None)
        if needed is None:
            path.popitem()
        elif needed in path:
            raise CycleError
        elif not is_known(needed):
            path[needed] = expand(needed)
