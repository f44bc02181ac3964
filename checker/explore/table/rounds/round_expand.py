"""All successors of many states at once, where a step is a whole round, or a command between two."""

from collections.abc import Iterator

import numpy as np

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.table.expand import COMMAND, TIMEOUT, Block, Expander
from gomboc.checker.explore.table.model.commands import Ordered
from gomboc.checker.explore.table.model.layout import States
from gomboc.checker.explore.table.rounds.local_rounds import Commuting, LocalRounds
from gomboc.checker.explore.table.rounds.round_tables import RoundTables, Within
from gomboc.checker.explore.table.sorted_set import Array


class RoundExpander(Expander):
    """Expands states by whole rounds: a state has each node's local state, and its bundles of messages."""

    tables: RoundTables

    def __init__(self, tables: RoundTables) -> None:
        super().__init__(tables, tables.steps)
        self.commuting = Commuting(tables.steps)
        self._rounds = [LocalRounds(tables, node, self.commuting) for node in range(len(tables.names))]

    def _fill(self, states: States) -> None:
        self._after_round(states)
        for ordered in self.commands.offered(states):
            self.tables.commanded = True
            self._after_command(states, ordered)

    def canonical(self, keys: Array) -> Array:
        """The same states without messages in flight to nodes that are asleep: those are lost."""
        if not self.tables.sleeps:
            return keys
        states = self.layout.unpack(keys)
        asleep = self._asleep(states) * (1 + len(states.slots) // len(states.locals))
        kept = [np.where(lost, 0, slot) for lost, slot in zip(asleep, states.slots, strict=False)]
        return self.layout.pack_slots(self.layout.bare(keys), kept)

    def _asleep(self, states: States) -> list[Array]:
        return [node.asleep[numbers] for node, numbers in zip(self.tables.nodes, states.locals, strict=True)]

    def _after_round(self, states: States) -> Within:
        """These states after a round, except those in which all nodes are asleep."""
        sources = np.flatnonzero(~np.logical_and.reduce(self._asleep(states)))
        begun = np.zeros(len(sources), np.int64)
        later = [slot[sources].astype(np.int64) for slot in states.slots[len(states.locals) :]]
        within = Within(sources, begun, [], [], later or [begun for _ in states.locals], begun)
        for node, numbers in enumerate(states.locals):
            self._rounds[node].take(within, numbers[within.sources], states.slots[node][within.sources])
        return within

    def blocks(self, keys: Array) -> Iterator[Block]:
        """Every round from these states, and every command, for which the tables are prepared."""
        states = self.layout.unpack(keys)
        yield from self._by_way(TIMEOUT, 0, self._after_round(states), states)
        for ordered in self.commands.offered(states):
            after = self._after_command(states, ordered)
            yield from self._demanded(list(self._by_way(COMMAND, ordered.number, after, states)), states)

    def _by_way(self, kind: int, index: int, within: Within, states: States) -> Iterator[Block]:
        """The transitions to those states, one block for each combination of results of the coins."""
        most, received = self.tables.instance.most, within.received()
        over: Array = np.logical_or.reduce([bundle < 0 for bundle in received])
        kept = [np.where(over, 0, bundle) for bundle in received]
        if most is not None:
            over |= np.sum([self.tables.sizes[bundle] for bundle in kept], axis=0) > most
        outer: Array = states.outer[within.sources] | within.broken
        if kind == COMMAND:
            outer = outer - self.commands.price(index)
        after = self.layout.pack(within.locals_, kept, outer)
        after[over] = BEYOND
        for way in np.unique(within.ways).tolist():
            chosen = within.ways == way
            yield Block(kind, index, way, within.sources[chosen], after[chosen])

    def _after_command(self, states: States, ordered: Ordered) -> Within:
        """These states after a command: its messages arrive in the round after the next."""
        tables, states = self.tables, states.only(ordered.sources)
        nodes, node = len(states.locals), tables.place_of(ordered.offer.node)
        begun = np.zeros(len(ordered.sources), np.int64)
        bundles = [slot.astype(np.int64) for slot in states.slots] + [begun] * (2 * nodes - len(states.slots))
        within = Within(ordered.sources, begun, list(states.locals), self._asleep(states) * 2, bundles, begun)
        first = self.commands.rows(ordered, tables.begins[node][states.locals[node]])
        tables.freeze_steps()
        rows, _ = within.take(first, tables.steps.ways[first], tables.results, tables.union)
        after = tables.steps.after[rows]
        within.asleep[node] = within.asleep[nodes + node] = tables.steps.nodes[node].asleep[after]
        within.locals_[node] = tables.rest(node, after)
        return within
