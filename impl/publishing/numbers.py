"""Numbers of a publisher's publications: dense in each topic, from one incarnation of the publisher to the next.

A number is the incarnation, and a count from 0 in each topic. It is below 2^53, so that every language can read it.
"""

from gomboc.impl.core.errors import UsageError

MOST_INCARNATIONS = 2**32
"""Seconds since 1970 fit, until the year 2106."""
MOST_PER_INCARNATION = 2**21
STRIDE = 2**16
"""What the incarnations that one start goes through differ by, or by a multiple of it: so no two starts meet in one."""


def incarnation_of(number: int) -> int:
    """The incarnation in which a number was given out."""
    return number // MOST_PER_INCARNATION


def is_first(number: int) -> bool:
    """Whether this is the first number of its incarnation in a topic."""
    return number % MOST_PER_INCARNATION == 0


def _is_incarnation(given: object) -> bool:
    # A wall-clock time that was not made whole would give numbers that no trace can hold.
    return type(given) is int and 0 <= given < MOST_INCARNATIONS


class Numbers:
    """Gives out the numbers of one publisher.

    `incarnation` is from 0 to 2^32 - 1, and greater each time that the publisher starts anew; so no number comes twice
    in a topic, even if everything else is forgotten. What is heard, which may be forged, changes nothing in that for
    two starts whose incarnations do not differ by a multiple of `STRIDE`. Raises `UsageError` for another incarnation.
    """

    def __init__(self, incarnation: int) -> None:
        if not _is_incarnation(incarnation):
            says = f"An incarnation is a whole number from 0 to {MOST_INCARNATIONS - 1}, not {incarnation!r}."
            raise UsageError(says)
        self.incarnation = incarnation
        self._given: dict[str, int] = {}
        self._latest: dict[str, int] = {}

    def begins(self, topic: str) -> bool:
        """Whether this incarnation has published nothing in the topic."""
        return topic not in self._given

    def next(self, topic: str) -> int | None:
        """The number of the next publication in the topic; None if this incarnation has none left."""
        given = self._given.get(topic, 0)
        return None if given == MOST_PER_INCARNATION else self.incarnation * MOST_PER_INCARNATION + given

    def before(self, topic: str) -> int | None:
        """The number before the first one of this incarnation in the topic, as far as it is known; else None."""
        return self._latest.get(topic) if self.begins(topic) else None

    def use(self, topic: str) -> None:
        """Use the next number of the topic up."""
        self._given[topic] = self._given.get(topic, 0) + 1

    def give_back(self, topic: str) -> None:
        """Withdraw the last use of a number of the topic: nothing was published under it."""
        self._given[topic] -= 1
        if not self._given[topic]:
            del self._given[topic]

    def see(self, topic: str, number: int) -> None:
        """Hear of a publication of this publisher; if it is of a later life, go on in an incarnation above that one.

        The next one is taken that only this start may use. Where there is none, the publication is passed over.
        """
        if number >= self.incarnation * MOST_PER_INCARNATION + self._given.get(topic, 0):
            above = incarnation_of(number) + 1
            own = above + (self.incarnation - above) % STRIDE
            if own >= MOST_INCARNATIONS:
                return
            self.incarnation = own
            self._given.clear()
        self._latest[topic] = max(number, self._latest.get(topic, 0))
