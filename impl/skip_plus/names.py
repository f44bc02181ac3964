"""Names of nodes, `id:string`: the order of ids is that of the names as texts, the string is bits.

What depends on names only is worked out once for each.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Annotated

from msgspec import Meta

NAME = r"\A[A-Za-z0-9_.:-]+:[01]+\Z"
"""What a name looks like; the string is what follows the last colon."""

LONGEST = 64
"""Characters that a name has at most."""

Name = Annotated[str, Meta(pattern=NAME, max_length=LONGEST)]


def is_name(text: str) -> bool:
    """This text names a node."""
    return len(text) <= LONGEST and re.search(NAME, text) is not None


@lru_cache(maxsize=65_536)
def prefixes(name: str) -> tuple[str, ...]:
    """The prefixes of the name's string, from the empty one to the whole: one more than the string has bits.

    Source: slide 8, "A node participates in a list if its rs matches the prefix of the list"
    """
    string = name.rpartition(":")[2]
    return tuple(string[:length] for length in range(len(string) + 1))


def bits(name: str) -> int:
    """How many bits the name's string has, which is how many levels there are."""
    return len(prefixes(name)) - 1


@lru_cache(maxsize=65_536)
def common(one: str, other: str) -> int:
    """How many bits the longest common prefix of two names' strings has."""
    return sum(left == right for left, right in zip(prefixes(one), prefixes(other), strict=True)) - 1


def disorder(names: Iterable[str]) -> str | None:
    """What is wrong with names that should be ascending, each once; None if they are."""
    for former, latter in pairwise(names):
        if former >= latter:
            return f"its name {latter!r} comes after {former!r}"
    return None


def inequality(length: int, names: Iterable[str]) -> str | None:
    """What is wrong with names whose strings should all have so many bits; None if they have."""
    for name in names:
        if bits(name) != length:
            return f"the string of {name!r} has not {length} bits"
    return None
