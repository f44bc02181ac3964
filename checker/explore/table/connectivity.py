"""Which starts are weakly connected: asked once for each set of edges that occurs, not once for each start."""

from typing import Any

import numpy as np

from checker.explore.table.layout import MOST_BITS, TooWideError
from checker.explore.table.tables import Array
from checker.explore.table.untrusted import edges_of
from spec.connection import Edge, is_connected, no_edges
from spec.instance import Instance


class Links:
    """The edges that values make, as sets of bits: one bit for each pair of nodes."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._bits: dict[Edge, int] = {}

    def of(self, node: str, value: Any) -> int:
        """The edges that a local state of a node makes, or a message to it. Raises TooWideError beyond 63 pairs."""
        found = 0
        for one, other in edges_of(self._instance, node, value):
            pair = min(one, other), max(one, other)
            found |= 1 << self._bits.setdefault(pair, len(self._bits))
        if len(self._bits) > MOST_BITS:
            raise TooWideError(f"the starts have edges between more than {MOST_BITS} pairs of nodes")
        return found

    def connecting(self, linked: Array) -> Array:
        """For each set of edges, whether the graph is weakly connected; always, if the instance has no edges."""
        if self._instance.edges is no_edges:
            return np.ones(len(linked), bool)
        distinct, places = np.unique(linked, return_inverse=True)
        return np.array([self._connects(edges) for edges in distinct.tolist()], bool)[places]

    def _connects(self, linked: int) -> bool:
        edges = [pair for pair, bit in self._bits.items() if linked >> bit & 1]
        return is_connected(self._instance.names(), edges)
