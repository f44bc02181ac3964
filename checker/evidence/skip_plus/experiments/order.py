"""One standard for all claims with O: figures for a few n against a bound that is meant for all large n."""

from collections.abc import Callable, Iterable, Mapping

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


def all_reproduced(outcomes: Iterable[Result]) -> Result:
    """Reproduced if all of these are; undecided otherwise."""
    return Result.REPRODUCED if set(outcomes) == {Result.REPRODUCED} else Result.UNDECIDED


def listed(figures: Iterable[float], form: str = "") -> list[str]:
    """Figures for several n, as a text lists them: without separators."""
    return [f"{figure:{form}}" for figure in figures]
