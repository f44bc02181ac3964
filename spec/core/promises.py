"""Promises besides closure and convergence: over every state of a run, and over the deliveries of each node."""

from collections.abc import Callable
from typing import Any

import msgspec

from gomboc.spec.core.model import Fault, InFlight, States


class Always(msgspec.Struct, frozen=True):
    """A promise over a whole state, in every state of a run: `faults(states, in_flight)` lists its violations.

    `projection(value)`: the part of a local state or message that `faults` reads, hashable; None for a message of which
    it reads no part. Without it, the protocol's `projection` holds.
    """

    name: str
    source: str
    faults: Callable[[States, InFlight], tuple[Fault, ...]]
    projection: Callable[[Any], Any] | None = None


class Observer(msgspec.Struct, frozen=True):
    """A promise over histories: a small automaton for each node, over the values that it delivers to its application.

    If it is `whole`, there is one automaton for the whole system, which sees the deliveries of every node. It begins in
    state `blank`, which is hashable. `observe(node, seen, delivered)` is called for each delivered value, in order, and
    returns the automaton's next state and the faults that the value shows.
    """

    name: str
    source: str
    blank: Any
    observe: Callable[[str, Any, Any], tuple[Any, tuple[Fault, ...]]]
    whole: bool = False

    def sees(self, node: str) -> str:
        """The name of the automaton that takes deliveries of `node`: the node itself, or "" for the whole system."""
        return "" if self.whole else node
