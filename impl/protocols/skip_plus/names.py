"""Names of nodes, `id:string`: the order of ids is that of the names as texts, the string is bits.

Values that depend on names only are cached.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.names import OF_A_NODE
from gomboc.impl.core.vocabulary import Fault, ascending

NAME = r"\A[A-Za-z0-9_.:-]+:[01]+\Z"
"""The pattern of a name; the string follows the last colon."""

LONGEST = 64
"""The most characters of a name."""

Name = Annotated[str, Meta(pattern=NAME, max_length=LONGEST, extra=OF_A_NODE)]
Names = Annotated[tuple[Name, ...], ascending("name")]


def is_name(text: str) -> bool:
    """Whether a text is the name of a node."""
    return len(text) <= LONGEST and re.search(NAME, text) is not None


@lru_cache(maxsize=65_536)
def prefixes(name: str) -> tuple[str, ...]:
    """The prefixes of the name's string, from the empty one to the whole: one more than the string has bits.

    Source: slide 8, "A node participates in a list if its rs matches the prefix of the list"
    """
    string = name.rpartition(":")[2]
    return tuple(string[:length] for length in range(len(string) + 1))


def bits(name: str) -> int:
    """The number of bits of the name's string, which is the number of levels."""
    return len(prefixes(name)) - 1


@lru_cache(maxsize=65_536)
def common(one: str, other: str) -> int:
    """The length in bits of the longest common prefix of two names' strings."""
    return sum(left == right for left, right in zip(prefixes(one), prefixes(other), strict=True)) - 1


def inequality(length: int, names: Iterable[str | None]) -> Fault:
    """The fault of names with strings that should all have `length` bits; None among them is skipped."""
    wrong = (name for name in names if name is not None and bits(name) != length)
    return next((f"the string of {name!r} has not {length} bits" for name in wrong), None)
