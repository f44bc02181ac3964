"""Whole rounds of one node: composed once for each of its states and bundles of messages."""

import msgspec
import numpy as np

from gomboc.checker.explore.table.model.tables import MISSING, Array
from gomboc.checker.explore.table.rounds.commuting import Commuting
from gomboc.checker.explore.table.rounds.round_tables import RoundTables


class Within(msgspec.Struct):
    """Many states in the middle of a round: some of the nodes have completed it, with every result of their coins.

    - `sources`: the state in which each began. `ways`: the results of all coins so far, as one number.
    - `locals_`: the local state between rounds of each node that is done, and `asleep` whether it is asleep then.
    - `bundles`: the messages to each node so far. `broken`: a bit for each observer that has found a fault.
    """

    sources: Array
    ways: Array
    locals_: list[Array]
    asleep: list[Array]
    bundles: list[Array]
    broken: Array

    def branched(self, ways: Array, most: int) -> Array:
        """Repeat each state as often as its coin has results; return the indices repeated, and the result of each."""
        repeated = np.repeat(np.arange(len(self.sources)), ways)
        which = np.arange(len(repeated)) - np.repeat(np.cumsum(ways) - ways, ways)
        self.sources, self.ways = self.sources[repeated], self.ways[repeated] * most + which
        self.locals_ = [column[repeated] for column in self.locals_]
        self.asleep = [column[repeated] for column in self.asleep]
        self.bundles = [column[repeated] for column in self.bundles]
        self.broken = self.broken[repeated]
        return np.stack((repeated, which))

    def received(self) -> list[Array]:
        """The bundles; those to nodes that are asleep are empty."""
        both = zip(self.bundles, self.asleep, strict=True)
        return [np.where(asleep, 0, bundle) for bundle, asleep in both]


class LocalRounds:
    """The table of whole rounds of one node: (local state, bundle) to rows, one for each result of the coins.

    `first[k]` is the first row of the pair at index k of the ascending `codes`, and `ways[k]` is their number. By row:
    `after`, `asleep` and `broken` as in `Within`, and `gives[t]`, the bundle for node t.
    """

    def __init__(self, tables: RoundTables, node: int, commuting: Commuting) -> None:
        self._tables, self._node, self._commuting = tables, node, commuting
        nothing = np.empty(0, np.int64)
        self.codes, self.first, self.ways = nothing, nothing, nothing
        self.after, self.asleep, self.broken = nothing, np.empty(0, bool), nothing
        self.gives = [nothing for _ in tables.names]

    def places(self, locals_: Array, bundles: Array) -> Array:
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
        first = len(self.after) + np.cumsum(ways) - ways
        self.after = np.concatenate((self.after, done.locals_[0][order]))
        self.asleep = np.concatenate((self.asleep, done.asleep[0][order]))
        self.broken = np.concatenate((self.broken, done.broken[order]))
        both = zip(self.gives, done.bundles, strict=True)
        self.gives = [np.concatenate((known, sent[order])) for known, sent in both]
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
        if self._tables.steps.filled[0] != self._tables.gives.shape[1]:
            self._tables.freeze_steps()

    def _acted(self, locals_: Array, bundle: Array) -> Within:
        """Let the node receive its bundle, message by message, and take its timeout, as long as it is awake."""
        tables, begun = self._tables, np.zeros(len(locals_), np.int64)
        within = Within(np.arange(len(locals_)), begun, [], [], [begun for _ in tables.names], begun)
        numbers = tables.begins[self._node][locals_]
        for index in range(int(tables.sizes[bundle].max(initial=0))):
            numbers, bundle = self._take(within, numbers, bundle, tables.held[bundle, index])
        numbers, _ = self._take(within, numbers, bundle, None)
        within.asleep.append(tables.steps.asleep[self._node][numbers])
        within.locals_.append(tables.rest(self._node, numbers))
        return within

    def _take(self, within: Within, numbers: Array, bundle: Array, messages: Array | None) -> tuple[Array, Array]:
        """Let the node take a message, if it has one, or its timeout; return its states then, and the bundles."""
        steps = self._tables.steps
        taking = ~steps.asleep[self._node][numbers]
        if messages is not None:
            taking &= messages > 0
        taken = np.zeros(len(numbers), np.uint32) if messages is None else messages
        rows = self._rows(numbers, taken, taking)
        ways = np.where(taking, steps.ways[rows], 1)
        if (ways > 1).any():
            repeated, which = within.branched(ways, int(ways.max()))
            rows, taking, bundle, numbers = rows[repeated], taking[repeated], bundle[repeated], numbers[repeated]
            rows = np.where(taking, rows + which, rows)
        for target, sent in enumerate(self._tables.gives):
            within.bundles[target] = self._tables.union(within.bundles[target], np.where(taking, sent[rows], 0))
        within.broken = within.broken | np.where(taking, steps.breaks[rows], 0)
        return np.where(taking, steps.after[rows], numbers), bundle

    def _rows(self, numbers: Array, taken: Array, taking: Array) -> Array:
        """The first row of each step that is taken; missing rows are filled."""
        steps, node = self._tables.steps, self._node
        rows = np.where(taking, steps.rows[node][numbers, steps.inputs[taken]], 0)
        missing = np.flatnonzero(rows == MISSING)
        if len(missing):
            pairs = np.unique(numbers[missing].astype(np.int64) << 32 | taken[missing])
            steps.fill(node, np.stack([pairs >> 32, pairs & 0xFFFFFFFF], axis=1))
            self._tables.freeze_steps()
            rows = np.where(taking, steps.rows[node][numbers, steps.inputs[taken]], 0)
        return rows
