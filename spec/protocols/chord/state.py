"""The variables, messages and commands of Chord, and its notifications to the layer above."""

from operator import itemgetter
from typing import Annotated, Literal

import msgspec

from gomboc.spec.protocols.chord.names import Key
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, AtMost, Distinct, Holds, NodeName, OnlyWith, Within
from gomboc.spec.types.kinds import Crash, Kind, Suspect
from gomboc.spec.types.speakers import named_in, speakers

Status = Literal["outside", "inside", "crashed"]
"""A node that is not yet a member, a member, and one that has crashed or left and never returns under its name."""

Finger = Annotated[int, Within(0, "bits")]
"""The number of a finger."""

Fingers = Annotated[tuple[tuple[Finger, NodeName], ...], Ascending(itemgetter(0)), OnlyWith("fingers")]
"""Fingers, ascending by number: a finger's number, and the node last found to be the successor of id + 2^number."""

Successors = Annotated[tuple[NodeName, ...], Distinct(), AtMost("r")]
"""The nearest successors, the nearest first."""


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's variables.

    `next` is the finger at which the search for the next one to refresh begins. `contact` is the node that it asks to
    join. `peers` are the nodes that the membership last named, and `watched` the keys whose next hops the layer above
    is told; neither is a part of the ring.

    Source: Section 2.2.3, init; the list of successors is Stoica et al. 2003, Section IV-E.3
    """

    status: Status = "outside"
    predecessor: NodeName | None = None
    successors: Successors = ()
    fingers: Fingers = ()
    next: Finger = 0
    contact: NodeName | None = None
    peers: Annotated[tuple[NodeName, ...], Ascending()] = ()
    watched: Annotated[tuple[Key, ...], Ascending()] = ()


CRASHED = Node("crashed")
"""The state of a crashed node, which knows no other node."""


class StabilizeRequest(Kind, frozen=True):
    """A request for the receiver's state. Source: Section 2.2.1, PREDECESSOR request."""

    sender: NodeName


class StabilizeReply(Kind, frozen=True):
    """The state of the sender. Source: Section 2.2.1, PREDECESSOR reply."""

    sender: NodeName
    predecessor: NodeName | None
    successors: Successors


class Ping(Kind, frozen=True):
    """A check whether the receiver is alive. Source: Stoica et al. 2003, Figure 6, check_predecessor."""

    sender: NodeName


class Notify(Kind, frozen=True):
    """The sender holds itself to be the receiver's predecessor. Source: Section 2.2.1, NOTIFY."""

    sender: NodeName


class JoinRequest(Kind, frozen=True):
    """`joiner` wants in; `sender` has sent it last. Source: Section 2.2.1, JOIN request."""

    joiner: NodeName
    sender: NodeName


class JoinReply(Kind, frozen=True):
    """The sender is the joiner's predecessor, and these are to be its successors. Source: Section 2.2.1, JOIN reply."""

    sender: NodeName
    successors: Successors


class RouteRequest(Kind, frozen=True):
    """A lookup on its way; `sender` has sent it last. Source: Section 2.2.1, ROUTE."""

    key: Key
    asker: NodeName
    sender: NodeName


class RouteReply(Kind, frozen=True):
    """The owner of a key: sent to the asker, and then delivered to its application.

    Source: Section 2.2.2, ROUTE reply.
    """

    key: Key
    owner: NodeName


class FixFingerRequest(Kind, frozen=True):
    """A lookup of a finger's place on its way. Source: Section 2.2.3, FIX_FINGER_REQUEST."""

    finger: Finger
    asker: NodeName
    sender: NodeName


class FixFingerReply(Kind, frozen=True):
    """The owner of a finger's place. Source: Section 2.2.3, FIX_FINGER_REPLY."""

    finger: Finger
    owner: NodeName


class Dead(Kind, frozen=True):
    """That node has crashed: its mailbox says so, or the node itself as it leaves. Source: Section 2.2.3, crash."""

    node: NodeName


class Outside(Kind, frozen=True):
    """That node is outside: it was asked, and says so itself. Source: decided here."""

    node: NodeName


class Join(Kind, frozen=True):
    """Get in, through `contact`; through oneself: begin a ring. Source: Section 2.2.3, init."""

    contact: NodeName


class Leave(Kind, frozen=True):
    """Crash, with notice. Source: Stoica et al. 2003, Section IV-E.5."""


class Peers(Kind, frozen=True):
    """The nodes that the membership names now. Source: ours."""

    nodes: Annotated[tuple[NodeName, ...], Ascending()]


class Lookup(Kind, frozen=True):
    """The application looks up the owner of a key. Source: Section 2.2.2, ROUTE request."""

    key: Key


class Watch(Kind, frozen=True):
    """The application wants to be told the next hop towards a key, from now on. Source: decided here."""

    key: Key


class Unwatch(Kind, frozen=True):
    """The application no longer wants to be told it. Source: decided here."""

    key: Key


class Neighbours(Kind, frozen=True):
    """The neighbours, reported to the layer above at every change. Source: Section 2.2.2."""

    predecessor: NodeName | None
    successors: Successors


class Route(Kind, frozen=True):
    """The next hop towards a watched key, reported to the layer above at every change.

    Source: Section 2.2.2, RouteDelivery
    """

    key: Key
    next: NodeName | None


class StillRoute(Kind, frozen=True):
    """The next hop towards a watched key as it is, reported to the layer above in every timeout. Source: ours."""

    key: Key
    next: NodeName | None


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
Command = Join | Leave | Crash | Suspect | Peers | Lookup | Watch | Unwatch
"""`Crash`: Section 2.2.3, crash; `Suspect`: Section 2.2.3, crash(host)."""


def head(me: str, local: Node) -> str:
    """The first successor; the node itself if it has none. Source: Section 2.2.3, "successor <- myself"."""
    return local.successors[0] if local.successors else me


def asleep(local: Node) -> bool:
    """Whether a node does not participate and does not want to join."""
    return local.status != "inside" and local.contact is None


def _in_state(parameters: Parameters, local: Node) -> str | None:
    if local.next and not parameters.fingers:
        return "next 0 without fingers"
    if local.status == "crashed" and local != CRASHED:
        return "nothing known by a crashed node"
    if local.status == "inside" and local.contact is not None:
        return "no contact of a member"
    if local.status != "inside" and (local.predecessor, local.successors, local.fingers, local.next) != (
        None,
        (),
        (),
        0,
    ):
        return "no neighbours of a node outside"
    return None


def _in_reply(_parameters: Parameters, reply: StabilizeReply) -> str | None:
    listed = (reply.predecessor, *reply.successors)
    return "another predecessor and successors than the sender" if reply.sender in listed else None


SPEAKERS = speakers(
    Message,
    {
        RouteReply: named_in("owner"),
        FixFingerReply: named_in("owner"),
        Dead: named_in("node"),
        Outside: named_in("node"),
    },
)
"""Who sends each message. The owner of a key replies itself: Section 2.2.2. Mailboxes of crashed nodes are theirs."""

FIELDS = Derived(
    Node,
    Message,
    Command,
    Neighbours,
    Route,
    StillRoute,
    relations={Node: Holds(_in_state), StabilizeReply: Holds(_in_reply)},
)
"""The nodes that values name, their faults, and their renaming."""
