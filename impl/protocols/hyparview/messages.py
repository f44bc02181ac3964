"""The messages of HyParView, and of the broadcast over its active links."""

from collections.abc import Callable
from typing import Annotated, Literal

from msgspec import Meta

from gomboc.impl.core.authority import HEARSAY, SENDER, Words, own
from gomboc.impl.core.counting import counted
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name, TopicName
from gomboc.impl.core.vocabulary import Message, ascending, reader
from gomboc.impl.protocols.hyparview.parameters import Parameters
from gomboc.impl.publishing.limits import at_most_chunk
from gomboc.impl.publishing.publication import Number, Publication

Hops = Annotated[int, Meta(ge=0)]
"""The hops that are left to a walk."""
Names = Annotated[tuple[Name, ...], ascending("node")]
Topic = TopicName
Id = tuple[Topic, Name, Number]
New = Annotated[tuple[Id, ...], ascending("id")]
Ids = Annotated[New, at_most_chunk("ids")]
Item = tuple[Topic, Publication]
"""A publication with its topic."""


def place(item: Item) -> tuple[str, str]:
    """Sort key of items: topic and key."""
    return item[0], item[1].key


Items = Annotated[tuple[Item, ...], ascending("item", place)]


class Join(Message, frozen=True):
    """I am `sender`; let me in."""

    sender: Name


class ForwardJoin(Message, frozen=True):
    """The walk of a new node."""

    joiner: Name
    ttl: Hops
    sender: Name


class Neighbor(Message, frozen=True):
    """I am `sender`; have me in your active view. The priority is high if mine is empty."""

    sender: Name
    priority: Literal["high", "low"]


class Accept(Message, frozen=True):
    """You are in the active view of `sender` now."""

    sender: Name


class Refuse(Message, frozen=True):
    """The active view of `sender` is full."""

    sender: Name


class Keep(Message, frozen=True):
    """You are in the active view of `sender`."""

    sender: Name


class Disconnect(Message, frozen=True):
    """You are not, or no longer, in the active view of `sender`."""

    sender: Name


class Shuffle(Message, frozen=True):
    """The walk of a sample of the views of `origin`."""

    origin: Name
    ttl: Hops
    nodes: Names
    sender: Name


class ShuffleReply(Message, frozen=True):
    """Passive nodes of the node at the end of the walk."""

    nodes: Names


class Broadcast(Message, frozen=True):
    """A publication with its topic, to be passed on."""

    sender: Name
    item: Item


class Digest(Message, frozen=True):
    """I am `sender`, and hold these; others, too, if there are more than a message may have."""

    sender: Name
    ids: Ids


class Request(Message, frozen=True):
    """I am `sender`, and lack these."""

    sender: Name
    ids: Ids


class Publish(Message, frozen=True):
    """I am `sender`; these are publications that you lacked."""

    sender: Name
    items: Annotated[Items, at_most_chunk("publications")]


class Dead(Message, frozen=True):
    """This node has crashed, or leaves."""

    node: Name


Any = (
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

WORDS: Words = {
    Join: SENDER,
    # The joiner, or the origin, of a walk is hearsay.
    ForwardJoin: SENDER,
    Neighbor: SENDER,
    Accept: SENDER,
    Refuse: SENDER,
    Keep: SENDER,
    Disconnect: SENDER,
    Shuffle: SENDER,
    ShuffleReply: HEARSAY,
    Broadcast: SENDER,
    Digest: SENDER,
    Request: SENDER,
    Publish: SENDER,
    Dead: own("node"),
}
"""Whose word each message is."""


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """Decoder of messages under these parameters; it raises `PeerError` for invalid bytes."""
    refusal = "This is not a message of HyParView"
    decode = reader(Any, refusal, parameters, error=PeerError)

    def read(written: bytes) -> Any:
        message: Any = decode(written)
        if isinstance(message, ForwardJoin | Shuffle) and message.ttl > parameters.arwl:
            raise PeerError(f"{refusal}: a walk has {counted(parameters.arwl, 'hop')} at most, not {message.ttl}.")
        return message

    return read
