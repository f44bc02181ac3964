"""All successors of many states at once, where a step is one input of one node: by gathers."""

from collections.abc import Iterator
from functools import reduce

import msgspec
import numpy as np

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.table.expand import COMMAND, DELIVERY, TIMEOUT, Block, Expander
from gomboc.checker.explore.table.model.layout import Layout, States
from gomboc.checker.explore.table.model.tables import IDLE, MISSING, Tables
from gomboc.checker.explore.table.sorted_set import Array


class Pending(msgspec.Struct, frozen=True):
    """Inputs of one node that can be taken in some states, and the first row of each in the table of steps."""

    kind: int
    place: int
    node: int
    sources: Array
    rows: Array


class StepExpander(Expander):
    """Expands states by single steps."""

    tables: Tables

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables, tables)
        self._maps = tables.maps()

    def refit(self) -> Layout:
        """Bring the arrays of the tables and the layout up to date. Returns the previous layout."""
        older = super().refit()
        self._maps = self.tables.maps()
        return older

    def _fill(self, states: States) -> None:
        for pending in self._pending(states):
            missing = pending.rows == MISSING
            if missing.any():
                sources = pending.sources[missing]
                message = 0 if pending.kind == TIMEOUT else states.slots[pending.place][sources]
                # Pairs as one number each: `unique` is faster over numbers than over rows.
                both = states.locals[pending.node][sources].astype(np.int64) << 32 | message
                self.tables.fill(pending.node, np.unique(both))

    def _pending(self, states: States) -> Iterator[Pending]:
        tables = self.tables
        everywhere = np.arange(len(states.keys))
        for node, numbers in enumerate(states.locals):
            rows = tables.rows[node][numbers, 0]
            active = rows != IDLE
            yield Pending(TIMEOUT, node, node, everywhere[active], rows[active])
        for slot_number, slot in enumerate(states.slots):
            # Equal messages stand side by side, and delivering either leads to the same state: only the first is
            # delivered.
            fresh = slot > 0 if slot_number == 0 else (slot > 0) & (slot != states.slots[slot_number - 1])
            chosen = np.flatnonzero(fresh)
            targets = tables.target[slot[chosen]]
            for node, numbers in enumerate(states.locals):
                sources = chosen[targets == node]
                if len(sources):
                    rows = tables.rows[node][numbers[sources], tables.inputs[slot[sources]]]
                    yield Pending(DELIVERY, slot_number, node, sources, rows)
        for ordered in self.commands.offered(states):
            node = tables.place_of(ordered.offer.node)
            rows = self.commands.rows(ordered, states.locals[node][ordered.sources])
            yield Pending(COMMAND, ordered.number, node, ordered.sources, rows)

    def blocks(self, keys: Array) -> Iterator[Block]:
        """Every transition from these states, for which the tables are prepared."""
        states = self.layout.unpack(keys)
        for pending in self._pending(states):
            blocks = self._by_coins(pending, states)
            yield from self._demanded(list(blocks), states) if pending.kind == COMMAND else blocks

    def _by_coins(self, pending: Pending, states: States) -> Iterator[Block]:
        """The transitions of some inputs, one block for each result of the coins."""
        ways = self.tables.ways[pending.rows]
        for way in range(int(ways.max(initial=0))):
            chosen = ways > way
            sources, rows = pending.sources, pending.rows
            if not chosen.all():
                sources, rows = sources[chosen], rows[chosen]
            after = self._after(pending, states, sources, rows + way)
            yield Block(pending.kind, pending.place, way, sources, after)

    def _after(self, pending: Pending, states: States, sources: Array, rows: Array) -> Array:
        layout, node = self.layout, pending.node
        # The difference is added in place, so that no other field is packed again.
        change = self.tables.after[rows].astype(np.int64) - states.locals[node][sources]
        bare = layout.bare(states.keys[sources]) + (change << layout.shifts[node])
        bare |= self.tables.breaks[rows] << layout.outer_shift
        if pending.kind == COMMAND:
            bare -= self.commands.price(pending.place) << layout.outer_shift
        delivered = pending.place if pending.kind == DELIVERY else None
        left = [slot[sources] for number, slot in enumerate(states.slots) if number != delivered]
        if delivered is not None:
            left.append(np.zeros(len(sources), layout.slot_type))
        beyond = self._put(left, rows)
        after = self.canonical(layout.pack_slots(bare, left))
        if beyond is not None:
            after[beyond] = BEYOND
        return after

    def _put(self, slots: list[Array], rows: Array) -> Array | None:
        """Put the messages of each row into the slots, in place. Returns the mask of states beyond the bound."""
        instance, beyond = self.tables.instance, None
        most = int(self.tables.sent[rows].max(initial=0))
        for sends in self.tables.sends[:most]:
            message = sends[rows].astype(self.layout.slot_type)
            further = _is_further(slots, message, instance.copies)
            if further is not None:
                if not instance.coalesce:
                    over = further & (message > 0)
                    beyond = over if beyond is None else beyond | over
                message *= ~further
            over = _insert(slots, message) > 0
            beyond = over if beyond is None else beyond | over
        return beyond

    def canonical(self, keys: Array) -> Array:
        """For each state the least of those that differ from it by a permutation of interchangeable names."""
        if not self._maps:
            return keys
        states = self.layout.unpack(keys)
        return reduce(np.minimum, (self._renamed(states, number) for number in range(len(self._maps))), keys)

    def renamed(self, keys: Array, number: int) -> Array:
        """The states with other names: by that one of the renamings of the tables."""
        return self._renamed(self.layout.unpack(keys), number)

    def _renamed(self, states: States, number: int) -> Array:
        goes, locals_, messages = self._maps[number]
        moved = list(states.locals)
        for node, index in enumerate(goes):
            moved[index] = locals_[node][states.locals[node]]
        slots: list[Array] = [np.zeros(len(states.keys), self.layout.slot_type) for _ in states.slots]
        for slot in states.slots:
            _insert(slots, messages[slot].astype(self.layout.slot_type))
        return self.layout.pack(moved, slots, 0)


def _insert(slots: list[Array], message: Array) -> Array:
    """Insert a message into a descending order, for all states at once and in place; return what does not fit."""
    for index, slot in enumerate(slots):
        slots[index], message = np.maximum(slot, message), np.minimum(slot, message)
    return message


def _is_further(slots: list[Array], message: Array, copies: int) -> Array | None:
    """Mask of the states with slots that already contain the maximal number of copies of the message."""
    if not slots:
        return None
    if copies == 1:
        further: Array = slots[0] == message
        for slot in slots[1:]:
            further |= slot == message
        return further
    held = np.zeros(len(message), np.uint8)
    for slot in slots:
        held += slot == message
    return held >= copies
