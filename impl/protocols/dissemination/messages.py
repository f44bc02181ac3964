"""The messages, each a struct with the JSON of traces; invalid ones are refused before a core sees them."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Prefix, TrieTuple
from gomboc.impl.publishing.validity import wrong_length

AtMostTwo = Annotated[tuple[TrieTuple, ...], Meta(max_length=2)]


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of the messages."""


class CheckTrie(Message, frozen=True):
    """Nodes of the trie of `sender` with their hashes, for comparison."""

    sender: Name
    tuples: AtMostTwo


class CheckAndPublish(Message, frozen=True):
    """The same; besides, `sender` lacks the publications with keys that begin with `prefix`."""

    sender: Name
    tuples: AtMostTwo
    prefix: Prefix


class Publish(Message, frozen=True):
    """Publications that the receiver lacked."""

    publications: tuple[Publication, ...]


class Broadcast(Message, frozen=True):
    """A publication, to be passed on to all nodes between these names; None on an unbounded side."""

    publication: Publication
    low: Name | None
    high: Name | None


Any = CheckTrie | CheckAndPublish | Publish | Broadcast

_decoder = msgspec.json.Decoder(Any)


def decoder(limits: Limits) -> Callable[[bytes], Any]:
    """A decoder of messages: `PeerError` for bytes that are none, and for keys or prefixes of a wrong length."""
    return partial(_decode, limits.key_bits)


def _decode(key_bits: int, written: bytes) -> Any:
    try:
        message: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of dissemination: {error}.") from error
    wrong = _wrong(message, key_bits)
    if wrong is not None:
        raise PeerError(f"This is not a message of dissemination: {wrong}.")
    return message


def _wrong(message: Any, key_bits: int) -> str | None:
    match message:
        case Publish(publications):
            keys, prefixes = [item.key for item in publications], list[str]()
        case Broadcast(publication):
            keys, prefixes = [publication.key], []
        case CheckTrie(_, tuples):
            keys, prefixes = [], [prefix for prefix, _ in tuples]
        case CheckAndPublish(_, tuples, lacks):
            keys, prefixes = [], [*(prefix for prefix, _ in tuples), lacks]
    return wrong_length(keys, prefixes, key_bits)


encode = msgspec.json.Encoder().encode
