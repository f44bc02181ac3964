"""The variables, messages and commands of Skip+.

References are names, and a name contains its string, so no reference has a false one.
"""

from functools import lru_cache
from typing import Any

import msgspec

from gomboc.spec.skip_plus.ranges import Ranges


class NeighbourRanges(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The ranges that a neighbour has last told."""

    node: str
    ranges: Ranges


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's variables; all tuples ascend by name, without duplicates.

    `live`: whether it takes part. `neighbours` is N(u). `stable` is the set of its stable neighbours at its last
    timeout, which the flag F keeps. `told` are the ranges that neighbours have told. `gone` are the nodes that were
    reported as gone in this round.

    Source: Slides 18 to 20
    """

    live: bool = True
    neighbours: tuple[str, ...] = ()
    stable: tuple[str, ...] = ()
    told: tuple[NeighbourRanges, ...] = ()
    gone: tuple[str, ...] = ()


ABSENT = Node(live=False)
"""The state of a node that does not take part: it knows no other."""


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of messages and commands; in a trace, `kind` is the name of the class."""


class Update(Kind, frozen=True):
    """The ranges of `sender`, and the nodes that the receiver is to insert, ascending. Source: Slides 19 and 20."""

    sender: str
    ranges: Ranges
    inserts: tuple[str, ...]


class Gone(Kind, frozen=True):
    """`node` does not take part (any more); `inserts` are returned by it, or are its former neighbours.

    Source: Slide 20.
    """

    node: str
    inserts: tuple[str, ...]


class Join(Kind, frozen=True):
    """Take part, and know `contact`; without one, later nodes join through this node. Source: Slide 33."""

    contact: str | None = None


class Leave(Kind, frozen=True):
    """Stop taking part, and tell the neighbours of each other. Source: Slide 33."""


class Crash(Kind, frozen=True):
    """Stop taking part, without any message. Source: Slide 20, "Check liveness of neighbors"."""


Message = Update | Gone
Command = Join | Leave | Crash


def ascending(names: Any) -> tuple[str, ...]:
    """The names without duplicates, ascending."""
    return tuple(sorted(set(names)))


def named(value: Any) -> tuple[str, ...]:
    """Every node to which a state, message or command refers, maybe more than once.

    Source: Slides 18 to 20
    """
    match value:
        case Node():
            said = [name for entry in value.told for name in _names_in(entry)]
            return (*value.neighbours, *value.stable, *said, *value.gone)
        case Update():
            return (value.sender, *_ends(value.ranges), *value.inserts)
        case Gone():
            return (value.node, *value.inserts)
        case Join(str(contact)):
            return (contact,)
    return ()


@lru_cache(maxsize=1 << 14)
def _names_in(entry: NeighbourRanges) -> tuple[str, ...]:
    return ascending((entry.node, *_ends(entry.ranges)))


def _ends(ranges: Ranges) -> tuple[str, ...]:
    return tuple(end for bounds in ranges for end in bounds if end is not None)
