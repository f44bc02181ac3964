"""A global state as one number: a field for each node's local state, and one for each message in flight."""

import msgspec
import numpy as np

from gomboc.checker.explore.table.model.numbering import Numbering
from gomboc.checker.explore.table.sorted_set import Array

# A state is a signed 64-bit number: negative numbers are left for BEYOND, and comparisons stay native.
MOST_BITS = 63


class TooWideError(Exception):
    """A state no longer fits into one number."""


class States(msgspec.Struct, frozen=True):
    """Many states: as one number each, and unpacked.

    `locals` has the numbers of the local states, node by node, `slots` those of the messages, slot by slot; `outer` is
    the part on top, in which `Outer` packs the rest.
    """

    keys: Array
    locals: list[Array]
    slots: list[Array]
    outer: Array

    def only(self, chosen: Array) -> "States":
        """The chosen ones of these states."""
        locals_, slots = ([column[chosen] for column in columns] for columns in (self.locals, self.slots))
        return States(self.keys[chosen], locals_, slots, self.outer[chosen])


class Layout:
    """The bit fields of a state. Messages are in descending order, so that equal contents are equal numbers.

    Fields only ever get wider, and slots are only added at the end: that keeps the order of states. On top are
    `outer_bits` that never change their width: budgets, and a bit for each observer that has found a fault.

    With `members`, contents are sets of so many messages, with a bit for each in place of the slots. Equal contents are
    equal numbers there, too, and the order of states is the same.
    """

    def __init__(
        self, local_bits: list[int], slots: int, slot_bits: int, outer_bits: int = 0, members: int = 0
    ) -> None:
        self.local_bits = local_bits
        self.slots = slots
        self.slot_bits = slot_bits
        self.outer_bits = outer_bits
        self.members = members
        self.message_bits = members or slots * slot_bits
        self.outer_shift = sum(local_bits) + self.message_bits
        if self.outer_shift + outer_bits > MOST_BITS:
            bits = self.outer_shift + outer_bits
            grows = "if a value grows without bound, bound it in the model"
            remedy = f"{grows}; else take a smaller model, or --engine plain"
            needed = f"a state needs {bits} bits, and the table-driven explorer has {MOST_BITS}"
            raise TooWideError(f"{needed}: {remedy}")
        # Local states stand above the messages, so that a step changes them by one addition (`StepExpander._after`).
        self.shifts = [self.message_bits + sum(local_bits[node + 1 :]) for node in range(len(local_bits))]
        # Half the memory traffic of the hottest arrays; most instances have fewer than 65,536 messages.
        self.slot_type = np.uint16 if slot_bits <= 16 else np.uint32

    def unpack(self, keys: Array) -> States:
        """States, given as numbers."""
        locals_ = [
            ((keys >> shift) & ((1 << bits) - 1)).astype(np.int32)
            for shift, bits in zip(self.shifts, self.local_bits, strict=True)
        ]
        slots = self._members(keys) if self.members else self._slots(keys)
        return States(keys, locals_, slots, keys >> self.outer_shift)

    def _slots(self, keys: Array) -> list[Array]:
        mask = (1 << self.slot_bits) - 1
        shifts = [self.slot_bits * (self.slots - 1 - slot) for slot in range(self.slots)]
        return [((keys >> shift_of_slot) & mask).astype(self.slot_type) for shift_of_slot in shifts]

    def _members(self, keys: Array) -> list[Array]:
        """The numbers of the bits that are set, in descending order, slot by slot."""
        slots = np.zeros((self.slots, len(keys)), self.slot_type)
        filled = np.zeros(len(keys), np.int64)
        for message in range(self.members, 0, -1):
            holding = np.flatnonzero(keys >> (message - 1) & 1)
            slots[filled[holding], holding] = message
            filled[holding] += 1
        return list(slots)

    def pack(self, locals_: list[Array], slots: list[Array], outer: Array | int) -> Array:
        """The numbers of states, given by their parts."""
        keys: Array = np.full(len(locals_[0]), 0, np.int64) | outer << self.outer_shift
        for numbers, shift in zip(locals_, self.shifts, strict=True):
            keys |= numbers.astype(np.int64) << shift
        return self.pack_slots(keys, slots)

    def bare(self, keys: Array) -> Array:
        """States without their messages."""
        bare: Array = keys >> self.message_bits << self.message_bits
        return bare

    def pack_slots(self, bare: Array, slots: list[Array]) -> Array:
        """States, given without messages, and the messages in descending order; missing slots are empty."""
        packed = np.zeros(len(bare), np.int64)
        if self.members:
            for numbers in slots:
                packed |= np.left_shift(1, numbers, dtype=np.int64) >> 1
            return bare | packed
        for numbers in slots:
            packed <<= self.slot_bits
            packed |= numbers
        keys: Array = bare | packed << self.slot_bits * (self.slots - len(slots))
        return keys

    def recode(self, keys: Array, older: "Layout") -> Array:
        """States that were packed by an older layout, packed by this one."""
        states = older.unpack(keys)
        return self.pack(states.locals, states.slots, states.outer)


def bits_for(values: int) -> int:
    """The number of bits that distinguishes so many values."""
    return max(1, (values - 1).bit_length())


def fitting(tables: Numbering, older: Layout | None = None) -> Layout:
    """A layout for the contents of the tables: the older one if it still fits, else one that is wide enough.

    Raises TooWideError if there is none.
    """
    local_bits = [bits_for(len(node.values)) for node in tables.nodes]
    slots, members, outer_bits = tables.slots, len(tables.messages) - 1, tables.outer.bits
    slot_bits = bits_for(members + 1)
    if older is not None:
        wide = all(new <= old for new, old in zip(local_bits, older.local_bits, strict=True))
        if wide and slot_bits <= older.slot_bits and slots <= older.slots and (members <= (older.members or members)):
            return older
        local_bits = [max(new, old) for new, old in zip(local_bits, older.local_bits, strict=True)]
        slots, slot_bits, outer_bits = max(slots, older.slots), max(slot_bits, older.slot_bits), older.outer_bits
        if older.members:
            return Layout(local_bits, slots, slot_bits, outer_bits, members)
    # Slots are faster, since they need not be listed from bits and back.
    try:
        return Layout(local_bits, slots, slot_bits, outer_bits)
    except TooWideError:
        if not tables.in_sets or members >= slots * slot_bits:
            raise
        return Layout(local_bits, slots, slot_bits, outer_bits, members)
