"""Strongly connected components of a graph of columns, by scipy."""

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.table.sorted_set import Array

Columns = list[Array]
"""For each kind of transition, its target from every node; negative where it does not count."""

NOWHERE = -1


def strong_components(columns: Columns, insist: Callable[[], None] = go_on) -> Array:
    """For each node the number of its component; -1 if no cycle contains it. A component has the number of a node.

    `insist` is called before the work begins, and may raise.
    """
    insist()
    count = len(columns[0]) if columns else 0
    labels = np.full(count, NOWHERE, np.int32)
    if not count:
        return labels
    nodes = np.arange(count, dtype=np.int32)
    parts, part = connected_components(_adjacency(columns, nodes), directed=True, connection="strong")
    some_node = np.empty(parts, np.int32)
    some_node[part] = nodes
    cyclic = np.bincount(part, minlength=parts)[part] > 1
    for column in columns:
        cyclic |= column == nodes
    labels[cyclic] = some_node[part[cyclic]]
    return labels


def _adjacency(columns: Columns, nodes: Array) -> csr_array:
    """The transitions between different nodes as a sparse matrix.

    Each column has at most one transition from a node, so rows fill up column by column, without sorting.
    """
    real = [np.flatnonzero((column >= 0) & (column != nodes)) for column in columns]
    degrees = np.zeros(len(nodes), np.int32)
    for sources in real:
        degrees[sources] += 1
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(degrees, dtype=np.int64)))
    free, targets = first[:-1].copy(), np.empty(first[-1], np.int32)
    for column, sources in zip(columns, real, strict=True):
        targets[free[sources]] = column[sources]
        free[sources] += 1
    if len(targets) <= np.iinfo(np.int32).max:
        first = first.astype(np.int32)
    # scipy converts weights to this type in any case; providing it avoids a copy.
    matrix = csr_array((np.ones(len(targets)), targets, first), shape=(len(nodes), len(nodes)))
    # The search of scipy does not terminate if a row contains a transition twice.
    matrix.sum_duplicates()
    return matrix
