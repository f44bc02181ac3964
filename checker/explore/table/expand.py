"""All successors of many states at once, by gathers."""

from collections.abc import Iterator

import msgspec
import numpy as np

from gomboc.checker.explore.graph.graph import BEYOND
from gomboc.checker.explore.table.commands import ModelCommands, is_asked
from gomboc.checker.explore.table.layout import Layout, fitting
from gomboc.checker.explore.table.tables import IDLE, MISSING, Array, Tables
from gomboc.spec.instance import bounded_step, keeps_demands
from gomboc.spec.network import World, enabled

TIMEOUT, DELIVERY, COMMAND = 0, 1, 2
"""The kinds of input, as in `most_ways`."""


class Block(msgspec.Struct, frozen=True):
    """The transitions of one kind: from the states at `sources`, to those with `keys`, or BEYOND.

    `kind` and `place` identify them: the timeout of that node, the delivery of the message in that slot, or the command
    of that number; `way` is the result of the coins.
    """

    kind: int
    place: int
    way: int
    sources: Array
    keys: Array


class Pending(msgspec.Struct, frozen=True):
    """Inputs of one node that can be taken in some states, and the first row of each in the table of steps."""

    kind: int
    place: int
    node: int
    sources: Array
    rows: Array


class Expander:
    """Expands states packed by the current `layout`, which changes when the tables outgrow it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.commands = ModelCommands(tables, tables.steps_of())
        self.layout = fitting(tables)
        self._maps = tables.maps()

    def prepare(self, keys: Array) -> Layout | None:
        """Fill the tables with every step that these states need.

        Returns the previous layout if the tables have outgrown it, else None; states then have to be recoded.
        """
        locals_, slots = self.layout.unpack(keys)
        known = self.tables.filled
        for pending in self._pending(locals_, slots, self.layout.outer(keys)):
            missing = pending.rows == MISSING
            if missing.any():
                sources = pending.sources[missing]
                message = np.zeros(len(sources), np.int64) if pending.kind == TIMEOUT else slots[pending.place][sources]
                # Pairs as one number each: `unique` is faster over numbers than over rows.
                both = locals_[pending.node][sources].astype(np.int64) << 32 | message
                pairs = np.unique(both)
                self.tables.fill(pending.node, np.stack([pairs >> 32, pairs & 0xFFFFFFFF], axis=1))
        if self.tables.filled == known:
            return None
        self.tables.freeze()
        self._maps = self.tables.maps()
        older, self.layout = self.layout, fitting(self.tables, self.layout)
        return older if older is not self.layout else None

    def _pending(self, locals_: list[Array], slots: list[Array], outer: Array) -> Iterator[Pending]:
        tables = self.tables
        everywhere = np.arange(len(locals_[0]))
        for node, numbers in enumerate(locals_):
            rows = tables.rows[node][numbers, 0]
            yield _without_idle(Pending(TIMEOUT, node, node, everywhere, rows))
        for slot_number, slot in enumerate(slots):
            # Equal messages stand side by side, and delivering either leads to the same state: only the first is
            # delivered.
            fresh = slot > 0 if slot_number == 0 else (slot > 0) & (slot != slots[slot_number - 1])
            chosen = np.flatnonzero(fresh)
            targets = tables.target[slot[chosen]]
            for node, numbers in enumerate(locals_):
                sources = chosen[targets == node]
                if len(sources):
                    rows = tables.rows[node][numbers[sources], tables.inputs[slot[sources]]]
                    yield Pending(DELIVERY, slot_number, node, sources, rows)
        for ordered in self.commands.offered(locals_, slots, outer):
            node = tables.place_of(ordered.offer.node)
            rows = self.commands.rows(ordered, locals_[node][ordered.sources])
            yield Pending(COMMAND, ordered.number, node, ordered.sources, rows)

    def blocks(self, keys: Array) -> Iterator[Block]:
        """Every transition from these states, for which the tables are prepared."""
        locals_, slots = self.layout.unpack(keys)
        for pending in self._pending(locals_, slots, self.layout.outer(keys)):
            blocks = self._by_coins(pending, keys, locals_, slots)
            yield from self._demanded(list(blocks), keys) if pending.kind == COMMAND else blocks

    def _by_coins(self, pending: Pending, keys: Array, locals_: list[Array], slots: list[Array]) -> Iterator[Block]:
        """The transitions of some inputs, one block for each result of the coins."""
        ways = self.tables.ways[pending.rows]
        for way in range(int(ways.max(initial=0))):
            chosen = ways > way
            sources, rows = pending.sources, pending.rows
            if not chosen.all():
                sources, rows = sources[chosen], rows[chosen]
            after = self._after(pending, keys[sources], locals_, slots, sources, rows + way)
            yield Block(pending.kind, pending.place, way, sources, after)

    def _demanded(self, blocks: list[Block], keys: Array) -> Iterator[Block]:
        """The transitions of a command from states where assumption and premise hold after every result of it."""
        if not is_asked(self.tables.instance.protocol):
            yield from blocks
            return
        lost = np.zeros(len(keys), bool)
        for block in blocks:
            # A command is one pick: if any result of its coins breaks the premise, no result of it may happen.
            lost[block.sources[~self._holds_what_is_demanded(block, keys)]] = True
        for block in blocks:
            kept = ~lost[block.sources]
            if kept.any():
                yield Block(block.kind, block.place, block.way, block.sources[kept], block.keys[kept])

    def _holds_what_is_demanded(self, block: Block, keys: Array) -> Array:
        kept = np.ones(len(block.keys), bool)
        inside = block.keys >= 0
        kept[inside] = self.commands.kept(block.place, *self.layout.unpack(block.keys[inside]))
        for index in np.flatnonzero(~inside).tolist():
            kept[index] = self._keeps_plainly(block, int(keys[block.sources[index]]))
        return kept

    def _keeps_plainly(self, block: Block, key: int) -> bool:
        """The same for one state by the plain model, since a state beyond the bound has no number."""
        instance, offer = self.tables.instance, self.commands.offers[block.place]
        world = self.world(key)
        acts = [act for act in enabled(instance.protocol, world) if act.offer == offer]
        return all(keeps_demands(instance.protocol, act, bounded_step(instance, world, act)) for act in acts)

    def world(self, key: int) -> World:
        """The world that a state represents."""
        locals_, slots = self.layout.unpack(np.array([key]))
        named, sent = ([int(column[0]) for column in columns] for columns in (locals_, slots))
        return self.tables.world(named, sent, key >> self.layout.outer_shift)

    def _after(
        self, pending: Pending, keys: Array, locals_: list[Array], slots: list[Array], sources: Array, rows: Array
    ) -> Array:
        layout, node = self.layout, pending.node
        # The difference is added in place, so that no other field is packed again.
        change = self.tables.after[rows].astype(np.int64) - locals_[node][sources]
        bare = (keys >> layout.message_bits << layout.message_bits) + (change << layout.shifts[node])
        bare |= self.tables.breaks[rows] << layout.outer_shift
        if pending.kind == COMMAND:
            bare -= self.commands.price(pending.place) << layout.outer_shift
        kept = list(slots)
        if pending.kind == DELIVERY:
            kept = [*kept[: pending.place], *kept[pending.place + 1 :]]
        left = [slot[sources] for slot in kept]
        if pending.kind == DELIVERY:
            left.append(np.zeros(len(sources), layout.slot_type))
        beyond = self._put(left, rows)
        after = self._canonical(layout.pack_slots(bare, left))
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
            # Insertion into a descending order, for all states at once: what is left over at the end does not fit.
            for index, slot in enumerate(slots):
                slots[index], message = np.maximum(slot, message), np.minimum(slot, message)
            over = message > 0
            beyond = over if beyond is None else beyond | over
        return beyond

    def canonical(self, keys: Array) -> Array:
        """For each state the least of those that differ from it by a permutation of interchangeable names."""
        return self._canonical(keys)

    def _canonical(self, keys: Array) -> Array:
        if not self._maps:
            return keys
        locals_, slots = self.layout.unpack(keys)
        least = keys
        for goes, states, messages in self._maps:
            moved = list(locals_)
            for node, index in enumerate(goes):
                moved[index] = states[node][locals_[node]]
            sorted_: list[Array] = [np.zeros(len(keys), self.layout.slot_type) for _ in slots]
            for slot in slots:
                message = messages[slot].astype(self.layout.slot_type)
                for index, held in enumerate(sorted_):
                    sorted_[index], message = np.maximum(held, message), np.minimum(held, message)
            least = np.minimum(least, self.layout.pack_slots(self.layout.pack_locals(moved), sorted_))
        return least


def _without_idle(pending: Pending) -> Pending:
    active = pending.rows != IDLE
    if active.all():
        return pending
    return Pending(pending.kind, pending.place, pending.node, pending.sources[active], pending.rows[active])


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
