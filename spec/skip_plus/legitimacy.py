"""When Skip+ is right: stated node by node and message by message, against who takes part."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from gomboc.spec.model import Fault
from gomboc.spec.skip_plus.names import is_name, string_of
from gomboc.spec.skip_plus.ranges import neighbours, ranges
from gomboc.spec.skip_plus.state import ABSENT, Gone, Node, Told, Update

Anchor = tuple[str, ...]
"""The names of the nodes that take part, ascending."""


def share(local: Any) -> bool:
    """What the anchor may see of a node: whether it takes part."""
    return bool(local.live)


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority: who takes part."""
    return tuple(sorted(name for name, live in shares.items() if live))


def anchor_faults(live: Anchor) -> tuple[Fault, ...]:
    """Whoever takes part, nothing is wrong with that."""
    del live
    return ()


@lru_cache(maxsize=1 << 16)
def right_state(live: Anchor, me: str) -> Node:
    """The state of `me` in a right Skip+ of those nodes, after a timeout.

    Source: Slide 15; Slide 18
    """
    around = neighbours(me, live)
    return Node(True, around, around, tuple(Told(node, ranges(node, live)) for node in around))


def node_faults(live: Anchor, me: str, local: Any) -> tuple[Fault, ...]:
    """Each way in which a node is not as Skip+ has it. That it is told of itself is none: it forgets that by itself.

    Source: Slides 15 and 18
    """
    if not local.live:
        return _faults(me, ("knows_nobody", ABSENT, local, "Slide 20"))
    right = right_state(live, me)
    known = set(local.neighbours) - {me}
    return _faults(
        me,
        ("range_is_known", (), tuple(sorted(set(right.neighbours) - known)), "Slide 15"),
        ("no_temporary_edge", (), tuple(sorted(known - set(right.neighbours))), "Slide 18"),
        ("flags_are_right", right.stable, local.stable, "Slide 18"),
        ("ranges_are_true", right.told, local.told, "Slide 20"),
        ("nobody_is_gone", (), local.gone, "Slide 20"),
    )


def message_faults(live: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """Each way in which a message could disturb a right Skip+.

    Source: Slides 15, 19 and 20
    """
    if isinstance(message, Gone):
        return _faults(target, ("nobody_asks_the_gone", None, message, "Slide 20"))
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
    """Those of the conjuncts (name, expected, found, source) that are false."""
    return tuple(
        Fault(name, node, expected, found, source) for name, expected, found, source in conjuncts if expected != found
    )


def malformed(value: Any) -> tuple[Fault, ...]:
    """What a state or message holds that its type forbids: names that are none, and what does not ascend.

    Source: Slides 8 and 20
    """
    match value:
        case Node():
            lists = {
                "neighbours": value.neighbours,
                "stable": value.stable,
                "told": tuple(each.node for each in value.told),
                "gone": value.gone,
            }
            said = value.told
        case Update():
            lists, said = {"inserts": value.inserts, "sender": (value.sender,)}, (Told(value.sender, value.ranges),)
        case _:
            lists, said = {"inserts": value.inserts, "node": (value.node,)}, ()
    found = [fault for place, names in lists.items() for fault in _misplaced(place, names)]
    return tuple(found) + tuple(fault for each in said for fault in _misjudged(each))


@lru_cache(maxsize=1 << 14)
def _misplaced(place: str, names: tuple[str, ...]) -> tuple[Fault, ...]:
    """What is wrong with names that should ascend."""
    wrong = tuple(name for name in names if not is_name(name))
    if wrong:
        return (Fault("names_are_names", place, "id:bits", wrong[0], "Slide 8"),)
    return _faults(place, ("names_ascend", tuple(sorted(set(names))), names, "state.py"))


@lru_cache(maxsize=1 << 14)
def _misjudged(said: Told) -> tuple[Fault, ...]:
    """What is wrong with the ranges of a node: there is one for each bit of its string, and its ends are names."""
    if is_name(said.node) and len(said.ranges) != len(string_of(said.node)):
        expected = len(string_of(said.node))
        return (Fault("range_for_each_level", said.node, expected, len(said.ranges), "Slide 15"),)
    ends = [end for bounds in said.ranges for end in bounds if end is not None and not is_name(end)]
    return (Fault("names_are_names", said.node, "id:bits", ends[0], "Slide 8"),) if ends else ()
