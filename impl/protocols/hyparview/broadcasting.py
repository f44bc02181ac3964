"""The broadcast over active links, and the recovery of publications that it missed.

Source: Vivoli, Costa and Silva, first report: flooding, and recovery by digests
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from gomboc.impl.core.automaton import Output, RandomSource, Refused, Send
from gomboc.impl.core.vocabulary import encode
from gomboc.impl.protocols.hyparview.messages import Broadcast, Digest, Id, Item, Publish, Request, place
from gomboc.impl.protocols.hyparview.states import State
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.comparison import one_of
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.store import Store

_Numbered = tuple[str, int]


class Holdings:
    """The publications of all topics; those that are held have been delivered.

    If they are more than a digest names, `told` is the last one that was named in its turn, and `new` are those that
    none has named since they came.
    """

    __slots__ = (
        "_all_ids",
        "_authenticator",
        "_ids",
        "_is_right",
        "_limits",
        "_new",
        "_number",
        "_stores",
        "_told",
        "_written",
    )

    def __init__(self, limits: Limits, authenticator: Authenticator, state: State) -> None:
        self._limits, self._authenticator, self._told = limits, authenticator, state.told
        self._new = set(state.new)
        self._is_right = False
        self._written: bytes | None = None
        self._all_ids: tuple[Id, ...] | None = None
        self._stores = {
            topic: Store(limits, authenticator.of_topic(topic), [publication for _, publication in group])
            for topic, group in groupby(state.held, lambda item: item[0])
        }
        self._ids = {topic: _numbered(store) for topic, store in self._stores.items()}
        self._number = sum(map(len, self._ids.values()))

    def audit(self) -> None:
        """Correct a loaded state, once: put each publication under its right key, and drop the invalid ones."""
        if self._is_right:
            return
        self._is_right = True
        for topic, store in self._stores.items():
            store.audit()
            self._ids[topic] = _numbered(store)
        self._number = sum(map(len, self._ids.values()))
        self._written = self._all_ids = None

    def _add(self, topic: str, store: Store, stored: Iterable[Publication]) -> None:
        """Record what was added to a topic's publications; others may have expired by it."""
        self._stores[topic] = store
        ids = self._ids.setdefault(topic, set())
        before = len(ids)
        ids.update((publication.publisher, publication.number) for publication in stored)
        if self._limits.keep is not None:
            self._ids[topic] = _numbered(store)
        self._number += len(self._ids[topic]) - before
        self._written = self._all_ids = None

    def store(self, topic: str) -> Store:
        """The publications of a topic; without any, a store that is not kept."""
        return self._stores.get(topic) or Store(self._limits, self._authenticator.of_topic(topic))

    def take_in(self, offered: Iterable[Item], outputs: list[Output]) -> list[Item]:
        """Store the publications that are new, valid and not expired; return them in the order of deliveries."""
        added: list[Item] = []
        for topic, group in groupby(sorted(offered, key=place), lambda item: item[0]):
            store = self.store(topic)
            accepted, reasons = store.sifted([publication for _, publication in group])
            outputs += map(Refused, reasons)
            # Of several under one number the first key counts, so that each id is delivered once.
            known = self._ids.get(topic, set())
            unknown = {one.id: one for one in reversed(accepted) if (one.publisher, one.number) not in known}
            # Without any, nothing is to expire: a loaded state is corrected in the timeout.
            stored = store.add(unknown.values()) if unknown else []
            if stored:
                self._add(topic, store, stored)
                added += ((topic, publication) for publication in stored)
        if added and self._number > self._limits.chunk:
            self._new.update((topic, one.publisher, one.number) for topic, one in added)
        return added

    def _holds(self, id_: Id) -> bool:
        return id_[1:] in self._ids.get(id_[0], ())

    def __iter__(self) -> Iterator[Item]:
        """The items, in the order of topics and keys."""
        return ((topic, one) for topic in sorted(self._stores) for one in self._stores[topic].trie.items())

    def ids(self) -> tuple[Id, ...]:
        """The ids of all, ascending."""
        if self._all_ids is None:
            self._all_ids = tuple((topic, *id_) for topic in sorted(self._ids) for id_ in sorted(self._ids[topic]))
        return self._all_ids

    def next_ids(self) -> tuple[Id, ...]:
        """The ids of the next digest: all if they fit into a message, or new ones in up to half of it, rounded up.

        The others are those that follow the last one of the last time, and after the last id the first.
        """
        part, self._told = self._limits.next_part(self.ids(), self._new, self._told)
        return part

    def drop_expired(self) -> None:
        """What is held no more is new no more."""
        self._new = set(filter(self._holds, self._new))

    def lacking(self, ids: tuple[Id, ...]) -> tuple[Id, ...]:
        """Those of these ids that are not held, and would be kept."""
        if ids == self.ids():
            return ()
        return tuple(id_ for id_ in ids if not self._holds(id_) and self._would_be_kept(id_))

    def _would_be_kept(self, id_: Id) -> bool:
        topic, publisher, number = id_
        keep = self._limits.keep
        if keep is None:
            return True
        numbers = sorted(own for by, own in self._ids.get(topic, ()) if by == publisher)
        return len(numbers) < keep or number > numbers[-keep]

    def chunks(self, ids: Iterable[Id]) -> Iterator[tuple[Item, ...]]:
        """The items with these ids, in order, so many at a time as a message may have."""
        asked = frozenset(ids)
        items = (item for item in self if (item[0], item[1].publisher, item[1].number) in asked)
        return self._limits.portions(items, lambda item: item[1].text)

    def written(self) -> bytes:
        """The keys `held`, `told` and `new` of the state as a trace writes it, each after a comma; none if empty."""
        if self._written is None:
            items = tuple(self)
            self._written = b',"held":' + encode(items) if items else b""
        parts = [self._written]
        if self._told is not None:
            parts.append(b',"told":' + encode(self._told))
        if self._new:
            parts.append(b',"new":' + encode(sorted(self._new)))
        return b"".join(parts)


def _numbered(store: Store) -> set[_Numbered]:
    return {(publication.publisher, publication.number) for publication in store.trie.items()}


def flooded(me: str, item: Item, active: Iterable[str], sender: str | None = None) -> Iterator[Send]:
    """A new item for all active nodes but its sender."""
    return (Send(node, Broadcast(me, item)) for node in active if node != sender)


def restated(me: str, holdings: Holdings, active: Sequence[str]) -> Iterator[Send]:
    """The digest of what is held, or of a part of it, for each active node.

    Where there is none, or nothing is held, nothing has been named.
    """
    holdings.drop_expired()
    if active and holdings.ids():
        digest = Digest(me, holdings.next_ids())
        yield from (Send(node, digest) for node in active)


def asked_for(me: str, holdings: Holdings, digest: Digest) -> Iterator[Send]:
    """The question for what the sender of a digest holds, and this node lacks."""
    lacking = holdings.lacking(digest.ids)
    if lacking:
        yield Send(digest.sender, Request(me, lacking))


def supplied(me: str, holdings: Holdings, request: Request, random: RandomSource) -> Iterator[Output]:
    """One message of the publications that were asked for; the next digest brings a question for the others."""
    return one_of([Publish(me, chunk) for chunk in holdings.chunks(request.ids)], request.sender, random)


def delivery_order(item: Item) -> tuple[str, tuple[str, int, str]]:
    """Sort key of the deliveries of one step."""
    topic, publication = item
    return topic, Publication.order(publication)
