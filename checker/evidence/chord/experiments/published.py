"""The published rules for two successors, event by event: each reads another node's variables at once.

Nodes are the numbers 0, 1, 2, ... on a circle of as many places. A dead first successor is replaced by the
second one (update), a dead predecessor is forgotten (flush), the second successor is the first one's first (reconcile).

Source: Stoica et al. 2003, Figures 6 and 7, Section IV-E; the separate events as in Zave 2012
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import pairwise

import msgspec

from gomboc.spec.protocols.chord.names import between


class Known(msgspec.Struct, frozen=True):
    """The state of a member: its successors, nearest first, and its predecessor; all may be dead."""

    first: int
    second: int | None = None
    before: int | None = None


class System(msgspec.Struct, frozen=True):
    """The state of each node, None without membership; the dead nodes; and the notices in flight, as (to, from)."""

    known: tuple[Known | None, ...]
    dead: frozenset[int] = frozenset()
    notices: frozenset[tuple[int, int]] = frozenset()

    def members(self) -> tuple[int, ...]:
        """The members, ascending."""
        return tuple(name for name, known in enumerate(self.known) if known is not None)

    def best(self, name: int) -> int | None:
        """The first live successor of a member."""
        known = self.known[name]
        assert known is not None
        return next(
            (successor for successor in (known.first, known.second) if successor is not None and self.known[successor]),
            None,
        )


Step = tuple[str, System]
"""An event, in words, and the system after it."""

Following = Callable[[System], Iterator[Step]]
"""The steps that can happen next on a machine."""


def ideal(members: int, outside: int) -> Iterator[System]:
    """Every ideal ring of so many members, the nodes outside anywhere among them."""
    nodes = members + outside
    for mask in range(1 << nodes):
        there = [name for name in range(nodes) if mask >> name & 1]
        if len(there) == members and 0 in there:
            after = dict(zip(there, (*there[1:], *there[:1]), strict=True))
            before = {other: name for name, other in after.items()}
            yield System(
                tuple(
                    Known(after[name], after[after[name]], before[name]) if name in there else None
                    for name in range(nodes)
                )
            )


def _changed(system: System, name: int, known: Known | None) -> System:
    return msgspec.structs.replace(system, known=(*system.known[:name], known, *system.known[name + 1 :]))


def steps(system: System, returns: bool = True) -> Iterator[Step]:
    """Everything that can happen next and changes something."""
    for name, known in enumerate(system.known):
        if known is not None:
            yield from _of_member(system, name, known)
            if _may_die(system, name):
                gone = _changed(system, name, None)
                yield f"{name} dies", msgspec.structs.replace(gone, dead=system.dead | {name})
        elif returns or name not in system.dead:
            yield from _joins(system, name)
    for notified, by in sorted(system.notices):
        yield f"{notified} is notified by {by}", _notified(system, notified, by)


def _joins(system: System, name: int) -> Iterator[Step]:
    """A node takes the successor of the member before it, dead or alive, and nothing else."""
    for member in system.members():
        known = system.known[member]
        if known is not None and between(member, name, known.first):
            yield f"{name} joins between {member} and {known.first}", _changed(system, name, Known(known.first))


def _of_member(system: System, name: int, known: Known) -> Iterator[Step]:
    first = system.known[known.first]
    if first is None:
        if known.second is not None:
            yield f"{name} updates", _changed(system, name, Known(known.second, None, known.before))
    else:
        if known.second != first.first:
            yield f"{name} reconciles", _changed(system, name, Known(known.first, first.first, known.before))
        nearer = first.before is not None and between(name, first.before, known.first)
        taken = Known(first.before, known.first, known.before) if nearer and first.before is not None else known
        notices = system.notices | {(taken.first, name)}
        if taken != known or notices != system.notices:
            yield f"{name} stabilizes", msgspec.structs.replace(_changed(system, name, taken), notices=notices)
    if known.before is not None and system.known[known.before] is None:
        yield f"{name} flushes", _changed(system, name, Known(known.first, known.second, None))


def _notified(system: System, notified: int, by: int) -> System:
    left = msgspec.structs.replace(system, notices=system.notices - {(notified, by)})
    known = system.known[notified]
    if known is None or by == notified or not (known.before is None or between(known.before, by, notified)):
        return left
    return _changed(left, notified, Known(known.first, known.second, by))


def _may_die(system: System, name: int) -> bool:
    """Whether all others still have a live successor without that node; a node that is alone counts as its own.

    Source: Stoica et al. 2003, Section IV-E.3, read as Zave 2012 does
    """
    left = _changed(system, name, None)
    others = left.members()
    return bool(others) and all(left.best(other) is not None for other in others)


# The properties that are claimed never to be false.

Claimed = Callable[[System], bool]


@lru_cache(maxsize=1 << 18)
def rings(system: System) -> tuple[tuple[int, ...], ...]:
    """The cycles along best successors."""
    done: set[int] = set()
    cycles = []
    for name in system.members():
        path: list[int] = []
        at: int | None = name
        while at is not None and at not in done:
            done.add(at)
            path.append(at)
            at = system.best(at)
        if at is not None and at in path:
            cycles.append(tuple(path[path.index(at) :]))
    return tuple(cycles)


def at_least_one_ring(system: System) -> bool:
    """There is a ring."""
    return bool(rings(system))


def at_most_one_ring(system: System) -> bool:
    """There are no two."""
    return len(rings(system)) < 2


def ordered_ring(system: System) -> bool:
    """No node in a ring lies between another node of it and that node's best successor."""
    return all(
        not any(between(name, other, after) for other in ring if other not in (name, after))
        for ring in rings(system)
        for name, after in zip(ring, (*ring[1:], *ring[:1]), strict=True)
    )


def connected_appendages(system: System) -> bool:
    """From every member best successors lead to a ring."""
    in_ring = {name for ring in rings(system) for name in ring}
    return all(_reaches(system, name, in_ring) for name in system.members())


def _way(system: System, name: int) -> Iterator[int]:
    """The nodes that follow along best successors, each once."""
    seen = {name}
    at = system.best(name)
    while at is not None and at not in seen:
        yield at
        seen.add(at)
        at = system.best(at)


def _reaches(system: System, name: int, there: set[int]) -> bool:
    return name in there or any(node in there for node in _way(system, name))


def ordered_appendages(system: System) -> bool:
    """Outside of the ring, a node later along best successors, as far as the ring, lies later on the circle."""
    in_ring = {name for ring in rings(system) for name in ring}
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
    for ring in rings(system):
        for before, merged in zip(ring, (*ring[1:], *ring[:1]), strict=True):
            if len(ring) > 1:
                merging = (name for name in system.members() if name not in ring and system.best(name) == merged)
                if not all(between(before, name, merged) for name in merging):
                    return False
    return True


def valid_lists(system: System) -> bool:
    """A node that a member's list skips is not in the list of a member with that member as its successor."""
    for name in system.members():
        known = system.known[name]
        assert known is not None
        listed = [name, known.first, *([] if known.second is None else [known.second])]
        skipped = {
            member
            for low, high in pairwise(listed)
            for member in system.members()
            if member not in (low, high) and between(low, member, high)
        }
        for other in system.members():
            theirs = system.known[other]
            if theirs is not None and theirs.first == name and theirs.second in skipped:
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
"""The properties that were claimed to be invariant. Source: Liben-Nowell et al. 2002, as Zave 2012 states it"""


class Broken(msgspec.Struct, frozen=True):
    """A shortest execution after which a claimed property is false: its start, its events and its end."""

    start: System
    happens: tuple[str, ...]
    ends: System


class Search(msgspec.Struct, frozen=True):
    """The result of a search: executions by claim, the number of states, and whether these are all."""

    broken: dict[str, Broken]
    states: int
    whole: bool


def shortest(starts: tuple[System, ...], most: int, returns: bool = True, following: Following | None = None) -> Search:
    """For each claim a shortest execution of at most so many events from those starts that makes it false, if any.

    Without `returns`, a node that has died does not join again. `following`: the steps of another machine.
    """
    machine = following or partial(steps, returns=returns)
    reached: dict[System, tuple[System, str] | None] = dict.fromkeys(starts)
    layer, left = list(reached), dict(CLAIMED)
    broken: dict[str, Broken] = {}
    for _ in range(most):
        reached_next: list[System] = []
        for system in layer:
            for happens, after in machine(system):
                if after in reached:
                    continue
                reached[after] = (system, happens)
                reached_next.append(after)
                for name in [name for name, claimed in left.items() if not claimed(after)]:
                    del left[name]
                    broken[name] = _broken_run(reached, after)
        layer = reached_next
    return Search(broken, len(reached), not layer)


def _broken_run(reached: dict[System, tuple[System, str] | None], end: System) -> Broken:
    happens: list[str] = []
    at = end
    while (earlier := reached[at]) is not None:
        at = earlier[0]
        happens.append(earlier[1])
    return Broken(at, tuple(reversed(happens)), end)
