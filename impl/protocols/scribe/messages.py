"""The messages of Scribe."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.authority import HEARSAY, SENDER, Words, own
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Message, ascending, reader
from gomboc.impl.protocols.scribe.parameters import Method, Parameters
from gomboc.impl.publishing.limits import at_most_chunk
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Key

Keys = Annotated[tuple[Key, ...], ascending("key")]
SomeKeys = Annotated[Keys, at_most_chunk("keys")]
Publications = Annotated[
    tuple[Publication, ...], ascending("publication with the key", lambda publication: publication.key)
]
MOST = 2**53 - 1
"""The largest number of subscribers: the largest integer that every reader of JSON reads exactly."""

Count = Annotated[int, Meta(ge=0, le=MOST)]
"""A number of subscribers."""


class Subscribe(Message, frozen=True):
    """I am `sender` and your child, with so many subscribers, and hold publications with these keys, among others."""

    sender: Name
    count: Count
    keys: SomeKeys


class Leave(Message, frozen=True):
    """I am `sender`, and no child of yours."""

    sender: Name


class Heartbeat(Message, frozen=True):
    """I am `sender` and your parent, and hold publications with these keys, among others."""

    sender: Name
    keys: SomeKeys


class Request(Message, frozen=True):
    """I am `sender`, and lack the publications with these keys."""

    sender: Name
    keys: SomeKeys


class Publish(Message, frozen=True):
    """Publications along an edge of the tree."""

    sender: Name
    publications: Annotated[Publications, at_most_chunk("publications")]


class Submit(Message, frozen=True):
    """A publication of a node outside the tree, on its way to it."""

    publication: Publication


class Acknowledge(Message, frozen=True):
    """A node of the tree has taken the publication with this key, or keeps none as old as that."""

    key: Key


class MethodRequest(Message, frozen=True):
    """The asker wants to publish: by which method?"""

    asker: Name


class MethodReply(Message, frozen=True):
    """The owner's method."""

    method: Method


class Dead(Message, frozen=True):
    """This node has crashed."""

    node: Name


Any = Subscribe | Leave | Heartbeat | Request | Publish | Submit | Acknowledge | MethodRequest | MethodReply | Dead

WORDS: Words = {
    Subscribe: SENDER,
    Leave: SENDER,
    Heartbeat: SENDER,
    Request: SENDER,
    Publish: SENDER,
    # A publication is signed, and messages about it go through nodes that do not name themselves.
    Submit: HEARSAY,
    Acknowledge: HEARSAY,
    MethodRequest: HEARSAY,
    MethodReply: HEARSAY,
    Dead: own("node"),
}
"""Whose word each message is."""


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """Decoder of messages under these parameters; it raises `PeerError` for invalid bytes."""
    return reader(Any, "This is not a message of Scribe", parameters, error=PeerError)
