"""The variables, messages and commands of Skip+. References are names, and a name cannot lie about its string."""

from functools import lru_cache
from typing import Any

import msgspec

from gomboc.spec.skip_plus.ranges import Ranges


class Told(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """What a neighbour last said its ranges are."""

    node: str
    ranges: Ranges


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's variables; all tuples ascend by name and name nobody twice.

    `live`: whether it takes part. `neighbours` is N(u). `stable` is the set of its stable neighbours at its last
    timeout, which the flag F keeps. `told` is what neighbours say of their ranges. `gone` are those who were found to
    be gone in this round.

    Source: Slides 18 to 20
    """

    live: bool = True
    neighbours: tuple[str, ...] = ()
    stable: tuple[str, ...] = ()
    told: tuple[Told, ...] = ()
    gone: tuple[str, ...] = ()


ABSENT = Node(live=False)
"""Who does not take part knows nobody."""


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What a message or command has in common with others: in a trace, `kind` says which it is."""


class Update(Kind, frozen=True):
    """The state of `sender`, and everything that the receiver is to insert, ascending. Source: Slides 19 and 20."""

    sender: str
    ranges: Ranges
    inserts: tuple[str, ...]


class Gone(Kind, frozen=True):
    """`node` does not take part (any more); `inserts` comes back from it, or is what it leaves. Source: Slide 20."""

    node: str
    inserts: tuple[str, ...]


class Join(Kind, frozen=True):
    """Take part, and know `contact`; without one, whoever comes later knows this node. Source: Slide 33."""

    contact: str | None = None


class Leave(Kind, frozen=True):
    """Take part no more, and tell the neighbours of each other. Source: Slide 33."""


class Crash(Kind, frozen=True):
    """Take part no more, without a word. Source: Slide 20, "Check liveness of neighbors"."""


Message = Update | Gone
Command = Join | Leave | Crash


def ascending(names: Any) -> tuple[str, ...]:
    """Each of those names once, ascending."""
    return tuple(sorted(set(names)))


def named(value: Any) -> tuple[str, ...]:
    """Every node to which a state, message or command refers, maybe more than once.

    Source: Slides 18 to 20
    """
    match value:
        case Node():
            said = [name for told in value.told for name in _said(told)]
            return (*value.neighbours, *value.stable, *said, *value.gone)
        case Update():
            return (value.sender, *_ends(value.ranges), *value.inserts)
        case Gone():
            return (value.node, *value.inserts)
        case Join(str(contact)):
            return (contact,)
    return ()


@lru_cache(maxsize=1 << 14)
def _said(told: Told) -> tuple[str, ...]:
    return ascending((told.node, *_ends(told.ranges)))


def _ends(ranges: Ranges) -> tuple[str, ...]:
    return tuple(end for bounds in ranges for end in bounds if end is not None)
