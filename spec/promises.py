"""Promises besides closure and convergence: over every state of a run, and over what each node delivers."""

from collections.abc import Callable
from typing import Any

import msgspec

from gomboc.spec.model import Fault, InFlight, States


class Always(msgspec.Struct, frozen=True):
    """A promise over a whole state, in every state of a run: `faults(states, in_flight)` says what is wrong with it.

    `gist(value)`: all that it looks at of a local state or message, hashable; None for a message of which it looks at
    nothing. Without it, it looks at what the protocol's `gist` says.
    """

    name: str
    source: str
    faults: Callable[[States, InFlight], tuple[Fault, ...]]
    gist: Callable[[Any], Any] | None = None


class Observer(msgspec.Struct, frozen=True):
    """A promise over histories: a small automaton for each node, over what that node hands to its application.

    If it is `whole`, there is one for the whole system, which sees what every node hands to its application. It begins
    at `blank`, which is hashable. `observe(node, seen, delivered)` is asked for each thing that is delivered, in order,
    and answers what the node, or the system, has seen then, and the faults that this shows.
    """

    name: str
    source: str
    blank: Any
    observe: Callable[[str, Any, Any], tuple[Any, tuple[Fault, ...]]]
    whole: bool = False

    def sees(self, node: str) -> str:
        """Whose automaton takes what that node delivers: the node's own, or that of the whole system, which is ""."""
        return "" if self.whole else node
