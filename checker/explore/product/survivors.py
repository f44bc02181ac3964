"""The combinations of strongly connected components, one of each node, that a fair run may stay in for ever."""

from collections.abc import Iterator

import numpy as np

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.product.automata import Automata
from gomboc.checker.explore.product.boxes import Box, Narrowing
from gomboc.checker.explore.questions.bounds import BoundReachedError, BoundWatch

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
