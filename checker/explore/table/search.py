"""The breadth-first search over tables: a frontier is a sorted array of states, and advances chunk by chunk."""

from collections.abc import Iterator

import msgspec
import numpy as np

from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.rounds import is_by_rounds
from gomboc.checker.explore.results.finding import Extent
from gomboc.checker.explore.table.expand import Expander
from gomboc.checker.explore.table.model.layout import Layout
from gomboc.checker.explore.table.model.tables import Tables
from gomboc.checker.explore.table.rounds.round_expand import RoundExpander
from gomboc.checker.explore.table.rounds.round_tables import RoundTables
from gomboc.checker.explore.table.sorted_set import Array, Seen, distinct
from gomboc.checker.explore.table.starts import starting_states
from gomboc.checker.explore.table.steps import StepExpander
from gomboc.spec.core.instance import Instance

CHUNK = 1 << 16
"""Number of states that are expanded at once: few enough for their columns to stay in the processor's cache."""


class Explored(msgspec.Struct, frozen=True):
    """The explored states, ascending, and the initial ones among them."""

    expander: Expander
    keys: Array
    starts: Array
    extent: Extent


def chunks(keys: Array, size: int = CHUNK) -> Iterator[Array]:
    """An array in pieces."""
    for first in range(0, len(keys), size):
        yield keys[first : first + size]


def search(instance: Instance, watch: BoundWatch | None = None) -> Explored:
    """Every state of an instance within the bounds. Raises TooWideError if a state does not fit into one number."""
    watch = watch or BoundWatch(Bounds())
    run = _Search(expander_of(instance), watch)
    run.run(watch)
    return run.explored()


def expander_of(instance: Instance) -> Expander:
    """The expander of an instance: by single steps, or by whole rounds."""
    return RoundExpander(RoundTables(instance)) if is_by_rounds(instance) else StepExpander(Tables(instance))


class _Search:
    def __init__(self, expander: Expander, watch: BoundWatch) -> None:
        self._expander = expander
        self._starts, self._stopped = starting_states(expander, watch)
        self._frontier = self._starts
        self._seen = Seen()
        self._seen.add(self._frontier)
        self._found: list[Array] = []
        self._open = self._starts if self._stopped else np.empty(0, np.int64)
        self._transitions = self._done = 0

    def run(self, watch: BoundWatch) -> None:
        """Advance the frontier until it is empty or a bound is reached."""
        while len(self._frontier) and not self._stopped:
            first = 0
            while first < len(self._frontier) and not self._stopped:
                self._advance(first)
                first += CHUNK
                self._done += min(CHUNK, len(self._frontier) - first + CHUNK)
                self._stopped = watch.why_stop(self._done, self._count(watch), self._transitions)
            # By levels, so that the shortest counterexample is found without a queue, and sets are merged once a level.
            later = distinct(np.concatenate([np.empty(0, np.int64), *self._found]))
            self._found = []
            if self._stopped:
                self._open = np.concatenate((self._frontier[first:], later))
            self._seen.add(later)
            self._frontier = later
        self._stopped = self._stopped if len(self._open) else ""

    def _count(self, watch: BoundWatch) -> int:
        """The number of discovered states; one of two chunks may count twice, but not so as to reach a bound."""
        count = len(self._seen) + sum(map(len, self._found))
        if watch.is_over(count) and len(self._found) > 1:
            self._found = [distinct(np.concatenate(self._found))]
            count = len(self._seen) + len(self._found[0])
        return count

    def _advance(self, first: int) -> None:
        older = self._expander.prepare(self._frontier[first : first + CHUNK])
        if older is not None:
            self._recode(older)
        keys_of_blocks = [block.keys for block in self._expander.blocks(self._frontier[first : first + CHUNK])]
        keys = np.concatenate([np.empty(0, np.int64), *keys_of_blocks])
        self._transitions += len(keys)
        fresh = distinct(keys)
        # Negative numbers are transitions beyond the bound; sorted, they come first.
        fresh = fresh[int(np.searchsorted(fresh, 0)) :]
        self._found.append(self._seen.unseen(fresh))

    def _recode(self, older: Layout) -> None:
        """Pack every state again, since the layout has changed."""
        layout = self._expander.layout
        self._seen.recode(lambda keys: layout.recode(keys, older))
        self._frontier = layout.recode(self._frontier, older)
        self._starts = layout.recode(self._starts, older)
        self._found = [layout.recode(keys, older) for keys in self._found]

    def explored(self) -> Explored:
        """The states that were explored."""
        keys = self._seen.all()
        count = len(keys)
        if len(self._open):
            # What was discovered and not expanded is no part of the graph: its transitions are unknown.
            keys = np.setdiff1d(keys, self._open, assume_unique=True)
        starts = self._starts[np.isin(self._starts, keys, assume_unique=True)] if self._stopped else self._starts
        bounds, found = self._expander.tables.bounds, (len(starts), count, self._transitions)
        return Explored(self._expander, keys, starts, Extent(*found, len(keys), 0, bounds, self._stopped))
