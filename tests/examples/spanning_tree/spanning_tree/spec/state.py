"""Variables and messages, with what their fields hold beyond their types."""

from operator import attrgetter
from typing import Annotated

from msgspec import Struct

from gomboc.spec import Ascending, Derived, NodeName, Within

ROOT = "root"

Distance = Annotated[int, Within(0)]


class Register(Struct, frozen=True, forbid_unknown_fields=True):
    """The distance that a neighbour wrote last, as far as the node knows: `lr` of the textbook."""

    neighbour: NodeName
    distance: Distance


class Node(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a node. The neighbours are given by the network, and no fault changes them."""

    distance: Distance
    parent: NodeName | None
    registers: Annotated[tuple[Register, ...], Ascending(attrgetter("neighbour"))]


class Write(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """The sender has written that distance."""

    sender: NodeName
    distance: Distance


FIELDS = Derived(Node, Write)
"""The nodes that values name, the faults of values, and their renaming."""
