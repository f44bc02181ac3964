"""The holdings of a member: its publications in a trie, audited once after loading, and written once per change."""

from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator, Sequence
from sys import intern

from msgspec.structs import astuple

from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import encode
from gomboc.impl.publishing.authenticator import IDEAL, Authenticator
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication, by_number, content
from gomboc.impl.publishing.retention import Retention
from gomboc.impl.publishing.trie import Trie, TrieTuple
from gomboc.impl.publishing.validity import fault, is_too_large, key_of


class Store:
    """The publications and hashes of one member. Loaded ones may be corrupted in any way, until an audit.

    `expires` tells whether publications are dropped when there are later ones.
    """

    __slots__ = (
        "_authenticator",
        "_by_key",
        "_is_audited",
        "_keeping",
        "_limits",
        "_ordered",
        "_written",
        "expires",
        "trie",
    )

    def __init__(
        self,
        limits: Limits,
        authenticator: Authenticator = IDEAL,
        publications: Iterable[Publication] = (),
        hashes: Iterable[TrieTuple] = (),
    ) -> None:
        self._limits = limits
        self.expires = limits.keep is not None
        self._authenticator = authenticator
        self._load(publications, hashes)
        self._is_audited = not self.trie and not self.trie.corrupted

    def _load(self, publications: Iterable[Publication], hashes: Iterable[TrieTuple] = ()) -> None:
        self.trie: Trie[Publication] = Trie(dict(hashes))
        self._keeping = None if self._limits.keep is None else Retention(self._limits.keep)
        self._written: bytes | None = None
        self._ordered: list[Publication] | None = None
        self._by_key: dict[str, Publication] | None = None
        for publication in publications:
            self._insert(publication)

    def _insert(self, publication: Publication) -> bool:
        stored = publication.key not in self.trie
        if stored:
            publication = _shared(publication)
            self.trie.insert(publication.key, publication)
        if stored and self._keeping is not None:
            self._keeping.add(publication)
        if stored and self._by_key is not None:
            self._by_key[publication.key] = publication
        if stored and self._ordered is not None:
            insort(self._ordered, publication, key=by_number)
        return stored

    def forget(self) -> None:
        """Drop everything."""
        if self.trie or self.trie.corrupted:
            self._load(())
        self._is_audited = True

    def keep_only(self, keys: Collection[str]) -> None:
        """Drop all publications but those with one of these keys, as if no other had ever been here."""
        self._load([publication for publication in self.trie.items() if publication.key in keys])

    def audit(self) -> None:
        """Put each publication under its right key, drop the invalid ones, and rebuild trie and hashes.

        Later publications are checked on arrival, so this is needed once for the loaded ones.

        Source: Feldmann et al., Section 4.2, "able to correct eventual mistakes"
        """
        if self._is_audited:
            return
        self._load([self._rekeyed(publication) for publication in self.trie.items() if self._may_stay(publication)])
        self._expire_all()
        self._is_audited = True

    def _may_stay(self, publication: Publication) -> bool:
        if is_too_large(publication.text, self._limits):
            return False
        return self._authenticator.signer(publication) == publication.publisher

    def _rekeyed(self, publication: Publication) -> Publication:
        publisher, number, payload = publication.publisher, publication.number, publication.text
        key = key_of(publisher, number, payload, self._limits.key_bits)
        return (
            publication
            if key == publication.key
            else Publication(key, publisher, number, payload, publication.signature)
        )

    def is_too_large(self, payload: str) -> bool:
        """Whether a payload has more bytes than it may."""
        return is_too_large(payload, self._limits)

    def sign(self, publisher: str, number: int, payload: str) -> Publication:
        """This publisher's publication, with its key and signature."""
        key = key_of(publisher, number, payload, self._limits.key_bits)
        signature = self._authenticator.sign(publisher, content(publisher, number, payload))
        return Publication(key, publisher, number, payload, signature)

    def refusal(self, publication: Publication) -> Reason | None:
        """The reason to refuse this publication; None if it is accepted, or would be if it were not stored already.

        One that is stored, with this very signature, was verified when it came.
        """
        if self._is_audited and self.trie.get(publication.key) == publication:
            return None
        reason = fault(publication, self._limits, self._authenticator)
        if reason is None and publication.key not in self.trie and self._is_expired(publication):
            return Reason.EXPIRED
        return reason

    def sifted(self, offered: Sequence[Publication]) -> tuple[list[Publication], list[Reason]]:
        """The publications that are valid and not expired, and the reasons to refuse the others."""
        reasons = [self.refusal(publication) for publication in offered]
        accepted = [publication for publication, reason in zip(offered, reasons, strict=True) if reason is None]
        return accepted, [reason for reason in reasons if reason is not None]

    def _is_expired(self, publication: Publication) -> bool:
        return self._keeping is not None and self._keeping.excludes(publication)

    def add(self, valid: Iterable[Publication]) -> list[Publication]:
        """Store new publications, and expire old ones; return the new ones, in the order of deliveries."""
        added = [publication for publication in valid if self._insert(publication)]
        if added:
            self._written = None
        if self._keeping is None:
            return sorted(added, key=Publication.order)
        if self._is_audited:
            self._expire_of(sorted({publication.publisher for publication in added}))
        else:
            self._expire_all()
        return sorted((publication for publication in added if publication.key in self.trie), key=Publication.order)

    def _expire_all(self) -> None:
        if self._keeping is not None:
            self._remove(self._keeping.release())

    def _expire_of(self, publishers: Iterable[str]) -> None:
        if self._keeping is not None:
            self._remove([key for publisher in publishers for key in self._keeping.release_of(publisher)])

    def _remove(self, keys: list[str]) -> None:
        for key in keys:
            expired = self.trie.get(key)
            if self._by_key is not None:
                self._by_key.pop(key, None)
            self.trie.remove(key)
            if self._ordered is not None and expired is not None:
                del self._ordered[bisect_left(self._ordered, by_number(expired), key=by_number)]
        if keys:
            self._written = None

    def in_order(self) -> Sequence[Publication]:
        """The publications, ascending by number and then by publisher; not to be changed, nor kept over a step."""
        if self._ordered is None:
            self._ordered = sorted(self.trie.items(), key=by_number)
        return self._ordered

    def get(self, key: str) -> Publication | None:
        """The publication that is held under this key; None if there is none.

        A reader asks for many: by a dictionary that takes memory only where one reads so.
        """
        if self._by_key is None:
            self._by_key = {publication.key: publication for publication in self.trie.items()}
        return self._by_key.get(key)

    def __contains__(self, key: object) -> bool:
        """Whether a publication is held under this key."""
        return isinstance(key, str) and key in self.trie

    def root(self) -> TrieTuple:
        """Prefix and hash of the trie's root."""
        return self.trie.root()

    def with_prefix(self, prefix: str) -> list[tuple[Publication, ...]]:
        """All publications with this prefix of their keys, in order, divided into messages."""
        return list(self.chunks(self.trie.items(prefix)))

    def chunks(self, publications: Iterable[Publication]) -> Iterator[tuple[Publication, ...]]:
        """These publications, so many at a time as a message may have: by their number, and by their bytes."""
        return self._limits.portions(publications, lambda publication: publication.text)

    def written(self) -> bytes:
        """The keys `publications` and `hashes` of the state as a trace writes it, each after a comma; none if empty."""
        if self._written is None:
            parts = []
            if self.trie:
                parts.append(b',"publications":' + encode(tuple(self.trie.items())))
            if self.trie.corrupted:
                parts.append(b',"hashes":' + encode(sorted(self.trie.corrupted.items())))
            self._written = b"".join(parts)
        return self._written


def _shared(publication: Publication) -> Publication:
    """The same publication; texts that many have in common are in memory once."""
    key, publisher, number, text, signature = astuple(publication)
    publisher = intern(publisher)
    return Publication(key, publisher, number, text, publisher if signature == publisher else signature)
