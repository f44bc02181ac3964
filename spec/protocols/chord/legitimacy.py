"""Legitimacy of Chord: the ideal ring, node by node and message by message, against the live members."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import (
    Dead,
    FixFingerReply,
    JoinReply,
    JoinRequest,
    Node,
    Notify,
    Outside,
    RouteReply,
    StabilizeReply,
)

Anchor = tuple[str, ...]
"""The names of the members, in the order of the circle."""

IDEAL = "Zave 2017, ideal state; Stoica et al. 2003, Section IV-E.1"


def share(local: Any) -> bool:
    """The part of a node that the anchor may see: whether it is a member."""
    return bool(local.status == "inside")


def anchor(parameters: Parameters, shares: Mapping[str, Any]) -> Anchor:
    """The authority: the live members, in the order of the circle."""
    return _in_order(parameters.circle, tuple(name for name, inside in shares.items() if inside))


@lru_cache(maxsize=1 << 12)
def _in_order(circle: Circle, members: tuple[str, ...]) -> Anchor:
    return tuple(sorted(members, key=circle.id_of))


class IdealState(msgspec.Struct, frozen=True):
    """The variables of a member in the ideal ring."""

    predecessor: str | None
    successors: tuple[str, ...]
    fingers: Mapping[int, str]


@lru_cache(maxsize=1 << 16)
def right(parameters: Parameters, members: Anchor, me: str) -> IdealState:
    """The variables of member `me` in the ideal ring of those members.

    Source: Stoica et al. 2003, Sections IV-B, IV-D and IV-E.3
    """
    at = members.index(me)
    others = members[at + 1 :] + members[:at]
    circle = parameters.circle
    wanted = range(circle.first_finger(me, others[0]), parameters.bits) if others and parameters.fingers else range(0)
    fingers = {finger: owner(circle, members, circle.target(me, finger)) for finger in wanted}
    return IdealState(
        others[-1] if others else None,
        others[: parameters.r],
        {finger: name for finger, name in fingers.items() if name != me},
    )


def owner(circle: Circle, members: Anchor, position: int) -> str:
    """The member at that place, or else the next one clockwise.

    Source: Section ii, "its nearest ID to the Key", read as Stoica et al. 2003, Section IV-B
    """
    return members[bisect_left(_places(circle, members), position) % len(members)]


@lru_cache(maxsize=1 << 12)
def _places(circle: Circle, members: Anchor) -> tuple[int, ...]:
    return tuple(map(circle.id_of, members))


def right_state(parameters: Parameters, members: Anchor, me: str) -> Node:
    """The state of a member of the ideal ring, which refreshes finger 0 next and knows no peers."""
    ideal = right(parameters, members, me)
    return Node("inside", ideal.predecessor, ideal.successors, tuple(sorted(ideal.fingers.items())))


def node_faults(parameters: Parameters, members: Anchor, me: str, local: Any) -> tuple[Fault, ...]:
    """Faults of a node: its differences from the ideal ring."""
    if local.status == "inside":
        if me not in members:
            return (Fault("members_are_known", me, members, me, IDEAL),)
        return _member_faults(right(parameters, members, me), members, me, local)
    if local.contact is not None:
        return (Fault("all_nodes_inside", me, "inside", f"outside, asking {local.contact}", IDEAL),)
    return ()


def _member_faults(ideal: IdealState, members: Anchor, me: str, local: Node) -> tuple[Fault, ...]:
    fingers = tuple(ideal.fingers.items())
    if (local.predecessor, local.successors, local.fingers) == (ideal.predecessor, ideal.successors, fingers):
        return ()
    conjuncts = (
        ("predecessor_is_right", ideal.predecessor, local.predecessor),
        ("successors_are_right", ideal.successors, local.successors),
        ("fingers_are_right", fingers, local.fingers),
    )
    wrong = [Fault(rule, me, expected, actual, IDEAL) for rule, expected, actual in conjuncts if expected != actual]
    named = (local.predecessor, *local.successors, *(name for _, name in local.fingers))
    gone = tuple(sorted({name for name in named if name is not None and name not in members}))
    return (*wrong, Fault("no_crashed_node_is_listed", me, (), gone, IDEAL)) if gone else tuple(wrong)


def message_faults(parameters: Parameters, members: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """Faults of a message in flight that can lead away from the ideal ring. Questions and pings are harmless."""
    return tuple(_message_faults(parameters, members, target, message))


def _message_faults(parameters: Parameters, members: Anchor, target: str, message: Any) -> Iterator[Fault]:
    match message:
        case StabilizeReply(sender, predecessor, successors):
            answer = (predecessor, successors)
            ideal = right(parameters, members, sender) if sender in members else None
            expected = (ideal.predecessor, ideal.successors) if ideal else "nothing from a node that is no member"
            if answer != expected:
                yield Fault("answers_are_right", target, expected, answer, IDEAL)
        case Notify(sender):
            if sender not in members:
                yield Fault("notifiers_are_members", target, "a member", sender, IDEAL)
        case JoinRequest(joiner) | JoinReply(joiner):
            yield Fault("no_node_is_joining", target, None, joiner, IDEAL)
        case Dead(node):
            if node in members:
                yield Fault("the_dead_are_dead", target, "no member", node, IDEAL)
        case Outside(node):
            if node in members:
                yield Fault("outsiders_are_outside", target, "no member", node, IDEAL)
        case RouteReply(key, said):
            yield from _owner_faults(parameters, members, target, parameters.circle.number(key), said)
        # No message ever arrives at a target without an id.
        case FixFingerReply(finger, said) if parameters.circle.has_id(target):
            yield from _owner_faults(parameters, members, target, parameters.circle.target(target, finger), said)


def _owner_faults(parameters: Parameters, members: Anchor, target: str, position: int, said: str) -> Iterator[Fault]:
    if not members:
        return
    right_one = owner(parameters.circle, members, position)
    if said != right_one:
        yield Fault("owners_are_right", target, right_one, said, IDEAL)
