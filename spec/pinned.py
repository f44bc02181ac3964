"""Models of a protocol that are small enough to be explored to their end, with what must come out."""

from collections.abc import Callable
from typing import Any

import msgspec

from gomboc.spec.instance import Instance
from gomboc.spec.protocol import Protocol, Start

STAYS = "from every right state, with any right messages in flight, every step leads to a right state"


class Closure(msgspec.Struct, frozen=True):
    """Right states of a protocol, and the messages that may be in flight in them: whether no step leaves them.

    - `rights()`: the right states, with nothing in flight. `about(start)`: every pair (target, message) that is
      looked at; those that are at fault in that state are left out.
    - `bounds`: in words, what the states and messages range over. `says`: in words, what is claimed.
    """

    protocol: Protocol
    rights: Callable[[], tuple[Start, ...]]
    about: Callable[[Start], tuple[tuple[str, Any], ...]]
    bounds: str
    says: str = STAYS


class Results(msgspec.Struct, frozen=True):
    """What an exploration must come to: how many there are of each, and the verdicts in the order of the findings."""

    starts: int
    states: int
    transitions: int
    legitimate: int
    verdicts: tuple[str, ...]


class Pinned(msgspec.Struct, frozen=True):
    """A model with a name, what it is about, and its results as recorded.

    `variant` is the erratum whose rules it has, if it has not ours. `long` says that it takes minutes. Without
    `results` it is explored as far as the bounds go, and nothing is recorded.
    """

    name: str
    about: str
    model: Instance | Closure
    results: Results | None
    variant: str | None = None
    long: bool = False
