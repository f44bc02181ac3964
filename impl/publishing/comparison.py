"""Comparison of a node's trie with a neighbour's, hash by hash from the root: the answers that find the differences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, Protocol

from msgspec import Struct

from gomboc.impl.core.automaton import Delivered, HeldElsewhere, Output, RandomSource, Refused, Send, Traced
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Message
from gomboc.impl.publishing.limits import at_most_chunk
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store
from gomboc.impl.publishing.trie import EMPTY, Prefix, Trie, TrieTuple, TrieTuples


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
    """Publications that the receiver lacked, no more than the parameters allow in one message."""

    publications: Annotated[tuple[Publication, ...], at_most_chunk("publications")]


class Exchange(NamedTuple):
    """The comparison in a protocol's own messages."""

    tell: type[Telling]
    ask: type[Asking]

    def compared(self, me: str, store: Store, message: Telling | Asking, *, fetches: bool = True) -> Iterator[Output]:
        """The answers to nodes of the sender's trie, wherever there is a difference, and what both are known to hold.

        A node that fetches nothing, since it is leaving, only tells what it holds itself.

        Source: Feldmann et al., Section 4.2, cases (i) to (iii)
        """
        sender, tuples = message.sender, message.tuples
        for prefix in agreed(store.trie, tuples):
            yield HeldElsewhere(sender, (prefix,))
        for reply in self.replies(me, answers(store.trie, tuples), fetches=fetches):
            yield Send(sender, reply)
        if store.expires:
            for node in left_out(store.trie, message):
                yield Send(sender, self.tell(me, (node,)))

    def replies(self, me: str, differences: "Iterable[Answer]", *, fetches: bool = True) -> Iterator[Telling | Asking]:
        """The messages that say these answers."""
        for own, lacks in differences:
            if lacks is not None and fetches:
                yield self.ask(me, own, lacks)
            elif own:
                yield self.tell(me, own)


def handed_over(store: Store, sender: str, prefix: Prefix, random: RandomSource) -> Iterator[Output]:
    """Publications that a sender lacks, on their way to it: one message of them."""
    return one_of([Publish(portion) for portion in store.with_prefix(prefix)], sender, random)


def one_of(messages: Sequence[Struct], receiver: str, random: RandomSource) -> Iterator[Output]:
    """One of these messages on its way to the receiver, at random if there are several.

    Always the same one might be refused by the receiver, and hide the others from it.
    """
    drawn = int(random.random() * len(messages)) if len(messages) > 1 else 0
    if len(messages) > 1:
        yield Traced(f"part {drawn}")
    if messages:
        yield Send(receiver, messages[drawn])


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


class Told(Protocol):
    """A trie as its node tells of it: prefixes with hashes."""

    def told_beneath(self, prefix: Prefix) -> TrieTuple | None:
        """The root of all that is stored beneath a prefix; None if there is nothing."""

    def told_children(self, prefix: Prefix) -> tuple[TrieTuple, TrieTuple] | None:
        """The children of the node with exactly this prefix; None if it is a leaf."""


def answers(holdings: Told, said: Iterable[TrieTuple]) -> Iterator[Answer]:
    """Yield one answer for each node of the peer's trie that differs from the local trie."""
    for prefix, digest in said:
        answer = _answer(holdings, prefix, digest)
        if answer is not None:
            yield answer


def left_out(holdings: Trie[Any], message: Telling | Asking) -> Iterator[TrieTuple]:
    """Nodes of the local trie for items that the sender does not hold, as its tuples show, though they may be equal.

    Two tuples are the children of one node, and a single one beside a question is the sibling of what the sender lacks.
    On that side of their parent the sender has only what is below the tuple. An item that is refused may keep the
    regular answers from finding more.
    """
    prefixes = [prefix for prefix, _ in message.tuples]
    if len(prefixes) == 2:
        depth = _common(*prefixes)
    elif isinstance(message, Asking) and prefixes:
        depth = max(len(message.prefix) - 1, 0)
    else:
        return
    for prefix in prefixes:
        node = holdings.beneath(prefix[: depth + 1])
        if node is not None and not node.prefix.startswith(prefix):
            yield holdings.told(node)


def _common(one: str, other: str) -> int:
    """The number of first bits that two prefixes have in common."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def agreed(holdings: Trie[Any], said: Iterable[TrieTuple]) -> Iterator[Prefix]:
    """Prefixes of the peer's trie nodes that are equal here: below them both tries hold the same items.

    The hash is computed here, since a cache may be corrupted.
    """
    for prefix, digest in said:
        node = holdings.beneath(prefix)
        if node is not None and node.prefix == prefix and node.digest().hex() == digest:
            yield prefix


def _answer(holdings: Told, prefix: Prefix, digest: str) -> Answer | None:
    """Source: Feldmann et al., Section 4.2, cases (i) to (iii)"""
    own = holdings.told_beneath(prefix)
    if own is None:
        return None if (prefix, digest) == EMPTY else Answer((), prefix)
    if own[0] != prefix:
        missing = "0" if own[0][len(prefix)] == "1" else "1"
        return Answer((own,), prefix + missing)
    if own[1] == digest:
        return None
    # The printed "else" belongs to the search: a leaf has one key, so with another hash it is a corrupted cache.
    children = holdings.told_children(prefix)
    return None if children is None else Answer(children)
