"""Whole runs, on which the claims on the way to convergence are settled."""

from collections.abc import Callable, Iterable
from functools import cache

import msgspec

from gomboc.checker.evidence.skip_plus.experiments.prefixes import Linked, Parts, parts
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, System, run
from gomboc.checker.evidence.skip_plus.experiments.starts import samples
from gomboc.spec.protocols.skip_plus.errata import VARIANTS

SIZES, RUNS, MOST = (4, 8, 16), 2, 60


class History(msgspec.Struct, frozen=True):
    """A run until it is right: the system round by round, and its connected parts for every prefix."""

    systems: tuple[System, ...]
    parts: tuple[Parts, ...]

    @property
    def nodes(self) -> int:
        """Number of nodes that take part."""
        return len(self.systems[0].live())

    @property
    def connected(self) -> int:
        """From which round on the nodes of each prefix are connected."""
        return from_then_on([all(len(set(there.values())) <= 1 for there in now.values()) for now in self.parts])


def from_then_on(so: list[bool]) -> int:
    """From when on all are true."""
    return max((index + 1 for index, value in enumerate(so) if not value), default=0)


@cache
def histories(printed: bool) -> tuple[History, ...]:
    """Runs of every family and size, with introductions as printed or as ours."""
    rules = VARIANTS["printed_introduction"] if printed else RULES
    runs = [tuple(run(start, MOST, rules)) for start in samples(SIZES, RUNS)]
    return tuple(History(systems, tuple(map(parts, systems))) for systems in runs)


def longest(printed: bool, linked: Callable[[System], Iterable[Linked]]) -> tuple[int, int]:
    """After how many rounds at most linked nodes are connected by those of their prefix, and how many such pairs are.

    Only those count that are not connected yet; of pairs that are linked again and again, each time.
    """
    taken = [
        next(later for later, now in enumerate(history.parts[index:]) if now[prefix][one] == now[prefix][other])
        for history in histories(printed)
        for index, system in enumerate(history.systems)
        for prefix, one, other in linked(system)
    ]
    apart = [rounds for rounds in taken if rounds]
    return max(apart, default=0), len(apart)
