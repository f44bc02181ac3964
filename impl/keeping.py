"""Keeping some: of each publisher the publications with the highest numbers, so that old ones expire everywhere.

What is kept of a union is what is kept of the kept parts. So nodes that keep as many reconcile, and none spreads what
another one has let expire.
"""

from bisect import insort

from gomboc.impl.publication import Publication


class Keeping:
    """The numbers of what is stored; each publisher is granted the `limit` highest ones."""

    __slots__ = ("_keys", "_limit", "_numbers")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers: dict[str, list[int]] = {}
        self._keys: dict[tuple[str, int], list[str]] = {}

    def add(self, publication: Publication) -> None:
        """Take note of a publication that has been stored."""
        numbered = (publication.publisher, publication.number)
        # A number that was used twice, by mistake or by malice, counts once.
        if numbered not in self._keys:
            self._keys[numbered] = []
            insort(self._numbers.setdefault(publication.publisher, []), publication.number)
        self._keys[numbered].append(publication.key)

    def excludes(self, publication: Publication) -> bool:
        """Whether a publication that is not stored is too old to be."""
        numbers = self._numbers.get(publication.publisher, [])
        return len(numbers) >= self._limit and publication.number < numbers[-self._limit]

    def release(self) -> list[str]:
        """The keys of all that is too old, of which this takes no more note."""
        return [key for publisher in self._numbers for key in self.release_of(publisher)]

    def release_of(self, publisher: str) -> list[str]:
        """The same of one publisher only."""
        numbers = self._numbers[publisher]
        expired = numbers[: -self._limit]
        del numbers[: -self._limit]
        return [key for number in expired for key in self._keys.pop((publisher, number))]
