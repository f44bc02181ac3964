"""Samples at the corners of the ranges that an encoding draws from: the least and the greatest values.

Uniform draws hit 0, 1, all ones or the longest label once in thousands of samples, and the mistakes are there.
"""

from collections.abc import Callable, Iterator
from random import Random

from gomboc.checker.prove.lemma import Sample


class Corners(Random):
    """A random source with most draws at an end of their range, or next to one; the others are uniform.

    The share of ends depends on the seed, so that some samples have one corner and others many.
    """

    def __init__(self, seed: int) -> None:
        self._uniform = Random(seed)
        self._share = self._uniform.choice((0.2, 0.5, 0.8))
        self._end = self._uniform.choice((None, 0, -1))
        super().__init__(seed)

    def random(self) -> float:
        """A number in [0, 1): often one of its ends."""
        corner = self._corner(1 << 53)
        return self._uniform.random() if corner is None else corner / (1 << 53)

    def getrandbits(self, k: int, /) -> int:
        """A number of k bits: often no bit, one bit, or all of them."""
        corner = self._corner(1 << k)
        return self._uniform.getrandbits(k) if corner is None else corner

    def _randbelow(self, n: int) -> int:
        corner = self._corner(n)
        return self._uniform.randrange(n) if corner is None else corner

    def _corner(self, count: int) -> int | None:
        """A number below `count` that is at an end or next to one; None for a uniform draw.

        A uniform draw is never rare, so a loop that draws until the value is new terminates.
        """
        if count < 2 or self._uniform.random() > self._share:
            return None
        end = self._uniform.choice((0, -1)) if self._end is None else self._end
        beside = self._uniform.random() < 0.25 and count > 2
        return (end + (beside if end == 0 else -beside)) % count


def samples(agrees: Callable[[Random], Sample], count: int) -> Iterator[Sample]:
    """So many samples on which an encoding and the specification should agree: every other one at corners."""
    return map(agrees, (Corners(seed // 2) if seed % 2 else Random(seed) for seed in range(count)))
