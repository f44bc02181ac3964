"""The rule for each input, with its source."""

from typing import Any

from gomboc.spec.core.model import Commanded, Input, Received, Timeout
from gomboc.spec.core.protocol import Cited
from gomboc.spec.protocols.hyparview.state import (
    Accept,
    Broadcast,
    Dead,
    Digest,
    Disconnect,
    ForwardJoin,
    Join,
    JoinCommand,
    Keep,
    Leave,
    Neighbor,
    Publish,
    Refuse,
    Request,
    Shuffle,
    ShuffleReply,
    Spread,
)
from gomboc.spec.types.kinds import Crash, Suspect

PAPER, REPORT, OURS = "HyParView, Algorithm 1", "first report, Section 3.3", "decided here"

RULES: dict[type, Cited] = {
    Join: Cited("join", f"{PAPER}, JOIN"),
    ForwardJoin: Cited("forward_join", f"{PAPER}, FORWARDJOIN"),
    Neighbor: Cited("neighbor", "HyParView, Section 4.3"),
    Accept: Cited("link", "HyParView, Section 4.3"),
    Keep: Cited("keep", OURS),
    Refuse: Cited("refuse", "HyParView, Section 4.3"),
    Disconnect: Cited("disconnect", f"{PAPER}, DISCONNECT"),
    Shuffle: Cited("shuffle", "HyParView, Section 4.4"),
    ShuffleReply: Cited("shuffle_reply", "HyParView, Section 4.4"),
    Broadcast: Cited("flood", f"{REPORT}, ReceiveBCast"),
    Digest: Cited("request", f"{REPORT}, ReceiveCachedIdRequest"),
    Request: Cited("publish", f"{REPORT}, ReceiveCachedIdReply"),
    Publish: Cited("take_in", f"{REPORT}, ReceiveBCast"),
    Dead: Cited("forget", OURS),
    JoinCommand: Cited("enter", f"{PAPER}, init"),
    Leave: Cited("leave", OURS),
    Crash: Cited("crash", OURS),
    Suspect: Cited("forget", OURS),
    Spread: Cited("spread", f"{REPORT}, BCastRequest"),
}
"""The rule for each message to a member, and for each command."""

PERIODIC = Cited("timeout", "HyParView, Sections 4.3 and 4.4")
ASKS_IN = Cited("ask_in", f"{PAPER}, init")
SLEPT = Cited("sleep", OURS)
LET_IN = Cited("let_in", f"{PAPER}, init")
OUTSIDE = Cited("answer_outside", OURS)
BOUNCED = Cited("bounce", OURS)


def rule(local: Any, taken: Input) -> Cited:
    """The rule for an input. Raises KeyError if there is none."""
    match taken:
        case Timeout():
            return PERIODIC if local.status == "inside" else SLEPT if local.contact is None else ASKS_IN
        case Received(message) if type(message) in RULES:
            return _of_message(local, message)
        case Commanded(command) if type(command) in RULES:
            return RULES[type(command)]
    raise KeyError(f"there is no rule for {taken!r}")


def _of_message(local: Any, message: Any) -> Cited:
    match local.status, message:
        case "crashed", _:
            return BOUNCED
        case "outside", Dead():
            return RULES[Dead]
        case "outside", Accept() | Keep() | Neighbor() if local.contact is not None:
            return LET_IN
        case "outside", _:
            return OUTSIDE
    return RULES[type(message)]
