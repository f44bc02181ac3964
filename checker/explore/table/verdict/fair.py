"""Components in which a fair run can stay for ever, by columns: equal to those of the plain graph."""

from collections.abc import Callable

import numpy as np

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.checker.explore.table.columns import Transitions, picks
from gomboc.checker.explore.table.sorted_set import Array, distinct, is_in
from gomboc.checker.explore.table.verdict.components import NOWHERE, strong_components


class Region:
    """A region of the graph, renumbered, and the transitions inside of it that still count."""

    def __init__(self, built: Transitions, places: Array) -> None:
        self.built = built
        self.places = places
        numbers = np.full(built.count, NOWHERE, np.int32)
        numbers[places] = np.arange(len(places), dtype=np.int32)
        # Convergence is promised of runs in which commands that disturb end, unless they are owed.
        self.inner = [
            _inside(column.targets[places], numbers)
            if column.owed or not column.disturbs
            else np.full(len(places), NOWHERE, np.int32)
            for column in built.columns
        ]

    def within(self, labels: Array) -> list[Array]:
        """The transitions of `inner` that stay within a component."""
        return [_staying(column, labels) for column in self.inner]


def _inside(targets: Array, numbers: Array) -> Array:
    return np.where(targets >= 0, numbers[targets], NOWHERE).astype(np.int32)


def _staying(column: Array, labels: Array) -> Array:
    stays = (column >= 0) & (labels >= 0) & (labels[column] == labels)
    return np.where(stays, column, NOWHERE).astype(np.int32)


def fair_components(
    built: Transitions, region: Array, fairness: Fairness, coins: Coins, insist: Callable[[], None] = go_on
) -> list[Array]:
    """The components within the marked region in which a fair run can stay, each as the indices of its states.

    `insist` is called repeatedly, and may raise.
    """
    components = []
    pending = [np.flatnonzero(region)]
    while pending:
        part = Region(built, pending.pop())
        labels = _components(part, coins, insist)
        owed = _owed(part, labels, fairness)
        fair = labels[(labels >= 0) & ~np.isin(labels, owed >> 32)]
        order = np.argsort(labels, kind="stable")
        components += [part.places[order[slice(*_run(labels[order], label))]] for label in np.unique(fair).tolist()]
        # A class enabled again and again is owed a turn. A run may still stay where that class is not enabled: those
        # states are searched again.
        if fairness is Fairness.STRONG and len(owed):
            pending.append(part.places[_without_owed(part, labels, owed)])
    return components


def _run(ordered: Array, label: int) -> tuple[int, int]:
    return int(np.searchsorted(ordered, label)), int(np.searchsorted(ordered, label, side="right"))


def _components(part: Region, coins: Coins, insist: Callable[[], None]) -> Array:
    """The component of each state, or with tossed coins the end component, by cutting picks until none leaves."""
    labels = strong_components(part.inner, insist)
    # Every result of a pick happens in a fair run, so one that leaves rules the pick out. Without it, the component may
    # fall apart: hence until nothing is cut.
    while coins is Coins.TOSSED and _cut(part, labels):
        labels = strong_components(part.inner, insist)
    return labels


def _cut(part: Region, labels: Array) -> bool:
    """Cut every pick with a result that leaves its component, and every transition between components."""
    within = part.within(labels)
    cut = False
    for numbers in picks(part.built):
        leaves = np.zeros(len(part.places), bool)
        for number in numbers:
            enabled = part.built.columns[number].targets[part.places] >= BEYOND
            leaves |= enabled & (within[number] < 0)
        for number in numbers:
            cut |= bool((leaves & (within[number] >= 0)).any())
            part.inner[number] = np.where(leaves, NOWHERE, within[number]).astype(np.int32)
    return cut


def _turns(part: Region, labels: Array) -> tuple[Array, Array]:
    """The pairs (component, class) enabled, once for each state, and those taken within the component."""
    chosen = np.flatnonzero(labels >= 0)
    places = part.places[chosen]
    slots = part.built.slots(places)
    within = part.within(labels)
    enabled, taken = [_NOTHING], [_NOTHING]
    for column, inner in zip(part.built.columns, within, strict=True):
        if not column.owed:
            continue
        pairs = _coded(labels[chosen], part.built.turns(column, places, slots))
        # One result stands for the pick: all results are enabled together.
        if column.way == 0:
            enabled.append(pairs[column.targets[places] >= BEYOND])
        taken.append(distinct(pairs[inner[chosen] >= 0]))
    return np.concatenate(enabled), distinct(np.concatenate(taken))


_NOTHING = np.empty(0, np.int64)


def _coded(components: Array, turns: Array) -> Array:
    """Pairs as single numbers: the component above, the class below."""
    coded: Array = components.astype(np.int64) << 32 | turns
    return coded


def _owed(part: Region, labels: Array, fairness: Fairness) -> Array:
    """The pairs (component, class) where a run that stays in the component is unfair to the class."""
    if fairness is Fairness.NONE:
        return _NOTHING
    enabled, taken = _turns(part, labels)
    pairs, times = np.unique(enabled, return_counts=True)
    sizes = np.bincount(labels[labels >= 0], minlength=len(labels))
    needed = sizes[pairs >> 32] if fairness is Fairness.WEAK else np.ones(len(pairs), np.int64)
    owed: Array = pairs[(times >= needed) & ~is_in(pairs, taken)]
    return owed


def _without_owed(part: Region, labels: Array, owed: Array) -> Array:
    """The states of unfair components in which no class that is owed a turn is enabled."""
    unfair = np.isin(labels, owed >> 32)
    chosen = np.flatnonzero(unfair)
    places = part.places[chosen]
    slots = part.built.slots(places)
    bad = np.zeros(len(chosen), bool)
    for column in part.built.columns:
        if not column.owed:
            continue
        pairs = _coded(labels[chosen], part.built.turns(column, places, slots))
        bad |= (column.targets[places] >= BEYOND) & np.isin(pairs, owed)
    return chosen[~bad]
