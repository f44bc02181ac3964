"""Disputes: publications that two neighbours judge differently, since they know different keys of a publisher.

A comparison would find them in every period, and the one that refuses them would be sent them for good. So each of both
remembers the refused publications, by topic and neighbour, and reads the other's messages as if there were no such
difference. The one that refuses says so once, beside the protocol.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict, replace

from gomboc.impl.core.automaton import HeldElsewhere
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.comparison import Asking, Telling, answers, left_out
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.port import Disputed, Manner
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import EMPTY, Trie, TrieTuple
from gomboc.impl.publishing.validity import fault

MOST = 1_024
"""The most publications that are remembered for one neighbour in one topic; then the first ones are forgotten."""
MOST_NEIGHBOURS = 64
"""The most neighbours, each in one topic, for which any are remembered; then those of the first one are forgotten."""


class Disputes:
    """The disputes of one node with its neighbours.

    `trie(topic)` are the publications of a topic in which the node takes part, None if there is none; `holds` says
    whether one with a key is held. `confirm` hears of publications that a neighbour holds.
    """

    def __init__(
        self,
        limits: Limits | None,
        authenticator: Authenticator,
        manner: Manner,
        holds: Callable[[str, str], bool],
        trie: Callable[[str], Trie[Publication] | None],
        confirm: Callable[[str, HeldElsewhere], None],
    ) -> None:
        self._limits, self._authenticator, self._manner = limits, authenticator, manner
        self._holds, self._trie, self._confirm = holds, trie, confirm
        self._disputed: dict[tuple[str, str], Disputed] = {}

    def admitted(self, topic: str, me: str, peer: str, message: Struct) -> tuple[Struct | None, list[Struct] | None]:
        """The part of a peer's message that an instance is to take, None if nothing is left; and answers in its place.

        Instead of answers there is None if the message had no effect on an instance.
        """
        disputed = self._disputed.get((topic, peer))
        if disputed is None:
            return message, []
        if isinstance(message, Telling | Asking):
            trie = self._trie(topic) if disputed.insists or disputed.there else None
            return (message, []) if trie is None else self._compared(trie, topic, me, message, disputed)
        rest = _without(message, disputed.here)
        disputed.insists = disputed.insists or rest is not message
        if rest is None:
            return None, None
        if self._manner.altered is None:
            return rest, []
        return self._manner.altered(rest, disputed), []

    def refused(self, topic: str, peer: str, message: Struct) -> None:
        """Remember the publications of a message that were refused as forged."""
        if self._limits is None:
            return
        for of, publication in _carried(message):
            own = self._authenticator.of_topic(of or topic)
            if fault(publication, self._limits, own) is Reason.FORGED:
                self._refuse(topic, peer, publication.key, (of or topic, publication.publisher, publication.number))

    def _refuse(self, topic: str, peer: str, key: str, id_: tuple[str, str, int]) -> None:
        disputed = self._of(topic, peer)
        if key not in disputed.here:
            disputed.here[key], disputed.unsaid[key] = id_, None
            _bound(disputed.here)
            _bound(disputed.unsaid)

    def unsaid(self, topic: str, peer: str) -> tuple[str, ...]:
        """The keys refused of a peer, and those that it is to be told now: no more than a message may have."""
        disputed = self._disputed.get((topic, peer))
        if disputed is None or self._limits is None:
            return ()
        keys = tuple(islice(disputed.unsaid, self._limits.chunk))
        for key in keys:
            del disputed.unsaid[key]
        return keys

    def told(self, topic: str, peer: str, keys: Collection[str]) -> int:
        """Remember the held publications that a peer has refused; return how much of it is new."""
        held = [key for key in keys if self._holds(topic, key)]
        if not held:
            return 0
        there = self._of(topic, peer).there
        new = {key: None for key in held if key not in there}
        there.update(new)
        _bound(there)
        return len(new)

    def _of(self, topic: str, peer: str) -> Disputed:
        if (topic, peer) not in self._disputed:
            self._disputed[topic, peer] = Disputed()
            if len(self._disputed) > MOST_NEIGHBOURS:
                del self._disputed[next(iter(self._disputed))]
        return self._disputed[topic, peer]

    def _compared(
        self, trie: Trie[Publication], topic: str, me: str, message: Any, disputed: Disputed
    ) -> tuple[Struct | None, list[Struct] | None]:
        """Compare as if publications refused here were held, and those that the peer has refused were not."""
        exchange, limits = self._manner.exchange, self._limits
        assert exchange is not None, "only members that compare tries send such a message"
        assert limits is not None, "what is compared has limits"
        altered = _Altered(trie, disputed, limits.key_bits)
        differing: list[TrieTuple] = []
        for node in message.tuples:
            told, stay = trie.altered(node[0], disputed.here, disputed.there)
            if told != node:
                differing.append(node)
            elif node != EMPTY:
                self._confirm(topic, HeldElsewhere(message.sender, tuple(stay)))
        # An equal node has no answer.
        replies: list[Struct] = [*exchange.replies(me, answers(altered, differing))]
        if replies and limits.keep is not None:
            replies += [exchange.tell(me, (node,)) for node in left_out(trie, message)]
        rest = replace(message, tuples=()) if isinstance(message, Asking) else None
        return rest, replies


class _Altered(NamedTuple):
    """A trie as it would be if those refused here were held, and those that the peer has refused were not."""

    trie: Trie[Publication]
    disputed: Disputed
    key_bits: int

    def told_beneath(self, prefix: str) -> TrieTuple | None:
        node, _ = self.trie.altered(prefix, self.disputed.here, self.disputed.there)
        return None if node == EMPTY else node

    def told_children(self, prefix: str) -> tuple[TrieTuple, TrieTuple] | None:
        zero, one = (self.told_beneath(prefix + bit) for bit in "01") if len(prefix) < self.key_bits else (None, None)
        return None if zero is None or one is None else (zero, one)


def _bound(keys: dict[str, Any]) -> None:
    for key in tuple(keys)[: max(0, len(keys) - MOST)]:
        del keys[key]


def _carried(message: Struct) -> Iterator[tuple[str | None, Publication]]:
    """The publications in a message, with their topics where these are there as well."""
    for value in asdict(message).values():
        for item in value if isinstance(value, tuple) and not _is_item(value) else (value,):
            if isinstance(item, Publication):
                yield None, item
            elif _is_item(item):
                yield item


def _is_item(value: object) -> bool:
    return isinstance(value, tuple) and [*map(type, value)] == [str, Publication]


def _key(item: Any) -> str | None:
    publication = item[1] if _is_item(item) else item
    return publication.key if isinstance(publication, Publication) else None


def _without(message: Struct, keys: Mapping[str, object]) -> Struct | None:
    """The message without publications that have one of these keys; None if there were no others."""
    changed: dict[str, Any] = {}
    for name, value in asdict(message).items():
        if _key(value) in keys:
            return None
        if isinstance(value, tuple) and not _is_item(value) and any(_key(item) in keys for item in value):
            changed[name] = tuple(item for item in value if _key(item) not in keys)
            if not changed[name]:
                return None
    return replace(message, **changed) if changed else message
