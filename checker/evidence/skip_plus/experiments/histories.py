"""Whole runs, on which the claims on the way to convergence are settled."""

from collections.abc import Callable, Iterable
from functools import cache

from gomboc.checker.evidence.skip_plus.experiments.prefixes import Linked, parts
from gomboc.checker.evidence.skip_plus.experiments.rounds import RULES, System, run
from gomboc.checker.evidence.skip_plus.experiments.starts import samples
from gomboc.spec.protocols.skip_plus.errata import ERRATA

SIZES, RUNS, MOST = (4, 8, 16), 2, 60
PRINTED = next(each.of() for each in ERRATA if each.name == "printed_introduction")

Parts = dict[str, dict[str, str]]


@cache
def histories(printed: bool) -> tuple[tuple[System, ...], ...]:
    """Runs of every family and size until they are right, with introductions as printed or as ours."""
    rules = PRINTED if printed else RULES
    return tuple(tuple(run(start, MOST, rules)) for start in samples(SIZES, RUNS))


@cache
def parted(printed: bool) -> tuple[tuple[Parts, ...], ...]:
    """The connected parts for every prefix, run by run and round by round."""
    return tuple(tuple(parts(now) for now in history) for history in histories(printed))


def longest(printed: bool, linked: Callable[[System], Iterable[Linked]]) -> tuple[int, int]:
    """After how many rounds at most linked nodes are connected by those of their prefix, and how many such pairs are.

    Only those count that are not connected yet; of pairs that are linked again and again, each time.
    """
    worst, seen = 0, 0
    for history, rounds in zip(histories(printed), parted(printed), strict=True):
        for index, now in enumerate(history):
            later = rounds[index + 1 :]
            apart = (item for item in linked(now) if rounds[index][item[0]][item[1]] != rounds[index][item[0]][item[2]])
            for prefix, one, other in apart:
                seen += 1
                joined = (item[prefix][one] == item[prefix][other] for item in later)
                worst = max(worst, 1 + next(k for k, so in enumerate(joined) if so))
    return worst, seen
