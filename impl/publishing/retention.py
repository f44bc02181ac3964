"""Retention: keep each publisher's publications with the highest numbers, so that old ones expire at all nodes.

The kept part of a union is the kept part of the union of kept parts. So nodes with the same limit reconcile, and none
spreads a publication that another one has let expire.
"""

from bisect import insort

from gomboc.impl.publishing.publication import Publication


class Retention:
    """The numbers of stored publications; the `limit` highest ones of each publisher are kept."""

    __slots__ = ("_keys", "_limit", "_numbers")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers: dict[str, list[int]] = {}
        self._keys: dict[tuple[str, int], list[str]] = {}

    def add(self, publication: Publication) -> None:
        """Record a publication that has been stored."""
        numbered = (publication.publisher, publication.number)
        # A number that was used twice, by mistake or by malice, counts once.
        if numbered not in self._keys:
            self._keys[numbered] = []
            insort(self._numbers.setdefault(publication.publisher, []), publication.number)
        self._keys[numbered].append(publication.key)

    def excludes(self, publication: Publication) -> bool:
        """Whether a publication that is not stored is too old to be stored."""
        numbers = self._numbers.get(publication.publisher, [])
        return len(numbers) >= self._limit and publication.number < numbers[-self._limit]

    def release(self) -> list[str]:
        """Remove and return the keys of all publications that are too old."""
        return [key for publisher in self._numbers for key in self.release_of(publisher)]

    def release_of(self, publisher: str) -> list[str]:
        """Remove and return the keys of one publisher's publications that are too old."""
        numbers = self._numbers[publisher]
        expired = numbers[: -self._limit]
        del numbers[: -self._limit]
        return [key for number in expired for key in self._keys.pop((publisher, number))]
