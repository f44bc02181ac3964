"""Models of a protocol that are small enough to be explored completely, with their expected results."""

from collections.abc import Callable
from typing import Any

import msgspec

from gomboc.spec.core.instance import Instance
from gomboc.spec.core.protocol import Protocol, Start

HOLDS, VIOLATED, UNKNOWN = "holds", "violated", "unknown"
"""The verdicts that a record has."""

STAYS = "from every right state, with any right messages in flight, every step leads to a right state"


class Closure(msgspec.Struct, frozen=True):
    """Right states of a protocol, and the messages that may be in flight in them: whether no step leaves them.

    - `rights()`: the right states, with nothing in flight. `about(start)`: every pair (target, message) that is
      considered; pairs that are at fault in that state are left out.
    - `bounds`: in words, what the states and messages range over. `says`: in words, what is claimed.
    """

    protocol: Protocol
    rights: Callable[[], tuple[Start, ...]]
    about: Callable[[Start], tuple[tuple[str, Any], ...]]
    bounds: str
    says: str = STAYS


class Results(msgspec.Struct, frozen=True):
    """Expected results of an exploration: the count of each kind, and the verdicts in the order of the findings.

    `leaving` counts the states that lead beyond the bounds of the model, for which verdicts are unknown; None if they
    were not counted.
    """

    starts: int
    states: int
    transitions: int
    legitimate: int
    verdicts: tuple[str, ...]
    leaving: int | None = 0


class Pinned(msgspec.Struct, frozen=True):
    """A model with a name, a description, and its recorded results.

    `variant` is the erratum with the rules that it uses; None for our rules. `long`: its exploration takes minutes.
    Without `results` it is explored as far as the bounds go, and no results are recorded.
    """

    name: str
    about: str
    model: Instance | Closure
    results: Results | None
    variant: str | None = None
    long: bool = False
