"""Deliveries besides publications, and the record of the publications that were delivered."""

from bisect import bisect_left, insort
from collections.abc import Iterable

from gomboc.impl.core.vocabulary import Delivery, encode
from gomboc.impl.publishing.publication import Publication


class Subscribed(Delivery, frozen=True):
    """From now on publications are delivered."""


class Unsubscribed(Delivery, frozen=True, omit_defaults=True):
    """From now on none is; with `forget`, the record of delivered ones is empty."""

    forget: bool = False


class Spread(Delivery, frozen=True):
    """The layer beside is to broadcast this publication."""

    publication: Publication


class DeliveryRecord:
    """The numbers of delivered publications, by publisher; of each, the `keep` highest, all if that is None.

    A number below all of so many counts as delivered, so that no publication is delivered twice.
    """

    __slots__ = ("_keep", "_numbers", "_written")

    def __init__(self, keep: int | None, numbered: Iterable[tuple[str, int]] = ()) -> None:
        self._keep = keep
        self._numbers: dict[str, list[int]] = {}
        self._written: bytes | None = None
        for publisher, number in numbered:
            self._numbers.setdefault(publisher, []).append(number)

    def add(self, publisher: str, number: int) -> bool:
        """Record a publication as delivered; whether it was not."""
        numbers = self._numbers.setdefault(publisher, [])
        at = bisect_left(numbers, number)
        if at < len(numbers) and numbers[at] == number:
            return False
        if self._keep is not None and at == 0 and len(numbers) >= self._keep:
            return False
        insort(numbers, number)
        self._written = None
        self._trim(numbers)
        return True

    def trim(self) -> None:
        """Drop the numbers beyond `keep`, which a loaded record may have."""
        for numbers in self._numbers.values():
            self._trim(numbers)

    def _trim(self, numbers: list[int]) -> None:
        if self._keep is not None and len(numbers) > self._keep:
            del numbers[: -self._keep]
            self._written = None

    def clear(self) -> None:
        """Forget all."""
        self._numbers.clear()
        self._written = None

    def written(self) -> bytes:
        """The key `delivered` of the state as a trace writes it, after a comma; nothing if it is empty."""
        if self._written is None:
            pairs = [(publisher, number) for publisher in sorted(self._numbers) for number in self._numbers[publisher]]
            self._written = b',"delivered":' + encode(pairs) if pairs else b""
        return self._written
