"""Well-formedness of states and messages where fields depend on one another; the rest is declared with each field."""

from functools import partial
from typing import Any

from gomboc.spec.derived import Derived
from gomboc.spec.fields import Holds
from gomboc.spec.skip_plus.names import is_name, string_of
from gomboc.spec.skip_plus.ranges import Ranges
from gomboc.spec.skip_plus.state import ABSENT, Command, Message, NeighbourRanges, Node, Update


def _levels(name: str, ranges: Ranges) -> str | None:
    levels = len(string_of(name))
    return f"{levels} ranges of {name}, one for each level" if is_name(name) and len(ranges) != levels else None


def _of_absent(parameters: Any, local: Node) -> str | None:
    del parameters
    return None if local.live or local == ABSENT else "nothing known by a node that is not live"


def _of_neighbour(parameters: Any, entry: NeighbourRanges) -> str | None:
    del parameters
    return _levels(entry.node, entry.ranges)


def _of_sender(parameters: Any, update: Update) -> str | None:
    del parameters
    return _levels(update.sender, update.ranges)


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

malformed = partial(FIELDS.malformed, None)
"""The faults of a state, message or command: they depend on no parameter."""
