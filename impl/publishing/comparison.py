"""Comparison of a node's trie with a neighbour's, hash by hash from the root: the answers that find the differences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gomboc.impl.core.automaton import Delivered, HeldElsewhere, Output, RandomSource, Refused, Send
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Message
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store
from gomboc.impl.publishing.trie import EMPTY, Inner, Prefix, Trie, TrieTuple, TrieTuples


class Telling(Message, frozen=True):
    """Base of the message that tells nodes of the trie of `sender`, with their hashes."""

    sender: Name
    tuples: TrieTuples


class Asking(Message, frozen=True):
    """Base of the same with a question: `sender` lacks the publications with this `prefix` of their keys."""

    sender: Name
    tuples: TrieTuples
    prefix: Prefix


class Publish(Message, frozen=True):
    """Publications that the receiver lacked."""

    publications: tuple[Publication, ...]


class Exchange(NamedTuple):
    """The comparison in a protocol's own messages."""

    tell: type[Telling]
    ask: type[Asking]

    def compared(self, me: str, store: Store, sender: str, tuples: Sequence[TrieTuple]) -> Iterator[Output]:
        """The answers to nodes of the sender's trie, wherever there is a difference, and what both are known to hold.

        Source: Feldmann et al., Section 4.2, cases (i) to (iii)
        """
        yield from (HeldElsewhere(sender, (prefix,)) for prefix in agreed(store.trie, tuples))
        for own, lacks in answers(store.trie, tuples):
            yield Send(sender, self.tell(me, own) if lacks is None else self.ask(me, own, lacks))


def handed_over(store: Store, sender: str, prefix: Prefix) -> Iterator[Output]:
    """The publications that a sender lacks, on their way to it."""
    return (Send(sender, Publish(chunk)) for chunk in store.with_prefix(prefix))


def taken_over(store: Store, offered: Sequence[Publication]) -> Iterator[Output]:
    """Store the publications that are valid and not expired: refusals of the others by name, deliveries of new ones."""
    accepted, reasons = store.sifted(offered)
    yield from map(Refused, reasons)
    yield from map(Delivered, store.add(accepted))


class Answer(NamedTuple):
    """Reply to a peer's trie nodes: nodes of the local trie, and a prefix whose items the peer still has to send.

    `lacks` is a prefix under which this node holds no items; None if there is no such prefix.
    """

    told: tuple[TrieTuple, ...]
    lacks: Prefix | None = None


def partner(neighbours: Sequence[str], random: RandomSource) -> str | None:
    """A neighbour chosen uniformly at random; None if there is none."""
    return neighbours[int(random.random() * len(neighbours))] if neighbours else None


def answers(holdings: Trie[Any], said: Iterable[TrieTuple]) -> Iterator[Answer]:
    """Yield one answer for each node of the peer's trie that differs from the local trie."""
    for prefix, digest in said:
        answer = _answer(holdings, prefix, digest)
        if answer is not None:
            yield answer


def agreed(holdings: Trie[Any], said: Iterable[TrieTuple]) -> Iterator[Prefix]:
    """Prefixes of the peer's trie nodes that are equal here: below them both tries hold the same items.

    The hash is computed here, since a cache may be corrupted.
    """
    for prefix, digest in said:
        node = holdings.beneath(prefix)
        if node is not None and node.prefix == prefix and node.digest().hex() == digest:
            yield prefix


def _answer(holdings: Trie[Any], prefix: Prefix, digest: str) -> Answer | None:
    """Source: Feldmann et al., Section 4.2, cases (i) to (iii)"""
    if not holdings and (prefix, digest) == EMPTY:
        return None
    node = holdings.beneath(prefix)
    if node is None:
        return Answer((), prefix)
    own = holdings.told(node)
    if node.prefix != prefix:
        missing = "0" if node.prefix[len(prefix)] == "1" else "1"
        return Answer((own,), prefix + missing)
    # The printed "else" belongs to the search: a leaf has one key, so with another hash it is a corrupted cache.
    if own[1] == digest or not isinstance(node, Inner):
        return None
    zero, one = node.children
    return Answer((holdings.told(zero), holdings.told(one)))
