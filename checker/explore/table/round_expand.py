"""All successors of many states at once, where a step is a whole round."""

from collections.abc import Iterator

import msgspec
import numpy as np

from checker.explore.graph.graph import BEYOND
from checker.explore.table.expand import TIMEOUT, Block, Expander
from checker.explore.table.layout import Layout, fitting
from checker.explore.table.round_tables import RoundTables
from checker.explore.table.tables import MISSING, Array


class Within(msgspec.Struct):
    """Many states in the middle of a round: some of the nodes have done their part, in every way that coins may fall.

    - `sources`: the state in which each began. `ways`: which way all coins have fallen so far, as one number.
    - `locals_`: the local state of each node that is done, between rounds. `bundles`: what each node was sent so far.
    """

    sources: Array
    ways: Array
    locals_: list[Array]
    bundles: list[Array]

    def branched(self, ways: Array, most: int) -> Array:
        """Take each of these as often as a coin has results; which of the results it is for each."""
        repeated = np.repeat(np.arange(len(self.sources)), ways)
        which = np.arange(len(repeated)) - np.repeat(np.cumsum(ways) - ways, ways)
        self.sources, self.ways = self.sources[repeated], self.ways[repeated] * most + which
        self.locals_ = [each[repeated] for each in self.locals_]
        self.bundles = [each[repeated] for each in self.bundles]
        return np.stack((repeated, which))


class RoundExpander(Expander):
    """Expands states packed by the current `layout`: each node's local state, and its bundle of messages."""

    tables: RoundTables

    def prepare(self, keys: Array) -> Layout | None:
        """Fill the tables with every step that these states need, and number what comes of them.

        Returns the layout that no longer fits, if there is a new one now; states have to be recoded then.
        """
        known = self._known()
        self._after_round(keys)
        if self._known() == known:
            return None
        self.tables.freeze()
        older, self.layout = self.layout, fitting(self.tables, self.layout)
        return older if older is not self.layout else None

    def _known(self) -> tuple[int, ...]:
        return (len(self.tables.messages), *map(len, self.tables.locals))

    def _after_round(self, keys: Array) -> Within:
        """These states after a round."""
        locals_, slots = self.layout.unpack(keys)
        count, nodes = len(keys), len(locals_)
        begun = np.zeros(count, np.int64)
        within = Within(np.arange(count), begun, [], [begun for _ in range(nodes)])
        for node in range(nodes):
            self._act(within, node, locals_[node], slots[node])
        return within

    def _act(self, within: Within, node: int, locals_: Array, slots: Array) -> None:
        """Let a node receive its bundle, message by message, and then take its timeout."""
        tables = self.tables
        numbers, bundle = tables.begins[node][locals_[within.sources]], slots[within.sources]
        for place in range(int(tables.sizes[bundle].max(initial=0))):
            numbers, bundle = self._take(within, node, numbers, bundle, tables.held[bundle, place])
        numbers, _ = self._take(within, node, numbers, bundle, None)
        within.locals_.append(tables.rest(node, numbers))

    def _take(
        self, within: Within, node: int, numbers: Array, bundle: Array, messages: Array | None
    ) -> tuple[Array, Array]:
        """Let a node take a message, where it has one, or its timeout; its states then, and what goes with each."""
        steps = self.tables.steps
        taking = np.ones(len(numbers), bool) if messages is None else messages > 0
        taken = np.zeros(len(numbers), np.uint32) if messages is None else messages
        rows = self._rows(node, numbers, taken, taking)
        ways = np.where(taking, steps.ways[rows], 1)
        if (ways > 1).any():
            repeated, which = within.branched(ways, int(ways.max()))
            rows, taking, bundle, numbers = rows[repeated], taking[repeated], bundle[repeated], numbers[repeated]
            rows = np.where(taking, rows + which, rows)
        for target, sent in enumerate(self.tables.gives):
            within.bundles[target] = self.tables.union(within.bundles[target], np.where(taking, sent[rows], 0))
        return np.where(taking, steps.after[rows], numbers), bundle

    def _rows(self, node: int, numbers: Array, taken: Array, taking: Array) -> Array:
        """The first row of each step that is taken; those that are missing are asked for."""
        steps = self.tables.steps
        rows = np.where(taking, steps.rows[node][numbers, steps.inputs[taken]], 0)
        missing = np.flatnonzero(rows == MISSING)
        if len(missing):
            pairs = np.unique(numbers[missing].astype(np.int64) << 32 | taken[missing])
            steps.fill(node, np.stack([pairs >> 32, pairs & 0xFFFFFFFF], axis=1))
            self.tables.freeze_steps()
            rows = np.where(taking, steps.rows[node][numbers, steps.inputs[taken]], 0)
        return rows

    def blocks(self, keys: Array) -> Iterator[Block]:
        """Every round from these states, for which the tables are prepared."""
        layout, most, within = self.layout, self.tables.instance.most, self._after_round(keys)
        over = np.logical_or.reduce([each < 0 for each in within.bundles])
        kept = [np.where(over, 0, each) for each in within.bundles]
        if most is not None:
            over |= sum(self.tables.sizes[each] for each in kept) > most
        after = layout.pack_slots(layout.pack_locals(within.locals_), kept)
        after[over] = BEYOND
        for way in np.unique(within.ways).tolist():
            chosen = within.ways == way
            yield Block(TIMEOUT, 0, way, within.sources[chosen], after[chosen])
