"""Check that the receipts of one round commute, in the states that occur: the protocol's declaration is not trusted."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from gomboc.checker.core.bad_models import NotCommutingError, shown
from gomboc.checker.explore.table.model.tables import MISSING, Tables

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
