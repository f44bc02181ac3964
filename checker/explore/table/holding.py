"""States in which a promise holds: computed by columns, or once for each combination of values that it depends on."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from gomboc.checker.core.bad_models import shown
from gomboc.checker.explore.symmetry import NoSymmetryError
from gomboc.checker.explore.table.legitimacy import legitimate
from gomboc.checker.explore.table.model.checked_calls import is_faultless
from gomboc.checker.explore.table.model.demands import Links
from gomboc.checker.explore.table.model.global_predicate import Classes, ValueTable, Whole, faultless
from gomboc.checker.explore.table.model.layout import States
from gomboc.checker.explore.table.search import Explored, chunks
from gomboc.checker.explore.table.sorted_set import Array
from gomboc.checker.explore.table.steps import StepExpander
from gomboc.spec.core.model import Promise
from gomboc.spec.core.protocol import Protocol, strangers


def is_formed(protocol: Protocol, there: frozenset[str], value: Any) -> bool:
    """Whether a value conforms to its type, and refers only to nodes that are `there`."""

    def absent(value: Any) -> tuple[str, ...]:
        return strangers(protocol, value, there)

    asked = (("malformed", protocol.naming.malformed), ("named", absent))
    return all(is_faultless(protocol, name, faults, value) for name, faults in asked)


class Holding:
    """For each promise, whether it holds in each explored state; computed on demand.

    With `only`, just that one of the promises over whole states is known.
    """

    def __init__(self, explored: Explored, only: str | None = None) -> None:
        self._explored = explored
        protocol = explored.expander.tables.instance.protocol
        self._always = tuple(one for one in protocol.promises.always if only in (None, one.name))
        self._ways: dict[str, Callable[[], Array]] = {
            "canonical": self._well_formed,
            "stays_connected": self._connected,
            **{promise.name: partial(self._keeps, promise.name) for promise in self._always},
            **{promise.name: partial(self._unbroken, promise.name) for promise in protocol.promises.observers},
        }
        self._found: dict[str, Array] = {}

    def of(self, promise: Promise) -> Array:
        """For each state, whether that promise holds; promises of self-stabilisation hold in the legitimate states."""
        name = promise.name if promise.name in self._ways else "legitimate"
        if name not in self._found:
            self._found[name] = self._ways.get(name, self.legitimate)()
            self._insist_on_symmetry(name)
        return self._found[name]

    def _insist_on_symmetry(self, name: str) -> None:
        """Raise NoSymmetryError unless what is found of each state is found of its renamings too."""
        explored = self._explored
        expander = explored.expander
        for number in range(len(expander.tables.others)):
            assert isinstance(expander, StepExpander), "no two nodes are alike where a step is a whole round"
            parts = [np.empty(0, np.int64), *(expander.renamed(chunk, number) for chunk in chunks(explored.keys))]
            renamed = Holding(replace(explored, keys=np.concatenate(parts)), name)
            differing = np.flatnonzero(self._found[name] != renamed._ways.get(name, renamed.legitimate)())
            if len(differing):
                states = expander.world(int(explored.keys[differing[0]])).states()
                why = f"only one of {shown(states)} and its renaming is {name}"
                raise NoSymmetryError(expander.tables.instance.alike, why)

    def legitimate(self) -> Array:
        """For each state, whether it has no fault."""
        if "legitimate" not in self._found:
            self._found["legitimate"] = legitimate(self._explored)
        return self._found["legitimate"]

    def _by_chunks(self, ask: Callable[[States], Array], *each: int) -> Array:
        """The answers for all states; for each state it is an array of that shape."""
        layout = self._explored.expander.layout
        parts = [ask(layout.unpack(chunk)) for chunk in chunks(self._explored.keys)]
        return np.concatenate([np.empty((0, *each), bool), *parts])

    def _connected(self) -> Array:
        return self._by_chunks(Links(self._explored.expander.tables).connected)

    def _keeps(self, name: str) -> Array:
        return self._kept[name]

    @cached_property
    def _kept(self) -> dict[str, Array]:
        """For each state, whether each of the promises over whole states holds; all are asked in one pass."""
        tables = self._explored.expander.tables
        classes, protocol = Classes(tables), tables.instance.protocol
        every = {one.name: Whole(tables, one.name, faultless(protocol, one.name, one.faults)) for one in self._always}

        def kept(states: States) -> Array:
            combined = classes.combined(states)
            return np.stack([whole.says(True, combined) for whole in every.values()], axis=1)

        return dict(zip(every, self._by_chunks(kept, len(every)).T, strict=True))

    def _unbroken(self, observer: str) -> Array:
        expander = self._explored.expander
        return expander.tables.outer.unbroken(observer, self._explored.keys >> expander.layout.outer_shift)

    def _well_formed(self) -> Array:
        """For each state, whether every value in it conforms to its type, and refers only to nodes that exist."""
        tables = self._explored.expander.tables
        well = partial(is_formed, tables.instance.protocol, frozenset(tables.names))
        table = ValueTable(
            tables, lambda _, value: well(value), lambda sent: all(well(value) for _, value in sent), np.bool_
        )
        every = [*map(table.local, range(len(tables.names))), table.messages()]
        if all(column.all() for column in every):
            return np.ones(len(self._explored.keys), bool)

        def right(states: States) -> Array:
            locals_, slots = table.columns(states)
            holding: Array = np.logical_and.reduce([*locals_, *slots])
            return holding

        return self._by_chunks(right)
