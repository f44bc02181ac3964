"""The messages, each a struct with the JSON of traces."""

from collections.abc import Callable

from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Message, reader
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Prefix, TrieTuples


class CheckTrie(Message, frozen=True):
    """Nodes of the trie of `sender` with their hashes, for comparison."""

    sender: Name
    tuples: TrieTuples


class CheckAndPublish(Message, frozen=True):
    """The same; besides, `sender` lacks the publications with keys that begin with `prefix`."""

    sender: Name
    tuples: TrieTuples
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


def decoder(limits: Limits) -> Callable[[bytes], Any]:
    """A decoder of messages: `PeerError` for bytes that are none, and for keys or prefixes of a wrong length."""
    return reader(Any, "This is not a message of dissemination", limits.key_bits, error=PeerError)
