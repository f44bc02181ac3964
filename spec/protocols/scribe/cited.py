"""The rule for each input, with its source in the papers."""

from typing import Any

from gomboc.spec.core.model import Commanded, Input, Received, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.layers.routing import Routed, StillRouted
from gomboc.spec.protocols.scribe.state import (
    Acknowledge,
    Dead,
    Depart,
    Heard,
    Heartbeat,
    Issue,
    Leave,
    MethodReply,
    MethodRequest,
    Publish,
    Request,
    Submit,
    Subscribe,
    WantIn,
    WantOut,
    in_tree,
)
from gomboc.spec.types.kinds import Crash, Suspect

RULES: dict[type, Cited] = {
    Subscribe: Cited("subscribe", "Section 2.4.3, RouteDelivery(SUB)"),
    Leave: Cited("leave", "Section 2.4.3, ScribeMessage(UNSUB)"),
    Heartbeat: Cited("heartbeat", "Rowstron et al. 2001, Section III-D"),
    Request: Cited("answer", "decided here"),
    Publish: Cited("publish", "Section 2.4.3, ScribeMessage(PUB)"),
    Submit: Cited("take_submitted", "Section 2.4.3, RouteDelivery(PUB)"),
    Acknowledge: Cited("acknowledge", "decided here"),
    MethodRequest: Cited("method_request", "Section 3.1.1"),
    MethodReply: Cited("method_reply", "Section 3.1.1"),
    Dead: Cited("handle_crash", "decided here"),
    WantIn: Cited("want_in", "Section 2.4.3, DisseminateMessageRequest(SUB)"),
    WantOut: Cited("want_out", "Section 2.4.3, DisseminateMessageRequest(UNSUB)"),
    Issue: Cited("issue", "Section 2.4.3, DisseminateMessageRequest(PUB)"),
    Routed: Cited("routed", "Section 2.2.2, ROUTE reply"),
    StillRouted: Cited("still_routed", "decided here"),
    Heard: Cited("heard", "Section 3"),
    Depart: Cited("depart", "decided here"),
    Crash: Cited("crash", "Section 5.3"),
    Suspect: Cited("handle_crash", "decided here"),
}
"""The rule for each message and command."""

RESTATED = Cited("restate", "Rowstron et al. 2001, Section III-D")
IDLED = Cited("retry", "decided here")
BOUNCED = Cited("bounced", "decided here")


def rule(local: Any, taken: Input) -> Cited:
    """The rule for an input. Raises KeyError if there is none."""
    match taken:
        case Timeout():
            # An owner that is alone restates nothing.
            return RESTATED if in_tree("", local) else IDLED
        case Received(message) if type(message) in RULES:
            return BOUNCED if local.crashed else RULES[type(message)]
        case Commanded(command) if type(command) in RULES:
            return RULES[type(command)]
    raise KeyError(f"there is no rule for {taken!r}")
