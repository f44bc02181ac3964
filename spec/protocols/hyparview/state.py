"""The variables, messages and commands of HyParView and its broadcast, and what it delivers."""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec

from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.publishing.publications import Number, Publication
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, AtMost, Holds, NodeName, Within
from gomboc.spec.types.kinds import Crash, Kind, Suspect
from gomboc.spec.types.speakers import anyone, named_in, speakers

Status = Literal["outside", "inside", "crashed"]
"""A node that is not a member yet, a member, and one that has crashed or left and never returns under its name."""

Priority = Literal["high", "low"]
"""Of a Neighbor request: high if the active view of its sender is empty."""

_TOPIC = re.compile(r"[0-9A-Za-z_.:-]{1,64}")


def is_topic(text: str) -> bool:
    """Whether a text is the name of a topic."""
    return _TOPIC.fullmatch(text) is not None


def _no_topic(_parameters: Any, text: str) -> str | None:
    return None if is_topic(text) else "a topic of 1 to 64 letters, digits, or _ . : -"


Topic = Annotated[str, Holds(_no_topic)]


class Item(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """A publication and its topic."""

    topic: Topic
    publication: Publication


class Id(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The identity of a publication: its publisher uses a number once in a topic. Source: decided here."""

    topic: Topic
    publisher: str
    number: Number


def key_of(item: Item) -> tuple[str, str]:
    """The place of an item among others: its topic, and the key of its publication."""
    return item.topic, item.publication.key


def id_of(item: Item) -> Id:
    """The identity of an item."""
    return Id(item.topic, item.publication.publisher, item.publication.number)


Items = Annotated[tuple[Item, ...], Ascending(key_of)]
Ids = Annotated[tuple[Id, ...], Ascending(), AtMost("chunk")]
"""The ids of a message."""
View = Annotated[tuple[NodeName, ...], Ascending()]
Hops = Annotated[int, Within(0, lambda parameters: parameters.arwl + 1)]


class Node(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A node's variables.

    `asked` is the passive node that was asked to become active and has not answered; a place is kept for it. `contact`
    is the node through which it joins. `held` are the publications that it has delivered and keeps. Where these are
    too many for a digest, `told` is the last one that a digest named in its turn, and `new` are those that came
    since, of which no digest has spoken.

    Source: HyParView, Section 4.1; all others are decided here
    """

    status: Status
    active: Annotated[View, AtMost("active")] = ()
    passive: Annotated[View, AtMost("passive")] = ()
    asked: NodeName | None = None
    contact: NodeName | None = None
    held: Items = ()
    told: Id | None = None
    new: Annotated[tuple[Id, ...], Ascending()] = ()


OUTSIDE = Node("outside")
CRASHED = Node("crashed")
"""The state of a crashed node, which knows no other node."""


class Join(Kind, frozen=True):
    """The sender wants in. Source: HyParView, Algorithm 1, JOIN."""

    sender: NodeName


class ForwardJoin(Kind, frozen=True):
    """`joiner` is new; `ttl` hops of the walk are left. Source: HyParView, Algorithm 1, FORWARDJOIN."""

    joiner: NodeName
    ttl: Hops
    sender: NodeName


class Neighbor(Kind, frozen=True):
    """The sender asks for a place in the receiver's active view. Source: HyParView, Section 4.3, NEIGHBOR."""

    sender: NodeName
    priority: Priority


class Accept(Kind, frozen=True):
    """The receiver is in the sender's active view. Source: HyParView, Section 4.3."""

    sender: NodeName


class Refuse(Kind, frozen=True):
    """The sender's active view is full. Source: HyParView, Section 4.3."""

    sender: NodeName


class Keep(Kind, frozen=True):
    """The receiver is in the sender's active view, restated in every period. Source: decided here."""

    sender: NodeName


class Disconnect(Kind, frozen=True):
    """The receiver is not, or no longer, in the sender's active view. Source: HyParView, Algorithm 1, DISCONNECT."""

    sender: NodeName


class Shuffle(Kind, frozen=True):
    """A sample of the views of `origin` on a walk. Source: HyParView, Section 4.4, SHUFFLE."""

    origin: NodeName
    ttl: Hops
    nodes: View
    sender: NodeName


class ShuffleReply(Kind, frozen=True):
    """Passive nodes of the node where a Shuffle has ended. Source: HyParView, Section 4.4, SHUFFLEREPLY."""

    nodes: View


class Broadcast(Kind, frozen=True):
    """A publication on its way over active links. Source: first report, Section 3.1.1, BCAST."""

    sender: NodeName
    item: Item


class Digest(Kind, frozen=True):
    """Publications that the sender holds. Source: first report, Section 3.1.1, CACHEDIDS request."""

    sender: NodeName
    ids: Ids


class Request(Kind, frozen=True):
    """Those of a Digest that the sender lacks. Source: first report, Section 3.1.1, CACHEDIDS reply."""

    sender: NodeName
    ids: Ids


class Publish(Kind, frozen=True):
    """Publications of a Request. Source: first report, Section 3.4.3."""

    sender: NodeName
    items: Annotated[Items, AtMost("chunk")]


class Dead(Kind, frozen=True):
    """That node has crashed: its mailbox says so, or the node itself as it leaves. Source: decided here."""

    node: NodeName


class JoinCommand(Kind, frozen=True, tag="Join"):
    """Get in, through `contact`; through oneself: begin the overlay. Source: HyParView, Algorithm 1, init."""

    contact: NodeName


class Leave(Kind, frozen=True):
    """Crash, with notice. Source: decided here."""


class Spread(Kind, frozen=True):
    """Broadcast this publication. Source: first report, Section 3.3, BCastRequest."""

    topic: Topic
    publication: Publication


class Peers(Kind, frozen=True):
    """The nodes that the membership names now, delivered in every period. Source: decided here."""

    nodes: View


class Heard(Kind, frozen=True):
    """A publication, delivered once. Source: first report, Section 3.3, BCastDeliver."""

    topic: Topic
    publication: Publication


Message = (
    Join
    | ForwardJoin
    | Neighbor
    | Accept
    | Refuse
    | Keep
    | Disconnect
    | Shuffle
    | ShuffleReply
    | Broadcast
    | Digest
    | Request
    | Publish
    | Dead
)
Command = JoinCommand | Leave | Crash | Suspect | Spread


def asleep(local: Node) -> bool:
    """Whether a node does not participate and does not want to join."""
    return local.status != "inside" and local.contact is None


def room(parameters: Parameters, local: Node) -> int:
    """The free places of an active view; one is kept for the asked node."""
    return parameters.active - len(local.active) - (local.asked is not None)


def heard(items: Iterable[Item]) -> Iterator[Heard]:
    """The deliveries of these publications, in the order of their ids."""
    for item in sorted(items, key=lambda item: (id_of(item), item.publication.key)):
        yield Heard(item.topic, item.publication)


def _in_state(parameters: Parameters, local: Node) -> str | None:
    if local.status != "inside" and without_contact(local) != Node(local.status):
        return "nothing known by a node that is no member"
    if local.status == "crashed" and local.contact is not None:
        return "no contact of a crashed node"
    if set(local.active) & set(local.passive):
        return "views without a common node"
    if local.asked is not None and local.asked not in local.passive:
        return "an asked node that is passive"
    if room(parameters, local) < 0:
        return "a place for the asked node in the active view"
    return None


def without_contact(local: Node) -> Node:
    """The state without its contact."""
    return local if local.contact is None else msgspec.structs.replace(local, contact=None)


SPEAKERS = speakers(Message, {ShuffleReply: anyone, Dead: named_in("node")})
"""Who sends each message. The end of a walk is no node that its origin knows: HyParView, Section 4.4."""

FIELDS = Derived(Node, Message, Command, Peers, Heard, relations={Node: Holds(_in_state)})
"""The nodes that values name, their faults, and their renaming; publishers need not exist."""
