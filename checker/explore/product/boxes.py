"""Sets of combinations of local states that a fair run may stay in for ever, and the rules that narrow them.

What remains is divided until it has one strongly connected component of each node.
"""

from collections.abc import Iterator
from itertools import product
from math import prod

import msgspec
import numpy as np
from msgspec.structs import replace
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.automata import COMMAND, TIMEOUT, Automata
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness
from gomboc.checker.explore.table.sorted_set import Array, place_of


class Part(msgspec.Struct, frozen=True):
    """Local states of one node, ascending, and the steps (rows) that it still takes between them.

    `labels` has for each state the number of its strongly connected component by those steps. `cyclic`: the rules about
    this node alone leave the part as it is.
    """

    states: Array
    rows: Array
    labels: Array
    cyclic: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of states and of steps."""
        return len(self.states), len(self.rows)

    @property
    def components(self) -> int:
        """The number of components."""
        return len(np.unique(self.labels))

    def only(self, chosen: Array, source: Array) -> "Part":
        """The part of the states marked in `chosen`."""
        kept = chosen[np.searchsorted(self.states, source[self.rows])]
        return Part(self.states[chosen], self.rows[kept], self.labels[chosen])


Box = tuple[Part, ...]
"""A part for each node: all combinations of their states."""


class Narrowing:
    """Removes from a box what no fair run that stays in it can take or be in infinitely often."""

    def __init__(self, automata: Automata, fairness: Fairness, coins: Coins) -> None:
        self._automata = automata
        self._strong = fairness is Fairness.STRONG
        self._tossed = coins is Coins.TOSSED
        self._commanded = [_marked(command.rows, len(automata.source)) for command in automata.commands]
        self.rounds = 0

    def whole(self) -> Box:
        """The box of all combinations."""
        active, rows = self._automata.active, self._automata.rows
        return tuple(
            Part(np.arange(len(states)), steps, np.zeros(len(states), np.int32))
            for states, steps in zip(active, rows, strict=True)
        )

    def narrowed(self, box: Box) -> Box | None:
        """What remains of a box, by a fixpoint of all rules; None if nothing does."""
        while True:
            self.rounds += 1
            exchanged = self._exchanged(self._offered(box))
            kept = tuple(self._in_cycles(node, part) for node, part in enumerate(exchanged))
            if not all(len(part.states) for part in kept) or self._is_commanded(kept):
                return None
            if [part.size for part in kept] == [part.size for part in box]:
                return kept
            box = kept

    def _offered(self, box: Box) -> Box:
        """Keep the commands that may come in some combination of the states of a box."""
        automata, parts = self._automata, list(box)
        classes = _classes(automata, box) if automata.commands else []
        for command, commanded in zip(automata.commands, self._commanded, strict=True):
            possible = np.logical_and.reduce([some[command.offered[:, node]] for node, some in enumerate(classes)])
            part, classes_of = parts[command.node], automata.classes[command.node]
            offered = _marked(command.offered[possible, command.node], len(classes[command.node]))
            lost = commanded[part.rows] & ~offered[classes_of[automata.source[part.rows]]]
            if lost.any():
                parts[command.node] = Part(part.states, part.rows[~lost], part.labels)
        return tuple(parts)

    def _is_commanded(self, box: Box) -> bool:
        """Whether a command is due in every combination of a box and never taken: no fair run stays there."""
        automata = self._automata
        classes = [np.flatnonzero(some).tolist() for some in _classes(automata, box)] if automata.commands else []
        return any(
            prod(map(len, classes)) <= len(command.due)
            and not commanded[box[command.node].rows].any()
            and all(combination in command.due for combination in product(*classes))
            for command, commanded in zip(automata.commands, self._commanded, strict=True)
        )

    def _exchanged(self, box: Box) -> Box:
        """Keep the deliveries of messages that are sent inside, and the steps whose messages are delivered inside."""
        automata, tables = self._automata, self._automata.tables
        while True:
            sent, delivered = self._messages(box)
            kept = []
            for part in box:
                good = sent[automata.taken[part.rows]] & delivered[tables.sends[:, part.rows]].all(axis=0)
                kept.append(part if good.all() else Part(part.states, self._whole_picks(part.rows, good), part.labels))
            if all(part is before for part, before in zip(kept, box, strict=True)):
                return box
            box = tuple(kept)

    def recurring(self, box: Box) -> Array:
        """The numbers of the messages that the steps of a box send, which are those that they deliver."""
        sent, _ = self._messages(box)
        messages: Array = np.flatnonzero(sent[:COMMAND])[1:]
        return messages

    def _messages(self, box: Box) -> tuple[Array, Array]:
        """By number, whether a step of a box sends a message, and whether one delivers it; both for 0, no message."""
        automata, tables = self._automata, self._automata.tables
        # The last element is for COMMAND: it is no message, as is TIMEOUT.
        sent, delivered = (np.zeros(len(tables.messages) + 1, bool) for _ in range(2))
        sent[[TIMEOUT, COMMAND]] = delivered[TIMEOUT] = True
        for part in box:
            sent[tables.sends[:, part.rows]] = True
            delivered[automata.taken[part.rows]] = True
        return sent, delivered

    def _whole_picks(self, rows: Array, good: Array) -> Array:
        """The good ones of some steps; a step goes with any other result of the same coins, if chance tosses them."""
        if good.all() or not self._tossed:
            return rows[good]
        pick = self._automata.pick
        return rows[~_marked(pick[rows[~good]], len(pick))[pick[rows]]]

    def _in_cycles(self, node: int, part: Part) -> Part:
        """Keep the steps within a component, and the components in which the node's timeout gets its turn."""
        source, after = self._automata.source, self._automata.tables.after
        while not part.cyclic:
            labels = np.full(len(self._automata.active[node]), -1, np.int32)
            labels[part.states] = components(part, source, after)
            before, then = labels[source[part.rows]], labels[after[part.rows]]
            rows = self._whole_picks(part.rows, before == then)
            kept = Part(part.states, rows, labels[part.states])
            kept = kept.only(~self._unfair(node, kept), source)
            part = replace(kept, cyclic=kept.size == part.size)
        return part

    def _unfair(self, node: int, part: Part) -> Array:
        """The states of a part that no fair run stays in, since the node's timeout would be due and is not taken."""
        automata = self._automata
        timeouts = part.rows[automata.taken[part.rows] == TIMEOUT]
        acting = np.zeros(int(part.labels.max(initial=0)) + 1, bool)
        acting[part.labels[np.searchsorted(part.states, automata.source[timeouts])]] = True
        active = automata.active[node][part.states]
        if self._strong:
            unfair: Array = active & ~acting[part.labels]
            return unfair
        resting = np.zeros(len(acting), bool)
        resting[part.labels[~active]] = True
        return ~acting[part.labels] & ~resting[part.labels]


def _marked(numbers: Array, count: int) -> Array:
    """Of the numbers below `count`, whether each is one of these."""
    marked = np.zeros(count, bool)
    marked[numbers] = True
    return marked


def _classes(automata: Automata, box: Box) -> list[Array]:
    """For each node, whether a class is one of its states, by the number of the class, by which commands come."""
    return [
        _marked(some[part.states], int(some.max(initial=-1)) + 1)
        for some, part in zip(automata.classes, box, strict=True)
    ]


def components(part: Part, source: Array, after: Array) -> Array:
    """For each state of a part, the number of its strongly connected component; steps that lead out do not count."""
    before, then = source[part.rows], after[part.rows]
    count, to = len(part.states), place_of(then, part.states)
    inside = (to >= 0) & (before != then)
    if not inside.any():
        return np.arange(count, dtype=np.int32)
    edges = np.searchsorted(part.states, before[inside]), to[inside]
    matrix = csr_array((np.ones(len(edges[0])), edges), shape=(count, count))
    labels: Array = connected_components(matrix, directed=True, connection="strong")[1]
    return labels


MOST_BOXES = 10_000
"""Maximal number of boxes: where they vanish too slowly, the explorer is to have its turn."""


def survivors(automata: Automata, narrowing: Narrowing, watch: BoundWatch) -> Iterator[Box]:
    """Every box that remains, narrowed until each of its parts is one component.

    Raises BoundReachedError if a bound is reached first, or if there are more than MOST_BOXES.
    """
    pending = [narrowing.whole()]
    looked = 0
    while pending:
        looked += 1
        if looked > MOST_BOXES:
            raise BoundReachedError(f"there are more than {counted(MOST_BOXES, 'box', 'boxes')}")
        watch.insist()
        box = narrowing.narrowed(pending.pop())
        if box is None:
            continue
        counts = [part.components for part in box]
        if max(counts) == 1:
            yield box
            continue
        pending += _halves(box, min((count, node) for node, count in enumerate(counts) if count > 1)[1], automata)


def _halves(box: Box, node: int, automata: Automata) -> Iterator[Box]:
    """A box in two, by the components of one node: most boxes vanish long before each component stands alone."""
    part = box[node]
    numbers = np.unique(part.labels)
    first = np.isin(part.labels, numbers[: len(numbers) // 2])
    for chosen in (first, ~first):
        yield (*box[:node], part.only(chosen, automata.source), *box[node + 1 :])
