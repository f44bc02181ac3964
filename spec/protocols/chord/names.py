"""The position of a name on the circle of identifiers, and the order of positions."""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec

from gomboc.spec.types.fields import Holds

Ids = Literal["hash", "number"]
"""The source of a name's id: its SHA-256, or the digits at its end."""


@lru_cache(maxsize=1 << 16)
def _not_a_key(parameters: Any, key: str) -> str | None:
    """The reason why a text is no key on the circle of these parameters; None if it is one."""
    try:
        parameters.circle.number(key)
    except ValueError as error:
        return str(error)
    return None


Key = Annotated[str, Holds(_not_a_key)]
"""A place on the circle as messages have it: hexadecimal digits, in lower case."""


class Circle(msgspec.Struct, frozen=True):
    """The 2^bits identifiers, from 0 on, and how names are turned into them.

    Source: Section 2.1, "the number of bit used to represent the unique ID of the nodes"
    """

    bits: int = 256
    ids: Ids = "hash"

    def size(self) -> int:
        """The number of identifiers."""
        return 1 << self.bits

    def id_of(self, name: str) -> int:
        """The id of a node. Raises ValueError, in a sentence, if it has none.

        Source: Section 2.1, "applying a HASH function (SHA-256)"; the numbers are ours, for small models
        """
        return _id_of(self.bits, self.ids, name)

    def has_id(self, name: str) -> bool:
        """Whether it is the name of a node."""
        try:
            self.id_of(name)
        except ValueError:
            return False
        return True

    def between(self, low: str, name: str, high: str) -> bool:
        """Whether a node lies strictly between two others, clockwise from the first; between itself and itself, all do.

        Source: Zave 2017, between
        """
        return between(self.id_of(low), self.id_of(name), self.id_of(high))

    def distance(self, low: str, high: str) -> int:
        """The clockwise distance from one node to another, from 1 to 2^bits: once around to itself."""
        return (self.id_of(high) - self.id_of(low) - 1) % self.size() + 1

    def number(self, key: Key) -> int:
        """The position that a key encodes. Raises ValueError if it is none on this circle."""
        return _number(self.bits, key)

    def key(self, number: int) -> Key:
        """The key of a position, which is taken modulo 2^bits."""
        return f"{number % self.size():0{_digits(self.bits)}x}"

    def target(self, name: str, finger: int) -> int:
        """The place that a finger of a node is for: its id + 2^finger. Source: Stoica et al. 2003, Table 1."""
        return (self.id_of(name) + (1 << finger)) % self.size()

    def first_finger(self, name: str, head: str) -> int:
        """The first finger with a place beyond the head; `bits` or more if none does.

        Source: Section 2.2.3, "next not in (myself, successor]"
        """
        return self.distance(name, head).bit_length()

    def misnamed(self, roles: Mapping[str, str]) -> str | None:
        """The reason why nodes of these names cannot form a ring, in a sentence; None if they can."""
        taken: dict[int, str] = {}
        for name in sorted(roles):
            try:
                number = self.id_of(name)
            except ValueError as error:
                return str(error)
            if number in taken:
                return (
                    f"{taken[number]!r} and {name!r} have the same id on a circle of 2^{self.bits} ids: "
                    "rename one, or take more bits."
                )
            taken[number] = name
        return None


def between(low: int, position: int, high: int) -> bool:
    """Whether a place lies strictly between two others, clockwise; from one once around to itself, all others do."""
    return low < position < high if low < high else position > low or position < high


def within(low: int, position: int, high: int) -> bool:
    """Whether a place lies between two others, or on the second; from one once around to itself, every place does."""
    return position == high or between(low, position, high)


@lru_cache(maxsize=1 << 16)
def _id_of(bits: int, ids: Ids, name: str) -> int:
    if ids == "hash":
        return int.from_bytes(sha256(name.encode()).digest()) % (1 << bits)
    digits = name[len(name.rstrip("0123456789")) :]
    if not digits or not digits.isascii():
        raise ValueError(f"{name!r} has no number at its end, as in 'n12', so it has no id.")
    if len(digits) > 80 or int(digits) >= 1 << bits:
        raise ValueError(f"{name!r} has no id on a circle of 2^{bits} ids: its number must be below {1 << bits}.")
    return int(digits)


@lru_cache(maxsize=1 << 16)
def _number(bits: int, key: Key) -> int:
    digits = _digits(bits)
    if len(key) != digits or set(key) - set("0123456789abcdef") or int(key, 16) >= 1 << bits:
        raise ValueError(
            f"{key!r} is no key on a circle of 2^{bits} ids: it must be hexadecimal, {digits} long, and below 2^{bits}."
        )
    return int(key, 16)


def _digits(bits: int) -> int:
    """The number of hexadecimal digits of a key."""
    return -(-bits // 4)
