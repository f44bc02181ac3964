"""The variables, messages and commands of Chord, and its notifications to the layer above."""

from typing import Any, Literal

import msgspec

from gomboc.spec.chord.names import Key

Status = Literal["outside", "inside", "crashed"]
"""A node that is not yet a member, a member, and one that has crashed or left and never returns under its name."""

Fingers = tuple[tuple[int, str], ...]
"""Fingers, ascending by number: a finger's number, and the node last found to be the successor of id + 2^number."""


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's variables.

    `successors` are the nearest first, distinct, and never the node itself. `next` is the finger at which the search
    for the next one to refresh begins. `contact` is the node that it asks to join. `peers`, ascending, are the nodes
    that the membership last named; they are no part of the ring.

    Source: Section 2.2.3, init; the list of successors is Stoica et al. 2003, Section IV-E.3
    """

    status: Status = "outside"
    predecessor: str | None = None
    successors: tuple[str, ...] = ()
    fingers: Fingers = ()
    next: int = 0
    contact: str | None = None
    peers: tuple[str, ...] = ()


CRASHED = Node("crashed")
"""The state of a crashed node, which knows no other node."""


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all messages and commands: in a trace, the field `kind` has their type."""


class StabilizeRequest(Kind, frozen=True):
    """A request for the receiver's state. Source: Section 2.2.1, PREDECESSOR request."""

    sender: str


class StabilizeReply(Kind, frozen=True):
    """The state of the sender. Source: Section 2.2.1, PREDECESSOR reply."""

    sender: str
    predecessor: str | None
    successors: tuple[str, ...]


class Ping(Kind, frozen=True):
    """A check whether the receiver is alive. Source: Stoica et al. 2003, Figure 6, check_predecessor."""

    sender: str


class Notify(Kind, frozen=True):
    """The sender holds itself to be the receiver's predecessor. Source: Section 2.2.1, NOTIFY."""

    sender: str


class JoinRequest(Kind, frozen=True):
    """`joiner` wants in; `sender` has sent it last. Source: Section 2.2.1, JOIN request."""

    joiner: str
    sender: str


class JoinReply(Kind, frozen=True):
    """The sender is the joiner's predecessor, and these are to be its successors. Source: Section 2.2.1, JOIN reply."""

    sender: str
    successors: tuple[str, ...]


class RouteRequest(Kind, frozen=True):
    """A lookup on its way; `sender` has sent it last. Source: Section 2.2.1, ROUTE."""

    key: Key
    asker: str
    sender: str


class RouteReply(Kind, frozen=True):
    """The owner of a key: sent to the asker, and then delivered to its application.

    Source: Section 2.2.2, ROUTE reply.
    """

    key: Key
    owner: str


class FixFingerRequest(Kind, frozen=True):
    """A lookup of a finger's place on its way. Source: Section 2.2.3, FIX_FINGER_REQUEST."""

    finger: int
    asker: str
    sender: str


class FixFingerReply(Kind, frozen=True):
    """The owner of a finger's place. Source: Section 2.2.3, FIX_FINGER_REPLY."""

    finger: int
    owner: str


class Dead(Kind, frozen=True):
    """That node has crashed: its mailbox says so, or the node itself as it leaves. Source: Section 2.2.3, crash."""

    node: str


class Outside(Kind, frozen=True):
    """That node is outside: it was asked, and says so itself. Source: decided here."""

    node: str


class Join(Kind, frozen=True):
    """Get in, through `contact`; through oneself: begin a ring. Source: Section 2.2.3, init."""

    contact: str


class Leave(Kind, frozen=True):
    """Crash, with notice. Source: Stoica et al. 2003, Section IV-E.5."""


class Crash(Kind, frozen=True):
    """Stop. Source: Section 2.2.3, crash."""


class Suspect(Kind, frozen=True):
    """The failure detector's report that `node` has crashed. Source: Section 2.2.3, crash(host)."""

    node: str


class Peers(Kind, frozen=True):
    """The nodes that the membership names now. Source: ours."""

    nodes: tuple[str, ...]


class Lookup(Kind, frozen=True):
    """The application looks up the owner of a key. Source: Section 2.2.2, ROUTE request."""

    key: Key


class Neighbours(Kind, frozen=True):
    """The neighbours, reported to the layer above at every change. Source: Section 2.2.2."""

    predecessor: str | None
    successors: tuple[str, ...]


class Route(Kind, frozen=True):
    """The next hop towards a key, reported to the layer above at every change. Source: Section 2.2.2, RouteDelivery."""

    key: Key
    next: str | None


Message = (
    StabilizeRequest
    | StabilizeReply
    | Ping
    | Notify
    | JoinRequest
    | JoinReply
    | RouteRequest
    | RouteReply
    | FixFingerRequest
    | FixFingerReply
    | Dead
    | Outside
)
Command = Join | Leave | Crash | Suspect | Peers | Lookup


def head(me: str, local: Node) -> str:
    """The first successor; the node itself if it has none.

    Source: Section 2.2.3, "successor <- myself"
    """
    return local.successors[0] if local.successors else me


def asleep(local: Node) -> bool:
    """Whether a node does not participate and does not want to join."""
    return local.status != "inside" and local.contact is None


def named(value: Any) -> tuple[str, ...]:
    """Every node to which a state, message or command refers, maybe more than once."""
    match value:
        case Node():
            fingers = (name for _, name in value.fingers)
            return (*_some(value.predecessor, value.contact), *value.successors, *fingers, *value.peers)
        case StabilizeReply():
            return (value.sender, *_some(value.predecessor), *value.successors)
        case JoinReply():
            return (value.sender, *value.successors)
        case StabilizeRequest() | Ping() | Notify():
            return (value.sender,)
        case JoinRequest():
            return (value.joiner, value.sender)
        case RouteRequest() | FixFingerRequest():
            return (value.asker, value.sender)
        case RouteReply() | FixFingerReply():
            return (value.owner,)
        case Dead() | Outside() | Suspect():
            return (value.node,)
        case Join():
            return (value.contact,)
        case Peers():
            return value.nodes
    return ()


def _some(*names: str | None) -> tuple[str, ...]:
    return tuple(name for name in names if name is not None)
