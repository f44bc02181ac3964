"""Whole rounds of one node: composed once for each of its states and bundles of messages.

That the receipts of one round commute is checked in the states that occur: the protocol's declaration is not trusted.
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from gomboc.checker.core.bad_models import NotCommutingError, shown
from gomboc.checker.explore.table.model.tables import MISSING, Tables
from gomboc.checker.explore.table.rounds.round_tables import RoundTables, Rows, Within
from gomboc.checker.explore.table.sorted_set import Array

Done = tuple[int, tuple[int, ...], int]
"""A local state after some receipts, the messages sent, ascending, and a bit for each observer that found a fault."""


class Commuting:
    """Compares each two receipts of a round, in each local state in which both can be next. `pairs` is their number."""

    def __init__(self, steps: Tables) -> None:
        self._steps = steps
        self._seen: set[tuple[int, int, tuple[int, ...]]] = set()
        self._pairs: set[tuple[int, int, int, int]] = set()

    @property
    def pairs(self) -> int:
        """The number of compared combinations of two messages and a local state."""
        return len(self._pairs)

    def insist(self, node: int, local: int, messages: tuple[int, ...]) -> None:
        """Raise NotCommutingError if receipts of those messages in one round, from that state, do not commute."""
        left = [(local, messages)]
        while left:
            local, messages = left.pop()
            if (node, local, messages) in self._seen or len(messages) < 2 or self._is_asleep(node, local):
                continue
            self._seen.add((node, local, messages))
            for one, other in combinations(messages, 2):
                self._compare(node, local, one, other)
            for index, message in enumerate(messages):
                rest = (*messages[:index], *messages[index + 1 :])
                left += ((after, rest) for after, _, _ in self._taken(node, (local, (), 0), message))

    def _compare(self, node: int, local: int, one: int, other: int) -> None:
        if one == other or (node, local, one, other) in self._pairs:
            return
        self._pairs.add((node, local, one, other))
        # Pairs suffice: an order of receipts is reached from any other by exchanges of neighbours, and each state in
        # between is among those compared.
        if self._both(node, local, one, other) != self._both(node, local, other, one):
            steps = self._steps
            raise NotCommutingError(
                steps.instance.protocol.name,
                f"of node {steps.names[node]!r} in the state {shown(steps.nodes[node].values[local])}: "
                f"{shown(steps.messages[one][1])} and {shown(steps.messages[other][1])}",
            )

    def _both(self, node: int, local: int, one: int, other: int) -> list[Done]:
        first = self._taken(node, (local, (), 0), one)
        return sorted(done for done_first in first for done in self._taken(node, done_first, other))

    def _taken(self, node: int, before: Done, message: int) -> Iterator[Done]:
        """The results of a receipt, one for each result of its coins. A node that is asleep receives nothing."""
        local, sent, broken = before
        if self._is_asleep(node, local):
            yield before
            return
        steps, row = self._steps, self._row(node, local, message)
        for way in range(row, row + int(steps.ways[row])):
            sends = (*sent, *(send for send in steps.sends[:, way].tolist() if send))
            yield int(steps.after[way]), tuple(sorted(sends)), broken | int(steps.breaks[way])

    def _row(self, node: int, local: int, message: int) -> int:
        steps = self._steps
        if steps.rows[node][local, steps.inputs[message]] == MISSING:
            steps.fill(node, np.array([local << 32 | message]))
            steps.freeze()
        return int(steps.rows[node][local, steps.inputs[message]])

    def _is_asleep(self, node: int, local: int) -> bool:
        return self._steps.nodes[node].is_asleep(local)


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
