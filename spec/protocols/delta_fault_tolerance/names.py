"""The tree of brokers, encoded in their names: a name is a path of labels that begins with the parent's name."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

Names = tuple[str, ...]

LABEL = re.compile(r"[0-9A-Za-z_:-]+")


@lru_cache(maxsize=1 << 16)
def path(one: str, other: str) -> Names:
    """P(one, other): the brokers from one to the other, both included. Source: Section 4.1, topology path."""
    up, down = one.split("."), other.split(".")
    shared = 0
    while shared < min(len(up), len(down)) and up[shared] == down[shared]:
        shared += 1
    ascending = tuple(".".join(up[:length]) for length in range(len(up), shared - 1, -1))
    return ascending + tuple(".".join(down[:length]) for length in range(shared + 1, len(down) + 1))


def distance(one: str, other: str) -> int:
    """d(one, other): the number of links between two brokers. Source: Section 4.1, d(A, B)."""
    return len(path(one, other)) - 1


def parent(me: str) -> str | None:
    """The parent of a broker; None if it is the root."""
    return me.rpartition(".")[0] or None


def lies_on(way: str, one: str, other: str) -> bool:
    """Whether a broker lies on the path from one to another, its ends included."""
    return way in path(one, other)


def direction(me: str, other: str) -> str:
    """The first broker on the path to another one: the last hop of messages from there.

    Raises ValueError if both are the same broker.
    """
    if me == other:
        raise ValueError(f"nothing comes to {me!r} from itself")
    return path(me, other)[1]


def within(names: Iterable[str], me: str, reach: int) -> Names:
    """The brokers among `names` that are at most `reach` links away, ascending, without `me`."""
    return tuple(sorted(name for name in names if name != me and distance(me, name) <= reach))


def misnamed(roles: Mapping[str, str]) -> str | None:
    """The reason why brokers with these names form no tree, in a sentence; None if they form one."""
    for name in sorted(roles):
        strange = [label for label in name.split(".") if not LABEL.fullmatch(label)]
        if strange:
            return (
                f"{name!r} is no path of labels out of letters, digits and _ : -, joined by dots, "
                "and the tree of brokers is in such names."
            )
        parent, _, _ = name.rpartition(".")
        if parent and parent not in roles:
            return f"The parent of {name!r} is {parent!r}, which is no broker: name each broker behind its parent."
    roots = sorted(name for name in roles if "." not in name)
    if len(roots) > 1:
        return f"{roots[0]!r} and {roots[1]!r} are both roots, and brokers form one tree."
    return None
