"""Retention: keep each publisher's publications with the highest numbers, so that old ones expire at all nodes.

The kept part of a union is the kept part of the union of kept parts. So nodes with the same limit reconcile, and none
spreads a publication that another one has let expire.
"""

from bisect import insort

from gomboc.impl.publishing.publication import Publication

Rank = tuple[int, str]
"""Number and key of a publication."""


class Retention:
    """The numbers and keys of stored publications; the `limit` highest ones of each publisher are kept.

    Two publications under one number, by mistake or by malice, are two: the one with the higher key is kept longer.
    """

    __slots__ = ("_limit", "_ranks")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._ranks: dict[str, list[Rank]] = {}

    def add(self, publication: Publication) -> None:
        """Record a publication that has been stored."""
        insort(self._ranks.setdefault(publication.publisher, []), _rank(publication))

    def excludes(self, publication: Publication) -> bool:
        """Whether a publication that is not stored is too old to be stored."""
        ranks = self._ranks.get(publication.publisher, [])
        return len(ranks) >= self._limit and _rank(publication) < ranks[-self._limit]

    def release(self) -> list[str]:
        """Remove and return the keys of all publications that are too old."""
        return [key for publisher in self._ranks for key in self.release_of(publisher)]

    def release_of(self, publisher: str) -> list[str]:
        """Remove and return the keys of one publisher's publications that are too old."""
        ranks = self._ranks[publisher]
        expired = ranks[: -self._limit]
        del ranks[: -self._limit]
        return [key for _, key in expired]


def _rank(publication: Publication) -> Rank:
    return publication.number, publication.key
