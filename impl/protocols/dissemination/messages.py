"""The messages, each a struct with the JSON of traces."""

from collections.abc import Callable

from gomboc.impl.core.authority import HEARSAY, SENDER, Words
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Message, reader
from gomboc.impl.publishing.comparison import Asking, Exchange, Publish, Telling
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication


class CheckTrie(Telling, frozen=True):
    """These nodes are in the trie of `sender`: do you have them, with these hashes?"""


class CheckAndPublish(Asking, frozen=True):
    """As `CheckTrie`; besides, `sender` lacks the publications with this `prefix` of their keys."""


EXCHANGE = Exchange(CheckTrie, CheckAndPublish)


class Broadcast(Message, frozen=True):
    """A publication, to be passed on to all nodes between these names; None on an unbounded side."""

    publication: Publication
    low: Name | None
    high: Name | None


Any = CheckTrie | CheckAndPublish | Publish | Broadcast

WORDS: Words = {
    CheckTrie: SENDER,
    CheckAndPublish: SENDER,
    # The publications are signed, and passed on by any member.
    Publish: HEARSAY,
    Broadcast: HEARSAY,
}
"""Whose word each message is."""


def decoder(limits: Limits) -> Callable[[bytes], Any]:
    """A decoder of messages: `PeerError` for bytes that are none, and for what is beyond the limits."""
    return reader(Any, "This is not a message of dissemination", limits, error=PeerError)
