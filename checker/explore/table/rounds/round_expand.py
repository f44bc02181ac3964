"""All successors of many states at once, where a step is a whole round, or a command between two."""

from collections.abc import Iterator

import numpy as np

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.table.expand import COMMAND, TIMEOUT, Block, Expander
from gomboc.checker.explore.table.model.commands import Ordered
from gomboc.checker.explore.table.model.layout import Layout, fitting
from gomboc.checker.explore.table.model.tables import Array
from gomboc.checker.explore.table.rounds.commuting import Commuting
from gomboc.checker.explore.table.rounds.local_rounds import LocalRounds, Within
from gomboc.checker.explore.table.rounds.round_tables import RoundTables


class RoundExpander(Expander):
    """Expands states packed by the current `layout`: each node's local state, and its bundles of messages."""

    tables: RoundTables

    def __init__(self, tables: RoundTables) -> None:
        super().__init__(tables)
        self.commuting = Commuting(tables.steps)
        self._rounds = [LocalRounds(tables, node, self.commuting) for node in range(len(tables.names))]

    def prepare(self, keys: Array) -> Layout | None:
        """Fill the tables with every step that these states need, and number the results.

        Returns the previous layout if the tables have outgrown it, else None; states then have to be recoded.
        """
        known = self._known()
        self._after_round(keys)
        for ordered in self._ordered(keys):
            self.tables.commanded = True
            self._after_command(keys, ordered)
        if self._known() == known:
            return None
        self.tables.freeze()
        older, self.layout = self.layout, fitting(self.tables, self.layout)
        return older if older is not self.layout else None

    def _known(self) -> tuple[int, ...]:
        tables = self.tables
        return (tables.commanded, len(tables.messages), *map(len, tables.locals))

    def canonical(self, keys: Array) -> Array:
        """The same states without messages in flight to nodes that are asleep: those are lost."""
        if not self.tables.sleeps:
            return keys
        locals_, slots = self.layout.unpack(keys)
        kept = [
            np.where(self.tables.asleep[index % len(locals_)][locals_[index % len(locals_)]], 0, slot)
            for index, slot in enumerate(slots)
        ]
        return self.layout.pack_slots(keys >> self.layout.message_bits << self.layout.message_bits, kept)

    def _after_round(self, keys: Array) -> Within:
        """These states after a round, except those in which all nodes are asleep."""
        locals_, slots = self.layout.unpack(keys)
        nodes = range(len(locals_))
        asleep = np.logical_and.reduce([self.tables.asleep[node][locals_[node]] for node in nodes])
        sources = np.flatnonzero(~asleep)
        begun = np.zeros(len(sources), np.int64)
        later = [slot[sources].astype(np.int64) for slot in slots[len(locals_) :]]
        within = Within(sources, begun, [], [], later or [begun for _ in nodes], begun)
        for node in nodes:
            rounds = self._rounds[node]
            places = rounds.places(locals_[node][within.sources], slots[node][within.sources])
            rows, ways = rounds.first[places], rounds.ways[places]
            if (ways > 1).any():
                repeated, which = within.branched(ways, int(ways.max()))
                rows = rows[repeated] + which
            within.locals_.append(rounds.after[rows])
            within.asleep.append(rounds.asleep[rows])
            within.broken = within.broken | rounds.broken[rows]
            for target, sent in enumerate(rounds.gives):
                within.bundles[target] = self.tables.union(within.bundles[target], sent[rows])
        return within

    def blocks(self, keys: Array) -> Iterator[Block]:
        """Every round from these states, and every command, for which the tables are prepared."""
        yield from self._by_way(TIMEOUT, 0, self._after_round(keys), keys)
        for ordered in self._ordered(keys):
            after = self._after_command(keys, ordered)
            yield from self._demanded(list(self._by_way(COMMAND, ordered.number, after, keys)), keys)

    def _by_way(self, kind: int, index: int, within: Within, keys: Array) -> Iterator[Block]:
        """The transitions to those states, one block for each combination of results of the coins."""
        layout, most, received = self.layout, self.tables.instance.most, within.received()
        over: Array = np.logical_or.reduce([bundle < 0 for bundle in received])
        kept = [np.where(over, 0, bundle) for bundle in received]
        if most is not None:
            over |= np.sum([self.tables.sizes[bundle] for bundle in kept], axis=0) > most
        free = layout.slots - len(kept)
        after = layout.pack_slots(layout.pack_locals(within.locals_), kept + [np.zeros_like(over, np.int64)] * free)
        outer: Array = layout.outer(keys[within.sources]) | within.broken
        if kind == COMMAND:
            outer = outer - self.commands.price(index)
        after |= outer << layout.outer_shift
        after[over] = BEYOND
        for way in np.unique(within.ways).tolist():
            chosen = within.ways == way
            yield Block(kind, index, way, within.sources[chosen], after[chosen])

    def _ordered(self, keys: Array) -> Iterator[Ordered]:
        locals_, slots = self.layout.unpack(keys)
        return self.commands.offered(locals_, slots, self.layout.outer(keys))

    def _after_command(self, keys: Array, ordered: Ordered) -> Within:
        """These states after a command: its messages arrive in the round after the next."""
        tables, steps, sources = self.tables, self.tables.steps, ordered.sources
        locals_, slots = self.layout.unpack(keys[sources])
        nodes, node = len(locals_), tables.place_of(ordered.offer.node)
        begun = np.zeros(len(sources), np.int64)
        asleep = [tables.asleep[index][numbers] for index, numbers in enumerate(locals_)]
        bundles = [slot.astype(np.int64) for slot in slots] + [begun] * (2 * nodes - len(slots))
        within = Within(sources, begun, list(locals_), asleep * 2, bundles, begun)
        numbers = tables.begins[node][locals_[node]]
        known, rows = steps.filled, self.commands.rows(ordered, numbers)
        if steps.filled != known:
            tables.freeze_steps()
        ways = steps.ways[rows]
        repeated, which = within.branched(ways, int(ways.max(initial=1)))
        rows = rows[repeated] + which
        for target, sent in enumerate(tables.gives):
            within.bundles[nodes + target] = tables.union(within.bundles[nodes + target], sent[rows])
        after = steps.after[rows]
        within.asleep[node] = within.asleep[nodes + node] = steps.asleep[node][after]
        within.locals_[node], within.broken = tables.rest(node, after), steps.breaks[rows]
        return within
