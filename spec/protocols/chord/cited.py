"""The rule for each input, with its source in the papers."""

from typing import Any

from gomboc.spec.core.model import Commanded, Input, Received, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import (
    Dead,
    FixFingerReply,
    FixFingerRequest,
    Join,
    JoinReply,
    JoinRequest,
    Leave,
    Lookup,
    Node,
    Notify,
    Outside,
    Peers,
    Ping,
    RouteReply,
    RouteRequest,
    StabilizeReply,
    StabilizeRequest,
    Unwatch,
    Watch,
    head,
)
from gomboc.spec.types.kinds import Crash, Suspect

RULES: dict[type, Cited] = {
    StabilizeRequest: Cited("stabilize_request", "Section 2.2.3, STABILIZE_REQUEST"),
    StabilizeReply: Cited("stabilize_reply", "Section 2.2.3, STABILIZE_REPLY"),
    Ping: Cited("check_predecessor", "Stoica et al. 2003, Figure 6, check_predecessor"),
    Notify: Cited("rectify", "Section 2.2.3, NOTIFY"),
    JoinRequest: Cited("find_successor", "Section 2.2.3, find_successor with JOIN_CODE"),
    JoinReply: Cited("stale_join_reply", "decided here"),
    RouteRequest: Cited("route_request", "Section 2.2.3, routeRequest"),
    RouteReply: Cited("route_reply", "Section 2.2.2, ROUTE reply"),
    FixFingerRequest: Cited("fix_finger_request", "Section 2.2.3, find_successor with NEXT_CODE"),
    FixFingerReply: Cited("fix_finger_reply", "Section 2.2.3, FIX_FINGER_REPLY"),
    Dead: Cited("handle_crash", "Section 2.2.3, crash"),
    Outside: Cited("handle_crash", "decided here"),
    Join: Cited("join", "Section 2.2.3, init"),
    Leave: Cited("leave", "Stoica et al. 2003, Section IV-E.5"),
    Crash: Cited("crash", "Section 2.2.3, crash"),
    Suspect: Cited("handle_crash", "Section 2.2.3, crash"),
    Peers: Cited("update_peers", "decided here"),
    Lookup: Cited("route_request", "Section 2.2.3, routeRequest"),
    Watch: Cited("watch", "decided here"),
    Unwatch: Cited("watch", "decided here"),
}
"""The rule for each message to a member, and for each command."""

PLACED = Cited("join_reply", "Section 2.2.3, JOIN_REPLY")
BOUNCED = Cited("bounce", "Section 2.2.3, crash")
UNHEARD = Cited("ignore_outside", "Section 2.2.3, init")
STABILISED = Cited("stabilize", "Section 2.2.3, timer stabilize")
REFRESHED = Cited("fix_fingers", "Section 2.2.3, timer fix_fingers")
ASKED_IN = Cited("retry_join", "Section 2.2.3, init")
BEGUN = Cited("create", "Stoica et al. 2003, Figure 6, create")
SLEPT = Cited("sleep", "decided here")


def rule(local: Any, taken: Input) -> Cited:
    """The rule for an input. Raises KeyError if there is none."""
    match taken:
        case Timeout():
            return _of_timeout(local)
        case Received(message) if type(message) in RULES:
            return _of_message(local, message)
        case Commanded(command) if type(command) in RULES:
            return RULES[type(command)]
    raise KeyError(f"there is no rule for {taken!r}")


def _of_timeout(local: Node) -> Cited:
    if local.status == "inside":
        return STABILISED
    return SLEPT if local.contact is None else ASKED_IN


def _of_message(local: Node, message: Any) -> Cited:
    match local.status, message:
        case "crashed", _:
            return BOUNCED
        case "outside", JoinReply() if local.contact is not None:
            return PLACED
        case "outside", Dead():
            return RULES[Dead]
        case "outside", _:
            return UNHEARD
    return RULES[type(message)]


def fired(parameters: Parameters, me: str, local: Any, taken: Input) -> tuple[Cited, ...]:
    """The rules that one step comprises: a timeout may also look up a finger, and a join through itself creates a ring.

    Source: Section 2.2.3, timer fix_fingers
    """
    first = rule(local, taken)
    if taken == Commanded(Join(me)):
        return (BEGUN,)
    if (
        first is STABILISED
        and parameters.fingers
        and parameters.circle.first_finger(me, head(me, local)) < parameters.bits
    ):
        return first, REFRESHED
    return (first,)
