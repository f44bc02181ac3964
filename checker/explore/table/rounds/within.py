"""Many states in the middle of a round, and the rows of steps that lead them on."""

from collections.abc import Callable

import msgspec
import numpy as np

from gomboc.checker.explore.table.sorted_set import Array

Union = Callable[[Array, Array], Array]
"""The unions of bundles for the same node, pair by pair."""


class Rows(msgspec.Struct, frozen=True):
    """The results of steps, by row: the local state afterwards, and a bit for each observer that finds a fault.

    `gives[t]` is the bundle for node t.
    """

    after: Array
    broken: Array
    gives: Array


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

    def take(self, rows: Array, ways: Array, results: Rows, union: Union) -> tuple[Array, Array]:
        """Take steps, given by their first rows and the numbers of their results; the last bundles get their messages.

        Each state is repeated as often as its coin has results. Returns the rows taken, and the indices repeated.
        """
        repeated = np.arange(len(rows))
        if (ways > 1).any():
            repeated = np.repeat(repeated, ways)
            which = np.arange(len(repeated)) - np.repeat(np.cumsum(ways) - ways, ways)
            self._repeat(repeated)
            self.ways = self.ways * int(ways.max()) + which
            rows = rows[repeated] + which
        for target, sent in enumerate(results.gives, len(self.bundles) - len(results.gives)):
            self.bundles[target] = union(self.bundles[target], sent[rows])
        self.broken = self.broken | results.broken[rows]
        return rows, repeated

    def _repeat(self, repeated: Array) -> None:
        self.sources, self.ways, self.broken = self.sources[repeated], self.ways[repeated], self.broken[repeated]
        self.locals_, self.asleep, self.bundles = (
            [column[repeated] for column in columns] for columns in (self.locals_, self.asleep, self.bundles)
        )

    def received(self) -> list[Array]:
        """The bundles; those to nodes that are asleep are empty."""
        both = zip(self.bundles, self.asleep, strict=True)
        return [np.where(asleep, 0, bundle) for bundle, asleep in both]
