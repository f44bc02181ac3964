"""Names of brokers, which encode the tree: labels joined by dots; the parent of `a.b.c` is `a.b`.

Paths depend on names only, and are cached.
"""

import re
from functools import lru_cache
from typing import Annotated

from msgspec import Meta

from gomboc.impl.core.names import OF_A_NODE
from gomboc.impl.core.vocabulary import ascending

NAME = r"\A[A-Za-z0-9_:-]+(\.[A-Za-z0-9_:-]+)*\Z"
"""The pattern of a name."""

LONGEST = 64
"""The maximal length of a name, in characters."""

Name = Annotated[str, Meta(pattern=NAME, max_length=LONGEST, extra=OF_A_NODE)]
Names = Annotated[tuple[Name, ...], ascending("name")]


def is_name(text: str) -> bool:
    """Whether a text is a name of a broker."""
    return len(text) <= LONGEST and re.search(NAME, text) is not None


@lru_cache(maxsize=65_536)
def path(one: str, other: str) -> tuple[str, ...]:
    """The brokers on the path from one to the other, both included.

    Source: Section 4.1, "the topology path, P(A, B)"
    """
    labels, others = one.split("."), other.split(".")
    common = 0
    for label, its in zip(labels, others, strict=False):
        if label != its:
            break
        common += 1
    up = [".".join(labels[:length]) for length in range(len(labels), max(common, 1) - 1, -1)]
    down = [".".join(others[:length]) for length in range(max(common, 1), len(others) + 1)]
    return (*up, *down[1:]) if common else (*up, *down)


def distance(one: str, other: str) -> int:
    """The number of links between two brokers."""
    return len(path(one, other)) - 1


def towards(me: str, other: str) -> str:
    """The neighbour of a broker on the path to another one; the broker itself if both are the same."""
    return path(me, other)[:2][-1]


def parent(name: str) -> str | None:
    """The parent of a broker; None for the root."""
    return name.rpartition(".")[0] or None


def leads_to(me: str, via: str, other: str) -> bool:
    """Whether `via`, a broker other than `me`, is on the path from `me` to `other`, or is `other`."""
    return via != me and via in path(me, other)
