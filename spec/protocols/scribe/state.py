"""The variables, messages and commands of a node in the tree of one topic, and its deliveries."""

from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Input, Received, Send
from gomboc.spec.layers.routing import Routed, StillRouted
from gomboc.spec.protocols.scribe.parameters import Parameters
from gomboc.spec.publishing.publications import Number, Publication, Publications, in_order
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, AtMost, Holds, NodeName, Within
from gomboc.spec.types.kinds import Crash, Kind, Suspect
from gomboc.spec.types.speakers import anyone, named_in, speakers

TREE: Literal["tree"] = "tree"
BROADCAST: Literal["broadcast"] = "broadcast"
Method = Literal["tree", "broadcast"]
"""How a publication gets to the subscribers. Source: Section 3.1.1, "between 'broadcast' and 'scribe'"."""

LARGEST = 2**53 - 1
"""The largest count: what JSON says exactly in every language."""

Count = Annotated[int, Within(0, LARGEST + 1), msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": LARGEST})]
"""A number of subscribers."""


def _not_a_key(parameters: Any, text: str) -> str | None:
    bits = parameters.key_bits
    return f"{bits} bits" if text.strip("01") or len(text) != bits else None


Key = Annotated[str, Holds(_not_a_key)]
Keys = Annotated[tuple[Key, ...], Ascending()]
"""The keys of publications, ascending."""

Part = Annotated[Keys, AtMost("chunk")]
"""So many keys as a message may have."""


class Child(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """A child, and the number of subscribers in its part of the tree, itself included."""

    node: NodeName
    count: Count


class Id(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The identity of a publication: a publisher uses a number once."""

    publisher: str
    number: Number


class Node(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A node's variables.

    `wants`: whether its application subscribes. `next` is the next hop to the topic's key, from the layer below: the
    node itself at the owner, None outside the overlay. `parent` is the node that it last subscribed to. `pending` are
    the keys of its own publications that no node of the tree has acknowledged; the publications are held like all
    others. `delivered` are the publications that its application has. Where it holds more than a
    timeout names, `told` is the last key that one named in its turn, and `new` are those that came since, and that none
    has named. `method` is the owner's.

    Source: Section 2.4.3, topicManagers; Section 3.1.1, the method
    """

    wants: bool
    next: NodeName | None
    parent: NodeName | None = None
    children: Annotated[tuple[Child, ...], Ascending(attrgetter("node"))] = ()
    publications: Publications = ()
    pending: Keys = ()
    delivered: Annotated[tuple[Id, ...], Ascending()] = ()
    told: Key | None = None
    new: Keys = ()
    method: Method = TREE
    crashed: bool = False


BLANK = Node(False, None)
"""The state of a node outside the overlay."""

CRASHED = Node(False, None, crashed=True)
"""The state of a crashed node, which never returns under its name."""


class Subscribe(Kind, frozen=True):
    """The sender is a child, with `count` subscribers in its part of the tree, and holds publications with these keys.

    It may hold others too.

    Source: Section 2.4.3, RouteDelivery(SUB); count and keys are ours
    """

    sender: NodeName
    count: Count
    keys: Part


class Leave(Kind, frozen=True):
    """The sender is no child. Source: Section 2.4.3, ScribeMessage(UNSUB)."""

    sender: NodeName


class Heartbeat(Kind, frozen=True):
    """The sender is the parent, and holds publications with these keys, and maybe others.

    Source: Rowstron et al. 2001, Section III-D; keys are ours
    """

    sender: NodeName
    keys: Part


class Request(Kind, frozen=True):
    """The sender lacks the publications with these keys. Source: ours."""

    sender: NodeName
    keys: Part


class Publish(Kind, frozen=True):
    """Publications along an edge of the tree: new ones, or some that the receiver has asked for.

    Source: Section 2.4.3, ScribeMessage(PUB)
    """

    sender: NodeName
    publications: Annotated[Publications, AtMost("chunk")]


class Submit(Kind, frozen=True):
    """A publication of a node outside the tree, on its way to the tree. Source: Section 2.4.3, RouteDelivery(PUB)."""

    publication: Publication


class Acknowledge(Kind, frozen=True):
    """A node of the tree has taken the publication with this key, or keeps none as old as that. Source: ours."""

    key: Key


class MethodRequest(Kind, frozen=True):
    """`asker` asks the owner for the topic's method. Source: Section 3.1.1."""

    asker: NodeName


class MethodReply(Kind, frozen=True):
    """The topic's method. Source: Section 3.1.1, "will be send back from the topic owner to the sender node"."""

    method: Method


class Dead(Kind, frozen=True):
    """That node has crashed: its mailbox says so. Source: ours; the report's Scribe hears of no crash."""

    node: NodeName


class WantIn(Kind, frozen=True, tag="Subscribe"):
    """The application subscribes. Source: Section 2.4.3, DisseminateMessageRequest(SUB)."""


class WantOut(Kind, frozen=True, tag="Unsubscribe", omit_defaults=True):
    """The application unsubscribes; with `forget`, a later subscription gets all publications anew.

    Source: Section 2.4.3, DisseminateMessageRequest(UNSUB)
    """

    forget: bool = False


class Issue(Kind, frozen=True):
    """The application publishes `payload` under a number that it uses once.

    Source: Section 2.4.3, DisseminateMessageRequest(PUB)
    """

    number: Number
    payload: str


class Heard(Kind, frozen=True):
    """The layer that broadcasts has delivered this. Source: Section 3, the broadcast layer."""

    publication: Publication


class Depart(Kind, frozen=True, tag="Leave"):
    """Crash, with notice: the node leaves the overlay below. Source: ours."""


class Subscribed(Kind, frozen=True):
    """Delivery to the application: from now on it gets publications. Source: ours."""


class Unsubscribed(Kind, frozen=True, omit_defaults=True):
    """Delivery to the application: from now on it gets no publications. Source: ours."""

    forget: bool = False


class Spread(Kind, frozen=True):
    """Delivery to the layer that broadcasts: broadcast this. Source: Section 3.1.1."""

    publication: Publication


Message = Subscribe | Leave | Heartbeat | Request | Publish | Submit | Acknowledge | MethodRequest | MethodReply | Dead
Command = WantIn | WantOut | Issue | Routed | StillRouted | Heard | Depart | Crash | Suspect
"""`Crash`: the node fails for ever, and has lost everything; `Suspect`: a detector that is never wrong."""


def is_idle(me: str, local: Node) -> bool:
    """Whether a node neither owns the topic, nor subscribes, nor has children: it is to leave the tree, or outside."""
    return local.next != me and not local.wants and not local.children


def in_tree(me: str, local: Node) -> bool:
    """Whether a node is in the tree: the owner, a subscriber, a forwarder, or a leaver with something to hand over."""
    return not is_idle(me, local) or any(item.key not in local.pending for item in local.publications)


def subscribers(local: Node) -> int:
    """The number of subscribers in a node's part of the tree, as far as it knows; never above the largest count."""
    return min(LARGEST, local.wants + sum(child.count for child in local.children))


def method_of(parameters: Parameters, me: str, local: Node) -> Method:
    """The right method of a node. The owner's changes at the thresholds, and stays between them.

    Source: Section ii, "The popularity information is stored in the node responsible for a specific topic"
    """
    high, low = parameters.high, parameters.low
    if high is None or low is None or local.next != me or subscribers(local) < low:
        return TREE
    return BROADCAST if subscribers(local) >= high else local.method


def asked(local: Node) -> tuple[str, ...]:
    """The nodes that a node speaks to in each period, ascending: its children, and its parent."""
    nodes = {local.parent, *(child.node for child in local.children)}
    return tuple(sorted(node for node in nodes if node is not None))


def keys_of(local: Node) -> tuple[str, ...]:
    """The keys of the publications that a node holds, ascending."""
    return tuple(item.key for item in local.publications)


def id_of(item: Publication) -> Id:
    """The identity of a publication."""
    return Id(item.publisher, item.number)


def without_child(local: Node, node: str) -> Node:
    """The node without that child."""
    return replace(local, children=tuple(child for child in local.children if child.node != node))


def without_publications(local: Node, keys: Keys) -> Node:
    """The node without the publications with these keys, but for those that are pending."""
    kept = tuple(item for item in local.publications if item.key in local.pending or item.key not in keys)
    return local if kept == local.publications else replace(local, publications=kept)


def acknowledge(me: str, local: Node, key: str) -> Node:
    """The node, which waits no more for that publication; outside the tree, and as a leaver, it drops it.

    Source: ours
    """
    local = replace(local, pending=tuple(other for other in local.pending if other != key))
    return without_publications(local, (key,)) if is_idle(me, local) else local


def top_ids(ids: tuple[Id, ...], keep: int | None) -> tuple[Id, ...]:
    """The ids with the `keep` highest numbers of each publisher, ascending; all without `keep`."""
    ordered = tuple(sorted(set(ids)))
    if keep is None:
        return ordered
    return tuple(
        one
        for at, one in enumerate(ordered)
        if ordered[at + keep : at + keep + 1] == () or ordered[at + keep].publisher != one.publisher
    )


def _in_state(parameters: Parameters, local: Node) -> str | None:
    if local.crashed and local != CRASHED:
        return "nothing known by a crashed node"
    if parameters.high is None and local.method != TREE:
        return "the method 'tree' without high"
    if top_ids(local.delivered, parameters.keep) != local.delivered:
        return f"the {parameters.keep} highest numbers of each publisher as delivered"
    return None


SPEAKERS = speakers(
    Message,
    {Submit: anyone, Acknowledge: anyone, MethodRequest: anyone, MethodReply: anyone, Dead: named_in("node")},
)
"""Who sends each message. What is routed to the tree is passed on, and any node of it answers: Section 2.4.3."""

FIELDS = Derived(Node, Message, Command, Subscribed, Unsubscribed, Spread, relations={Node: Holds(_in_state)})
"""The nodes that values name, their faults, and their renaming."""


def named(value: Any) -> tuple[str, ...]:
    """Every node that a state, message or command names; a publication on its way names its publisher."""
    match value:
        case Submit(publication):
            return (publication.publisher,)
    return FIELDS.named(value)


def undelivered(local: Node, items: Publications, keep: int | None) -> Publications:
    """The publications that were not delivered: one for each id, and none below all that are remembered.

    Source: Section 3, "deliver each message just once"; with `keep`, publications below them are too old
    """
    due: dict[Id, Publication] = {}
    for item in in_order(items):
        ids = (*local.delivered, id_of(item))
        if id_of(item) not in local.delivered and id_of(item) in top_ids(ids, keep):
            due.setdefault(id_of(item), item)
    return tuple(due.values())


def bounced(me: str, taken: Input) -> tuple[Send, ...]:
    """The report of a crashed node, by its mailbox, to the sender of a message along an edge. Source: ours."""
    match taken:
        case Received(Subscribe(sender) | Heartbeat(sender) | Request(sender) | Publish(sender)):
            return (Send(sender, Dead(me)),)
    return ()
