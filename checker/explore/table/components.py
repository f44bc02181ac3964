"""Strongly connected components of a graph of columns, by trimming and colouring instead of a depth-first search."""

from collections.abc import Callable

import numpy as np

from checker.explore.table.tables import Array

Columns = list[Array]
"""For each kind of transition, where it leads from every node; negative where it does not count."""

NOWHERE = -1


def go_on() -> None:
    """Nothing speaks against going on."""


def strong_components(columns: Columns, insist: Callable[[], None] = go_on) -> Array:
    """For each node the number of its component; -1 if no cycle goes through it. A component's number is a node's.

    `insist` is called again and again, and may raise.
    """
    count = len(columns[0]) if columns else 0
    labels = np.full(count, NOWHERE, np.int32)
    nodes = np.arange(count, dtype=np.int32)
    for column in columns:
        looping = column == nodes
        labels[looping] = nodes[looping]
    alive = nodes
    while len(alive):
        alive, columns = _trimmed(alive, columns)
        if not len(alive):
            break
        colours = _colours(columns, insist)
        found = _rooted(columns, colours)
        sizes = np.bincount(colours[found], minlength=len(alive))
        large = found & (sizes[colours] > 1)
        labels[alive[large]] = alive[colours[large]]
        alive, columns = _restricted(alive, columns, ~found)
    return labels


def _restricted(alive: Array, columns: Columns, kept: Array) -> tuple[Array, Columns]:
    """The graph of the kept nodes only, numbered anew."""
    numbers = np.full(len(alive), NOWHERE, np.int32)
    numbers[kept] = np.arange(int(kept.sum()), dtype=np.int32)
    later = []
    for column in columns:
        targets = column[kept]
        renumbered = np.where(targets >= 0, numbers[targets], NOWHERE).astype(np.int32)
        if (renumbered >= 0).any():
            later.append(renumbered)
    return alive[kept], later


def _trimmed(alive: Array, columns: Columns) -> tuple[Array, Columns]:
    """Without the nodes that no other leads to, or that lead to no other: a loop of one was counted before."""
    while True:
        nodes = np.arange(len(alive), dtype=np.int32)
        leads, is_led_to = np.zeros(len(alive), bool), np.zeros(len(alive), bool)
        for column in columns:
            real = (column >= 0) & (column != nodes)
            leads |= real
            is_led_to[column[real]] = True
        kept = leads & is_led_to
        if kept.all():
            return alive, columns
        alive, columns = _restricted(alive, columns, kept)


def _colours(columns: Columns, insist: Callable[[], None]) -> Array:
    """For each node the greatest node that it can reach, itself included."""
    colours = np.arange(len(columns[0]), dtype=np.int32) if columns else np.empty(0, np.int32)
    while True:
        insist()
        before = colours.copy()
        for column in columns:
            reached = np.where(column >= 0, colours[column], NOWHERE)
            np.maximum(colours, reached, out=colours)
        colours = np.maximum(colours, colours[colours])
        if np.array_equal(before, colours):
            return colours


def _rooted(columns: Columns, colours: Array) -> Array:
    """The nodes that can be reached from the node whose number is their colour: its component."""
    nodes = np.arange(len(colours), dtype=np.int32)
    found: Array = colours == nodes
    frontier: Array = np.flatnonzero(found)
    while len(frontier):
        later = []
        for column in columns:
            targets = column[frontier]
            same = np.flatnonzero((targets >= 0) & (colours[targets] == colours[frontier]) & ~found[targets])
            found[targets[same]] = True
            later.append(np.unique(targets[same]))
        frontier = np.concatenate(later)
    return found
