"""Findings about the traces of one block, one row for each verdict."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.distinct import NONE
from gomboc.checker.replay.kernel.blocks.stabilisation import Stabilised
from gomboc.checker.replay.kernel.frames.block import Block
from gomboc.spec.core.model import Fault

Lack = tuple[int, Fault]
"""The step from which on a premise is missing (0 for the start), and what is lacking."""


@dataclass(frozen=True)
class Violations:
    """The first violation of one verdict in each trace: its position (-1 for none); and the false conjunct, by trace.

    The rule is the verdict's name, except where `rules` has another. `of_histories`: it is over deliveries of nodes,
    and judged as far as a trace conforms.
    """

    name: str
    broken: Array
    conjuncts: dict[int, str] = field(default_factory=dict)
    rules: dict[int, str] = field(default_factory=dict)
    of_histories: bool = False

    def note(self, trace: int, position: int, conjunct: str) -> None:
        """Record a violation there, unless there was one before."""
        if self.broken[trace] == NONE:
            self.broken[trace] = position
            self.conjuncts[trace] = conjunct


class Reach(NamedTuple):
    """How far each trace is judged beyond conformance.

    `last` is the last such position, `halted` that of the value or state that ends it (-1 for none): a value that is
    not canonical, or, where `assumed` has a fault, a broken assumption. `undecided` traces must be judged naively.
    """

    last: Array
    halted: Array
    assumed: dict[int, Fault]
    undecided: Array


@dataclass(frozen=True)
class BlockFindings:
    """Findings about one block: conformance, closure, convergence and the promises by name are its `violations`.

    `lacking` says where a premise of convergence is missing, by trace.
    """

    block: Block
    reach: Reach
    settled: Stabilised
    lacking: dict[int, Lack]
    violations: list[Violations]

    @property
    def undecided(self) -> Array:
        """The traces that must be judged naively.

        Among them are traces that stayed legitimate but wait in vain for a timeout or a message, because only the naive
        judge names it.
        """
        waits = self.settled.waits & (self.reach.halted == NONE) & ~self.block.frame.was_cut
        return np.union1d(self.reach.undecided, np.flatnonzero(waits))
