"""Labels of the skip ring: bit strings, the numbers in [0, 1) they stand for, and the shortcuts they determine.

A label is canonical: "0", or a bit string that ends in 1. For such strings the order of the numbers r(label) is the
order of the strings, so labels are compared as they are. Positions are whole numbers of 2**-64, so that distances are
exact.
"""

from functools import lru_cache
from typing import Any

LONGEST = 64
"""The longest label in bits; a ring with longer ones would have more than 2**63 subscribers."""

CIRCLE = 1 << LONGEST
"""The length of the ring, in the unit of `position`."""


def label_of(index: int) -> str:
    """The label l(index): the leading bit of `index`, written in binary, moved to the units place.

    Source: Section 2.1
    """
    bits = format(index, "b")
    return bits[1:] + bits[0]


def index_of(label: str) -> int:
    """The index x with l(x) = label, for a canonical label. Source: Section 2.1."""
    return int(label[-1] + label[:-1], 2)


@lru_cache(maxsize=1 << 16)
def is_canonical(label: str) -> bool:
    """Whether `label` is some l(x) of at most LONGEST bits. Source: Section 2.1."""
    bits = label == "0" or (label.endswith("1") and not label.strip("01"))
    return bits and len(label) <= LONGEST


def not_canonical(parameters: Any, label: str) -> str | None:
    """The form of a canonical label, if a text has not that form."""
    del parameters
    return None if is_canonical(label) else '"0", or up to 64 bits that end in 1'


@lru_cache(maxsize=1 << 16)
def position(label: str) -> int:
    """The number r(label), in units of 2**-64. Source: Section 2.1."""
    return int(label, 2) << (LONGEST - len(label))


def label_at(point: int) -> str:
    """The canonical label at `place` (units of 2**-64, modulo the ring). Source: Section 2.1."""
    return format(point % CIRCLE, f"0{LONGEST}b").rstrip("0") or "0"


def distance(one: str, other: str) -> int:
    """|r(one) - r(other)|, in units of 2**-64. Source: Section 3.2.1 (iii)."""
    return abs(position(one) - position(other))


def clockwise(start: str, end: str) -> int:
    """The distance from `start` upwards to `end`, through 1 = 0 if necessary, in units of 2**-64.

    Source: Section 2.2
    """
    return (position(end) - position(start)) % CIRCLE


@lru_cache(maxsize=1 << 16)
def shortcut_chain(label: str, neighbour: str) -> tuple[str, ...]:
    """The labels of the shortcuts that `label` has on the side of its ring neighbour, nearest first.

    While the label reached is longer than `label`, it was inserted midway between `label` and the next one. The ring
    closes at 1 = 0, so the sum is taken modulo 1.

    Source: Section 3.2.2
    """
    chain: list[str] = []
    reached = neighbour
    while len(reached) > len(label):
        reached = label_at(2 * position(reached) - position(label))
        chain.append(reached)
    return tuple(chain)
