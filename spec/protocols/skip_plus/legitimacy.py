"""Legitimacy of Skip+, stated node by node and message by message, against the set of live nodes."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.skip_plus.ranges import neighbours, ranges
from gomboc.spec.protocols.skip_plus.state import ABSENT, Gone, NeighbourRanges, Node

Anchor = tuple[str, ...]
"""The names of the nodes that take part, ascending."""


def share(local: Any) -> bool:
    """The part of a node that the anchor may read: whether it takes part."""
    return bool(local.live)


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority: the names of the nodes that take part."""
    return tuple(sorted(name for name, live in shares.items() if live))


@lru_cache(maxsize=1 << 16)
def right_state(live: Anchor, me: str) -> Node:
    """The state of `me` in a right Skip+ of those nodes, after a timeout. Source: Slide 15; Slide 18."""
    around = neighbours(me, live)
    return Node(True, around, around, tuple(NeighbourRanges(node, ranges(node, live)) for node in around))


def node_faults(live: Anchor, me: str, local: Any) -> tuple[Fault, ...]:
    """Each deviation of a node from Skip+. A reference to itself is none: the node drops it by itself.

    Source: Slides 15 and 18
    """
    if not local.live:
        return _faults(me, ("knows_no_node", ABSENT, local, "Slide 20"))
    right = right_state(live, me)
    known = set(local.neighbours) - {me}
    return _faults(
        me,
        ("range_is_known", (), tuple(sorted(set(right.neighbours) - known)), "Slide 15"),
        ("no_temporary_edge", (), tuple(sorted(known - set(right.neighbours))), "Slide 18"),
        ("flags_are_right", right.stable, local.stable, "Slide 18"),
        ("ranges_are_true", right.told, local.told, "Slide 20"),
        ("no_crash_notice_pending", (), local.gone, "Slide 20"),
    )


def message_faults(live: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """Each way in which a message could disturb a right Skip+. Source: Slides 15, 19 and 20."""
    if isinstance(message, Gone):
        return _faults(target, ("no_request_from_crashed_nodes", None, message, "Slide 20"))
    if target not in live:
        return _faults(target, ("target_is_live", True, False, "Slide 20"))
    around = neighbours(target, live)
    known = message.sender in around
    strange = tuple(node for node in message.inserts if node not in {*around, target})
    true = ranges(message.sender, live) if known else message.ranges
    return _faults(
        target,
        ("sender_is_neighbour", around, around if known else message.sender, "Slide 15"),
        ("range_is_current", true, message.ranges, "Slide 20"),
        ("insert_is_stable", (), strange, "Slide 19"),
    )


def _faults(node: str, *conjuncts: tuple[str, Any, Any, str]) -> tuple[Fault, ...]:
    """A fault for each false conjunct among (name, expected, found, source)."""
    return tuple(
        Fault(name, node, expected, actual, source)
        for name, expected, actual, source in conjuncts
        if expected != actual
    )
