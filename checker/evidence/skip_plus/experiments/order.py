"""One standard for all claims with O: figures for a few n against a bound that is meant for all large n."""

from collections.abc import Callable, Mapping

from gomboc.checker.errata.claim import Result

ROUNDING = 1
"""By how much the figure for the largest n may exceed the bound: figures are whole numbers, constants are not."""


def follows(figures: Mapping[int, float], bound: Callable[[int], float]) -> Result:
    """Reproduced if a constant that does for all smaller n does for the largest too; undecided otherwise.

    Never refuted: a bound with O says nothing of a few n.
    """
    *smaller, largest = sorted(figures)
    constant = max(figures[nodes] / bound(nodes) for nodes in smaller)
    fits = figures[largest] <= constant * bound(largest) + ROUNDING
    return Result.REPRODUCED if fits else Result.UNDECIDED
