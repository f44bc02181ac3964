"""The publications of a node: those that it holds, its own that are pending, and the record of the delivered ones."""

from collections.abc import Iterable, Iterator, Set

from gomboc.impl.core.automaton import Delivered, HeldAgain, Output, Refused
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import encode
from gomboc.impl.protocols.scribe.deliveries import DeliveryRecord
from gomboc.impl.protocols.scribe.states import State
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication, PublicationId
from gomboc.impl.publishing.store import Store


class Holdings:
    """`store` has the publications; `pending` are the keys of own ones that no node of the tree has acknowledged.

    If they are more than a timeout names, `told` is the last key that was named in its turn, and `new` are the keys
    that none has named since they came.
    """

    __slots__ = ("_dropped", "_is_right", "_keys", "_limits", "_me", "_new", "_told", "delivered", "pending", "store")

    def __init__(self, me: str, limits: Limits, store: Store, state: State) -> None:
        self._me, self._limits, self._told, self._is_right = me, limits, state.told, False
        self._keys: tuple[str, ...] | None = None
        self._new = set(state.new)
        self.store = store
        self.pending = set(state.pending)
        self.delivered = DeliveryRecord(limits.keep, state.delivered)
        self._dropped: set[PublicationId] = set()

    def __iter__(self) -> Iterator[Publication]:
        """The publications, in the order of their keys."""
        return self.store.trie.items()

    def keys(self) -> tuple[str, ...]:
        """The keys of all, ascending."""
        if self._keys is None:
            self._keys = tuple(publication.key for publication in self)
        return self._keys

    def next_keys(self) -> tuple[str, ...]:
        """The keys to name now: so many as a message may have, new ones and those that follow the ones of last time."""
        self._new = {key for key in self._new if key in self.store}
        keys, self._told = self._limits.next_part(self.keys(), self._new, self._told)
        return keys

    def waiting(self) -> tuple[Publication, ...]:
        """Those that are pending, in the order of their keys: as many as one message may have."""
        if not self.pending:
            return ()
        return self.first(publication for publication in self if publication.key in self.pending)

    def are_the_trees(self) -> bool:
        """Whether one of them is not pending: it belongs to the tree."""
        return any(key not in self.pending for key in self.keys())

    def repair(self) -> bool:
        """Correct a loaded state; True if that was done before: from then on all stays right."""
        if self._is_right:
            return True
        self._is_right, self._keys = True, None
        self.store.audit()
        self.pending = {one.key for one in self if one.key in self.pending and one.publisher == self._me}
        self.delivered.trim()
        return False

    def take_in(self, offered: Iterable[Publication], outputs: list[Output]) -> list[Publication]:
        """Store the publications that are new, valid and not expired; return them in the order of deliveries."""
        accepted, reasons = self.store.sifted(tuple(offered))
        outputs += map(Refused, reasons)
        added = self.store.add(accepted)
        self._keys = None if added else self._keys
        if len(self.store.trie) > self._limits.chunk:
            self._new.update(one.key for one in added)
        # Those that expire by it are pending no more.
        self.pending = {key for key in self.pending if key in self.store.trie}
        return added

    def undelivered(self) -> Iterator[Output]:
        """Deliveries of the undelivered ones; each is recorded as delivered."""
        return (Delivered(one) for one in sorted(self, key=Publication.order) if self._is_undelivered(one))

    def arrivals(self, added: Iterable[Publication]) -> Iterator[Output]:
        """Deliveries of added ones; one that was delivered, and dropped since, is held again."""
        for one in added:
            if self._is_undelivered(one):
                yield Delivered(one)
            elif one.id in self._dropped:
                yield HeldAgain(one)
            self._dropped.discard(one.id)

    def _is_undelivered(self, publication: Publication) -> bool:
        return self.delivered.add(publication.publisher, publication.number)

    def chunks(self, publications: Iterable[Publication]) -> Iterator[tuple[Publication, ...]]:
        """These, in the order of their keys, so many at a time as a message may have."""
        return self.store.chunks(sorted(publications, key=lambda publication: publication.key))

    def first(self, publications: Iterable[Publication]) -> tuple[Publication, ...]:
        """The first of these chunks; none of no publications."""
        return next(self.chunks(publications), ())

    def missing(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Those of these keys under which nothing is held."""
        return () if keys == self.keys() else tuple(key for key in keys if key not in self.store)

    def named(self, keys: tuple[str, ...]) -> Iterator[Publication]:
        """The publications with these keys."""
        return (publication for key in keys if (publication := self.store.trie.get(key)) is not None)

    def is_valid(self, publication: Publication) -> bool:
        """Whether it may be taken in, or might but for its age."""
        return self.store.refusal(publication) in (None, Reason.EXPIRED)

    def hand_over(self, keys: Iterable[str]) -> None:
        """Hold those with these keys no more, but for pending ones."""
        dropped = {key for key in keys if key in self.store} - self.pending
        if dropped:
            self._dropped.update(one.id for one in self if one.key in dropped)
            self.store.keep_only({*self.keys()} - dropped)
            self._keys = None

    def drop(self, keys: Set[str]) -> None:
        """Hold none with one of these keys any more."""
        self.pending.difference_update(keys)
        self.hand_over(keys)

    def written(self) -> bytes:
        """The keys from `publications` to `new` of a state as traces have it; empty ones are left out."""
        pending = b',"pending":' + encode(sorted(self.pending)) if self.pending else b""
        told = b"" if self._told is None else b',"told":' + encode(self._told)
        new = b',"new":' + encode(sorted(self._new)) if self._new else b""
        return b"".join((self.store.written(), pending, self.delivered.written(), told, new))
