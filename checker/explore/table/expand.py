"""All successors of many states at once: the parts that single steps and whole rounds share."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import msgspec
import numpy as np

from gomboc.checker.explore.table.model.commands import ModelCommands
from gomboc.checker.explore.table.model.demands import is_asked
from gomboc.checker.explore.table.model.layout import Layout, States, fitting
from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.model.tables import Tables
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.spec.core.instance import bounded_step, keeps_demands
from gomboc.spec.core.network import World, enabled

TIMEOUT, DELIVERY, COMMAND = 0, 1, 2
"""The kinds of input."""


class Block(msgspec.Struct, frozen=True):
    """The transitions of one kind: from the states at `sources`, to those with `keys`, or BEYOND.

    `kind` and `place` identify them: the timeout of that node, the delivery of the message in that slot, or the command
    of that number; `way` is the result of the coins.
    """

    kind: int
    place: int
    way: int
    sources: Array
    keys: Array


class Expander(ABC):
    """Expands states packed by the current `layout`, which changes when the tables outgrow it."""

    def __init__(self, tables: Numbering, steps: Tables) -> None:
        self.tables = tables
        self.commands = ModelCommands(tables, steps)
        self.layout = fitting(tables)

    @abstractmethod
    def blocks(self, keys: Array) -> Iterator[Block]:
        """Every transition from these states, for which the tables are prepared."""

    @abstractmethod
    def canonical(self, keys: Array) -> Array:
        """For each state the one that represents it."""

    @abstractmethod
    def _fill(self, states: States) -> None:
        """Fill the tables with every step that these states need."""

    def prepare(self, keys: Array) -> Layout | None:
        """Fill the tables with every step that these states need.

        Returns the previous layout if the tables have outgrown it, else None; states then have to be recoded.
        """
        known = self.tables.size
        self._fill(self.layout.unpack(keys))
        if self.tables.size == known:
            return None
        older = self.refit()
        return older if older is not self.layout else None

    def refit(self) -> Layout:
        """Bring the arrays of the tables and the layout up to date. Returns the previous layout."""
        self.tables.freeze()
        older, self.layout = self.layout, fitting(self.tables, self.layout)
        return older

    def _demanded(self, blocks: list[Block], states: States) -> Iterator[Block]:
        """The transitions of a command from states where assumption and premise hold after every result of it."""
        if not is_asked(self.tables.instance.protocol):
            yield from blocks
            return
        lost = np.zeros(len(states.keys), bool)
        for block in blocks:
            # A command is one pick: if any result of its coins breaks the premise, no result of it may happen.
            lost[block.sources[~self._holds_what_is_demanded(block, states)]] = True
        for block in blocks:
            kept = ~lost[block.sources]
            if kept.any():
                yield Block(block.kind, block.place, block.way, block.sources[kept], block.keys[kept])

    def _holds_what_is_demanded(self, block: Block, states: States) -> Array:
        kept = np.ones(len(block.keys), bool)
        inside = block.keys >= 0
        kept[inside] = self.commands.kept(block.place, self.layout.unpack(block.keys[inside]))
        for index in np.flatnonzero(~inside).tolist():
            kept[index] = self._keeps_plainly(block, int(states.keys[block.sources[index]]))
        return kept

    def _keeps_plainly(self, block: Block, key: int) -> bool:
        """The same for one state by the plain model, since a state beyond the bound has no number."""
        instance, offer = self.tables.instance, self.commands.offers[block.place]
        world = self.world(key)
        acts = [act for act in enabled(instance.protocol, world) if act.offer == offer]
        return all(keeps_demands(instance.protocol, act, bounded_step(instance, world, act)) for act in acts)

    def world(self, key: int) -> World:
        """The world that a state represents."""
        states = self.layout.unpack(np.array([key]))
        named, sent = ([int(column[0]) for column in columns] for columns in (states.locals, states.slots))
        return self.tables.world(named, sent, int(states.outer[0]))
