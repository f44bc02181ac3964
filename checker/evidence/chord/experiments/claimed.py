"""The properties that were claimed to be invariant of the published rules.

Source: Liben-Nowell et al. 2002, as Zave 2012 states it
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from gomboc.checker.evidence.chord.experiments.machine import System
from gomboc.spec.protocols.chord.lists import astray, rings_along
from gomboc.spec.protocols.chord.names import between

Claimed = Callable[[System], bool]


@lru_cache(maxsize=1 << 18)
def rings(system: System) -> tuple[tuple[int, ...], ...]:
    """The cycles along best successors."""
    return rings_along(_best(system))


def _best(system: System) -> dict[int, int | None]:
    return {name: system.best(name) for name in system.members()}


def _in_rings(system: System) -> set[int]:
    return {name for ring in rings(system) for name in ring}


def _following(ring: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Each node of a ring, and the next one."""
    return zip(ring, (*ring[1:], *ring[:1]), strict=True)


def _way(system: System, name: int) -> Iterator[int]:
    """The nodes that follow along best successors, each once."""
    seen = {name}
    at = system.best(name)
    while at is not None and at not in seen:
        yield at
        seen.add(at)
        at = system.best(at)


def at_least_one_ring(system: System) -> bool:
    """There is a ring."""
    return bool(rings(system))


def at_most_one_ring(system: System) -> bool:
    """There are no two."""
    return len(rings(system)) < 2


def ordered_ring(system: System) -> bool:
    """No node in a ring lies between another node of it and that node's best successor."""
    return not any(
        between(name, other, after)
        for ring in rings(system)
        for name, after in _following(ring)
        for other in ring
        if other not in (name, after)
    )


def connected_appendages(system: System) -> bool:
    """From every member best successors lead to a ring."""
    return not astray(_best(system), rings(system))


def ordered_appendages(system: System) -> bool:
    """Outside of the ring, a node later along best successors, as far as the ring, lies later on the circle."""
    in_ring = _in_rings(system)
    for name in system.members():
        if name in in_ring:
            continue
        way = list(_way(system, name))
        end = next((index for index, node in enumerate(way) if node in in_ring), None)
        if end is not None and not all(between(name, node, way[end]) for node in way[:end]):
            return False
    return True


def ordered_merges(system: System) -> bool:
    """A node outside of the ring with its best successor in it lies between that successor and the node before it."""
    return all(
        between(before, name, merged)
        for ring in rings(system)
        if len(ring) > 1
        for before, merged in _following(ring)
        for name in system.members()
        if name not in ring and system.best(name) == merged
    )


def valid_lists(system: System) -> bool:
    """A node that a member's list skips is not in the list of a member with that member as its successor."""
    known = {name: state for name, state in enumerate(system.known) if state is not None}
    for name, mine in known.items():
        listed = [name, mine.first, *([] if mine.second is None else [mine.second])]
        skipped = {
            member
            for low, high in pairwise(listed)
            for member in known
            if member not in (low, high) and between(low, member, high)
        }
        if any(theirs.first == name and theirs.second in skipped for theirs in known.values()):
            return False
    return True


CLAIMED: dict[str, Claimed] = {
    each.__name__: each
    for each in (
        at_least_one_ring,
        at_most_one_ring,
        ordered_ring,
        connected_appendages,
        ordered_appendages,
        ordered_merges,
        valid_lists,
    )
}
"""By their names."""
