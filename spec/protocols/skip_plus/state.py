"""The variables, messages and commands of Skip+.

References are names, and a name contains its string, so no reference has a false one.
"""

from operator import attrgetter
from typing import Annotated, Any

import msgspec

from gomboc.spec.protocols.skip_plus.names import Name, Names, is_name, string_of
from gomboc.spec.protocols.skip_plus.ranges import Ranges
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, Holds
from gomboc.spec.types.kinds import Crash, Kind, Suspect
from gomboc.spec.types.speakers import named_in, speakers


class NeighbourRanges(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The ranges that a neighbour has last told."""

    node: Name
    ranges: Ranges


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's variables.

    `live`: whether it takes part. `neighbours` is N(u). `stable` is the set of its stable neighbours at its last
    timeout, which the flag F keeps. `told` are the ranges that neighbours have told. `gone` are the nodes that were
    reported as gone in this round.

    Source: Slides 18 to 20
    """

    live: bool = True
    neighbours: Names = ()
    stable: Names = ()
    told: Annotated[tuple[NeighbourRanges, ...], Ascending(attrgetter("node"), rule="names_ascend")] = ()
    gone: Names = ()


ABSENT = Node(live=False)
"""The state of a node that does not take part: it knows no other."""


def _too_many(parameters: Any, inserts: Names) -> str | None:
    most = parameters.most_names
    return None if most is None or len(inserts) <= most else f"inserts, at most {most}"


Inserts = Annotated[Names, Holds(_too_many, source="ours: messages of bounded size")]
"""The names that one message inserts at its receiver."""


class Update(Kind, frozen=True):
    """The ranges of `sender`, and the nodes that the receiver is to insert. Source: Slides 19 and 20."""

    sender: Name
    ranges: Ranges
    inserts: Inserts


class Gone(Kind, frozen=True):
    """`node` does not take part (any more); `inserts` are returned by it, or are its former neighbours.

    Source: Slide 20.
    """

    node: Name
    inserts: Inserts


class Join(Kind, frozen=True):
    """Take part, and know `contact`; without one, later nodes join through this node. Source: Slide 33."""

    contact: Name | None = None


class Leave(Kind, frozen=True):
    """Stop taking part, and tell the neighbours of each other. Source: Slide 33."""


Message = Update | Gone
Command = Join | Leave | Crash | Suspect
"""`Crash`, `Suspect`: Slide 20, "Check liveness of neighbors"."""


def ascending(names: Any) -> tuple[str, ...]:
    """The names without duplicates, ascending."""
    return tuple(sorted(set(names)))


def _levels(name: str, ranges: Ranges) -> str | None:
    levels = len(string_of(name))
    return f"{levels} ranges of {name}, one for each level" if len(ranges) != levels and is_name(name) else None


def _of_absent(parameters: Any, local: Node) -> str | None:
    del parameters
    return None if local.live or local == ABSENT else "nothing known by a node that is not live"


def _of_neighbour(parameters: Any, entry: NeighbourRanges) -> str | None:
    del parameters
    return _levels(entry.node, entry.ranges)


def _of_sender(parameters: Any, update: Update) -> str | None:
    del parameters
    return _levels(update.sender, update.ranges)


SPEAKERS = speakers(Message, {Gone: named_in("node")})
"""Who sends each message; the inserts of both are hearsay. Source: Slide 20."""

FIELDS = Derived(
    Node,
    Message,
    Command,
    relations={
        Node: Holds(_of_absent, source="Slide 20"),
        NeighbourRanges: Holds(_of_neighbour, rule="range_for_each_level", source="Slide 15"),
        Update: Holds(_of_sender, rule="range_for_each_level", source="Slide 15"),
    },
)
"""The nodes that values name, their faults, and their renaming."""
