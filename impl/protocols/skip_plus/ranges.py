"""Ranges: the interval of a node's neighbours at each level, and the nodes within them.

Source: slide 15; a side on which a node is missing is unbounded
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from gomboc.impl.protocols.skip_plus.names import Name, prefixes

Range = tuple[Name | None, Name | None]
"""The least and the greatest name of a range; None on an unbounded side."""

Ranges = tuple[Range, ...]
"""One for each level, from level 0 on."""

Classes = dict[str, list[str]]
"""For each prefix, the names with strings that begin with it, ascending."""


def classes_of(names: Iterable[str]) -> Classes:
    """The classes of these names, each in as many as its string has prefixes."""
    classes: Classes = {}
    for name in sorted(names):
        for prefix in prefixes(name):
            classes.setdefault(prefix, []).append(name)
    return classes


def ranges_of(me: str, classes: Classes) -> Ranges:
    """The ranges of a node that is in none of these classes, but knows their members. Source: slide 15, Range."""
    return tuple(
        _range(me, [classes.get(prefix + bit, []) for bit in "01"])
        # The last prefix is the whole string, which no bit follows.
        for prefix in prefixes(me)[:-1]
    )


def _range(me: str, halves: Sequence[list[str]]) -> Range:
    """From the farther predecessor to the farther successor, of the two that differ in the next bit.

    Source: slide 15, Extended Predecessor/Successor
    """
    smaller = [half[index - 1] for half in halves if (index := bisect_left(half, me)) > 0]
    larger = [half[index] for half in halves if (index := bisect_left(half, me)) < len(half)]
    return min(smaller) if len(smaller) == 2 else None, max(larger) if len(larger) == 2 else None


def within(name: str, ranges: Ranges, classes: Classes) -> set[str]:
    """The other nodes of these classes in one of the ranges of this node, on a level that both have in common.

    Source: slide 15, "All nodes in between will be in the range"; slide 21, rules 1b and 1c, on the common prefix
    """
    inside: set[str] = set()
    for prefix, (low, high) in zip(prefixes(name), ranges, strict=False):
        members = classes.get(prefix, [])
        # No other node shares this prefix, so none shares a longer one.
        if members in ([], [name]):
            break
        first = 0 if low is None else bisect_left(members, low)
        end = len(members) if high is None else bisect_right(members, high)
        inside.update(members[first:end])
    inside.discard(name)
    return inside
