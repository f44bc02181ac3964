"""The rule for each input, with its source in the papers."""

from typing import Any

from gomboc.spec.chord.parameters import Parameters
from gomboc.spec.chord.state import (
    Answer,
    Ask,
    Crash,
    Dead,
    Find,
    Found,
    Join,
    Leave,
    Lookup,
    Node,
    Notify,
    Outside,
    Peers,
    Ping,
    Place,
    Refresh,
    Refreshed,
    Seek,
    Suspect,
    head,
)
from gomboc.spec.model import Commanded, Input, Received, Timeout
from gomboc.spec.protocol import Cited

RULES: dict[type, Cited] = {
    Ask: Cited("answer", "Section 2.2.3, STABILIZE_REQUEST"),
    Answer: Cited("learn", "Section 2.2.3, STABILIZE_REPLY"),
    Ping: Cited("be_there", "Stoica et al. 2003, Figure 6, check_predecessor"),
    Notify: Cited("rectify", "Section 2.2.3, NOTIFY"),
    Find: Cited("find", "Section 2.2.3, find_successor with JOIN_CODE"),
    Place: Cited("hear_late", "decided here"),
    Seek: Cited("seek", "Section 2.2.3, routeRequest"),
    Found: Cited("found", "Section 2.2.2, ROUTE reply"),
    Refresh: Cited("look_for_finger", "Section 2.2.3, find_successor with NEXT_CODE"),
    Refreshed: Cited("point", "Section 2.2.3, FIX_FINGER_REPLY"),
    Dead: Cited("lose", "Section 2.2.3, crash"),
    Outside: Cited("lose", "decided here"),
    Join: Cited("want_in", "Section 2.2.3, init"),
    Leave: Cited("leave", "Stoica et al. 2003, Section IV-E.5"),
    Crash: Cited("crash", "Section 2.2.3, crash"),
    Suspect: Cited("lose", "Section 2.2.3, crash"),
    Peers: Cited("hear_of_peers", "decided here"),
    Lookup: Cited("seek", "Section 2.2.3, routeRequest"),
}
"""The rule for each message to a member, and for each command."""

PLACED = Cited("take_place", "Section 2.2.3, JOIN_REPLY")
BOUNCED = Cited("bounce", "Section 2.2.3, crash")
UNHEARD = Cited("stay_outside", "Section 2.2.3, init")
STABILISED = Cited("stabilise", "Section 2.2.3, timer stabilize")
REFRESHED = Cited("refresh", "Section 2.2.3, timer fix_fingers")
ASKED_IN = Cited("ask_in", "Section 2.2.3, init")
BEGUN = Cited("begin", "Stoica et al. 2003, Figure 6, create")
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
        case "outside", Place() if local.contact is not None:
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
