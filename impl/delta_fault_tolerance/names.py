"""Names of brokers, which are places in the tree: labels joined by dots, and the parent of `a.b.c` is `a.b`.

What depends on names only is worked out once for each pair.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Annotated

from msgspec import Meta

NAME = r"\A[A-Za-z0-9_:-]+(\.[A-Za-z0-9_:-]+)*\Z"
"""What a name looks like."""

LONGEST = 64
"""Characters that a name has at most."""

Name = Annotated[str, Meta(pattern=NAME, max_length=LONGEST)]


def is_name(text: str) -> bool:
    """This text names a broker."""
    return len(text) <= LONGEST and re.search(NAME, text) is not None


@lru_cache(maxsize=65_536)
def path(one: str, other: str) -> tuple[str, ...]:
    """The brokers on the way from one to the other, both of them included.

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
    """How many links are on the way between two brokers."""
    return len(path(one, other)) - 1


def towards(me: str, other: str) -> str:
    """The neighbour of this broker on the way to another one; the broker itself if that is meant."""
    return path(me, other)[:2][-1]


def parent(name: str) -> str | None:
    """The broker that another one hangs on; None for the root."""
    return name.rpartition(".")[0] or None


def leads_to(me: str, via: str, other: str) -> bool:
    """Whether a broker other than this one is on the way to another one, or is that one."""
    return via != me and via in path(me, other)


def are_in_order(names: Iterable[str]) -> bool:
    """Whether these names ascend, each once."""
    return all(former < latter for former, latter in pairwise(names))
