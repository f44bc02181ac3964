"""Labels: dyadic fractions in [0, 1), each kept as its whole number of 2^-64ths.

A canonical label is "0" or ends in 1, so its length can be told from its number and the number is all that is kept:
the order of the ring is the order of whole numbers, and distances wrap by a mask. Plain `int`, since this is the
innermost loop of everything.
"""

import re
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import ascending, first

LONGEST = 64
CANONICAL = rf"\A(?:0|[01]{{0,{LONGEST - 1}}}1)\Z"
Label = Annotated[str, Meta(pattern=CANONICAL)]
"""A label as messages and traces write it. Labels are in the order of their texts."""
WrittenClaim = tuple[Label, Name]
WrittenEntry = tuple[Label, Name | None]
WrittenEntries = Annotated[tuple[WrittenEntry, ...], ascending("entry", first)]

_WHOLE = 1 << LONGEST
_MASK = _WHOLE - 1
# Labels come from other nodes, so the caches need a bound.
_REMEMBERED = 1 << 16


@lru_cache(_REMEMBERED)
def from_text(text: str) -> int:
    """The label that this bit string writes; `PeerError` if it is not canonical."""
    if re.match(CANONICAL, text) is None:
        raise PeerError(f'{text!r} is not a label: it is neither "0" nor up to {LONGEST} bits that end in 1.')
    return int(text, 2) << (LONGEST - len(text))


@lru_cache(_REMEMBERED)
def to_text(label: int) -> str:
    """The label as a bit string."""
    bits = length(label)
    return f"{label >> (LONGEST - bits):0{bits}b}"


def length(label: int) -> int:
    """The number of bits that write the label."""
    return LONGEST + 1 - (label & -label).bit_length() if label else 1


def from_index(index: int) -> int:
    """The label that the supervisor gives to its subscriber number `index`, from 0.

    Source: Section 2.1, the mapping l
    """
    if index == 0:
        return 0
    depth = index.bit_length()
    return (2 * index + 1 - (1 << depth)) << (LONGEST - depth)


def index_of(label: int) -> int:
    """The number of the subscriber that gets this label: the inverse of `from_index`."""
    if label == 0:
        return 0
    bits = length(label)
    return (label >> (LONGEST - bits) | 1 << bits) >> 1


def clockwise(start: int, end: int) -> int:
    """The distance from `start` to `end` in ascending direction around the ring, in 2^-64ths."""
    return (end - start) & _MASK


def shifted(label: int, distance: int) -> int:
    """The label at this clockwise distance, in 2^-64ths; a negative distance is anticlockwise."""
    return (label + distance) & _MASK


@lru_cache(_REMEMBERED)
def chain(own: int, neighbour: int) -> tuple[int, ...]:
    """The labels of the shortcuts on one side, from the ring neighbour outwards, as the neighbour's label implies them.

    Source: Section 3.2.2, the recursion r(s) = 2 r(label_w) - r(v.label)
    """
    reached, labels = neighbour, []
    while length(reached) > length(own):
        reached = (2 * reached - own) & _MASK
        labels.append(reached)
    return tuple(labels)
