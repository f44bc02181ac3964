"""Whole rounds of one node: composed once for each of its states and bundles of messages."""

import numpy as np

from gomboc.checker.explore.table.model.tables import MISSING
from gomboc.checker.explore.table.rounds.commuting import Commuting
from gomboc.checker.explore.table.rounds.round_tables import RoundTables
from gomboc.checker.explore.table.rounds.within import Rows, Within
from gomboc.checker.explore.table.sorted_set import Array


class LocalRounds:
    """The table of whole rounds of one node: (local state, bundle) to rows, one for each result of the coins.

    `first[k]` is the first row of the pair at index k of the ascending `codes`, and `ways[k]` is their number. `rows`
    are the results, and `asleep` says by row whether the node is asleep then.
    """

    def __init__(self, tables: RoundTables, node: int, commuting: Commuting) -> None:
        self._tables, self._node, self._commuting = tables, node, commuting
        nothing = np.empty(0, np.int64)
        self.codes, self.first, self.ways = nothing, nothing, nothing
        self.rows, self.asleep = Rows(nothing, nothing, np.zeros((len(tables.names), 0), np.int64)), nothing > 0

    def take(self, within: Within, locals_: Array, bundles: Array) -> None:
        """Let the node complete its round, from those local states with those bundles."""
        places = self._places(locals_, bundles)
        rows, _ = within.take(self.first[places], self.ways[places], self.rows, self._tables.union)
        within.locals_.append(self.rows.after[rows])
        within.asleep.append(self.asleep[rows])

    def _places(self, locals_: Array, bundles: Array) -> Array:
        """The index of each pair; missing pairs are composed."""
        wanted = locals_.astype(np.int64) << 32 | bundles
        places = np.minimum(np.searchsorted(self.codes, wanted), max(0, len(self.codes) - 1))
        missing = self.codes[places] != wanted if len(self.codes) else np.ones(len(wanted), bool)
        if missing.any():
            self._compose(np.unique(wanted[missing]))
            places = np.searchsorted(self.codes, wanted)
        return places

    def _compose(self, codes: Array) -> None:
        done = self._acted(codes >> 32, codes & 0xFFFFFFFF)
        self._insist_on_commuting(codes)
        order = np.lexsort((done.ways, done.sources))
        ways = np.bincount(done.sources, minlength=len(codes))
        first = len(self.asleep) + np.cumsum(ways) - ways
        self.asleep = np.concatenate((self.asleep, done.asleep[0][order]))
        self.rows = Rows(
            np.concatenate((self.rows.after, done.locals_[0][order])),
            np.concatenate((self.rows.broken, done.broken[order])),
            np.concatenate((self.rows.gives, np.stack(done.bundles)[:, order]), axis=1),
        )
        codes = np.concatenate((self.codes, codes))
        order = np.argsort(codes)
        self.codes = codes[order]
        self.first = np.concatenate((self.first, first))[order]
        self.ways = np.concatenate((self.ways, ways))[order]

    def _insist_on_commuting(self, codes: Array) -> None:
        for code in codes.tolist():
            local, bundle = divmod(code, 1 << 32)
            messages = tuple(int(number) for number in self._tables.held[bundle] if number)
            self._commuting.insist(self._node, int(self._tables.begins[self._node][local]), messages)
        self._tables.freeze_steps()

    def _acted(self, locals_: Array, bundle: Array) -> Within:
        """Let the node receive its bundle, message by message, and take its timeout, as long as it is awake."""
        tables, begun = self._tables, np.zeros(len(locals_), np.int64)
        within = Within(np.arange(len(locals_)), begun, [], [], [begun for _ in tables.names], begun)
        numbers = tables.begins[self._node][locals_]
        for index in range(int(tables.sizes[bundle].max(initial=0))):
            messages = tables.held[bundle, index]
            numbers, bundle = self._take(within, numbers, bundle, messages, messages > 0)
        timeouts = np.zeros(len(numbers), np.uint32)
        numbers, _ = self._take(within, numbers, bundle, timeouts, timeouts == 0)
        within.asleep.append(tables.steps.nodes[self._node].asleep[numbers])
        within.locals_.append(tables.rest(self._node, numbers))
        return within

    def _take(self, within: Within, numbers: Array, bundle: Array, inputs: Array, taking: Array) -> tuple[Array, Array]:
        """Let the node take its inputs, where it has one and is awake; return its states then, and the bundles."""
        steps = self._tables.steps
        taking = taking & ~steps.nodes[self._node].asleep[numbers]
        first = self._first(numbers, inputs, taking)
        ways = np.where(taking, steps.ways[first], 1)
        rows, repeated = within.take(first, ways, self._tables.results, self._tables.union)
        after = np.where(taking[repeated], steps.after[rows], numbers[repeated])
        return after, bundle[repeated]

    def _first(self, numbers: Array, inputs: Array, taking: Array) -> Array:
        """The first row of each step that is taken, and IDLE elsewhere; missing rows are filled."""
        steps, node = self._tables.steps, self._node
        rows = np.where(taking, steps.rows[node][numbers, steps.inputs[inputs]], 0)
        missing = np.flatnonzero(rows == MISSING)
        if len(missing):
            steps.fill(node, np.unique(numbers[missing].astype(np.int64) << 32 | inputs[missing]))
            self._tables.freeze_steps()
            rows = np.where(taking, steps.rows[node][numbers, steps.inputs[inputs]], 0)
        return rows
