"""Closure in a world, settled."""

from collections.abc import Callable
from functools import partial

from gomboc.checker import Path, World, closure
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.lemma import Journal, Statement
from gomboc.checker.prove.runner import settle
from gomboc.checker.prove.settlement import Result
from gomboc.spec import Protocol


def settled(
    world: Callable[[Path], World],
    protocol: Protocol,
    only: Callable[[Case], bool] | None = None,
    roots: tuple[str, ...] = ("gomboc.spec",),
    without: tuple[str, ...] = (),
    conjuncts: Callable[[Path], World] | None = None,
    seconds: float = 60,
    take: Journal | None = None,
) -> Result:
    """The result, for those cases."""
    of = partial(closure, world, protocol, roots, without, conjuncts, only)
    return settle(Statement("closure", of), seconds, take).result
