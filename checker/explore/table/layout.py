"""A global state as one number: a field for each node's local state, and one for each message in flight."""

import numpy as np

from gomboc.checker.explore.table.tables import Array, Tables

# A state is a signed 64-bit number: negative numbers are left for BEYOND, and comparisons stay native.
MOST_BITS = 63


class TooWideError(Exception):
    """A state no longer fits into one number."""


class Layout:
    """The bit fields of a state. Messages are in descending order, so that equal contents are equal numbers.

    Fields only ever get wider, and slots are only added at the end: that keeps the order of states. On top are
    `outer_bits` that never change their width: budgets, and a bit for each observer that has found a fault.
    """

    def __init__(self, local_bits: list[int], slots: int, slot_bits: int, outer_bits: int = 0) -> None:
        self.local_bits = local_bits
        self.slots = slots
        self.slot_bits = slot_bits
        self.outer_bits = outer_bits
        self.message_bits = slots * slot_bits
        self.outer_shift = sum(local_bits) + self.message_bits
        if self.outer_shift + outer_bits > MOST_BITS:
            bits = self.outer_shift + outer_bits
            remedy = "if a value grows without bound, bound it in the model; else take a smaller model"
            needed = f"a state needs {bits} bits, and the table-driven explorer has {MOST_BITS}"
            raise TooWideError(f"{needed}: {remedy}")
        # Local states stand above the messages, so that a step changes them by one addition (`Expander._after`).
        shifts, shift = [], self.message_bits
        for bits in reversed(local_bits):
            shifts.append(shift)
            shift += bits
        self.shifts = shifts[::-1]
        # Half the memory traffic of the hottest arrays; most instances have fewer than 65,536 messages.
        self.slot_type = np.uint16 if slot_bits <= 16 else np.uint32

    def unpack(self, keys: Array) -> tuple[list[Array], list[Array]]:
        """The numbers of the local states, node by node, and of the messages, slot by slot."""
        locals_ = [
            ((keys >> shift) & ((1 << bits) - 1)).astype(np.int32)
            for shift, bits in zip(self.shifts, self.local_bits, strict=True)
        ]
        mask = (1 << self.slot_bits) - 1
        shifts = [self.slot_bits * (self.slots - 1 - slot) for slot in range(self.slots)]
        return locals_, [((keys >> shift_of_slot) & mask).astype(self.slot_type) for shift_of_slot in shifts]

    def outer(self, keys: Array) -> Array:
        """The part on top of the states."""
        return keys >> self.outer_shift

    def pack_locals(self, locals_: list[Array]) -> Array:
        """The part of the states that contains the local states."""
        keys = np.zeros(len(locals_[0]), np.int64)
        for numbers, shift in zip(locals_, self.shifts, strict=True):
            keys |= numbers.astype(np.int64) << shift
        return keys

    def pack_slots(self, keys: Array, slots: list[Array]) -> Array:
        """States, given the part of the local states, and the messages in descending order."""
        packed = np.zeros(len(keys), np.int64)
        for numbers in slots:
            packed <<= self.slot_bits
            packed |= numbers
        return keys | packed

    def recode(self, keys: Array, older: "Layout") -> Array:
        """States that were packed by an older layout, packed by this one."""
        locals_, slots = older.unpack(keys)
        slots = [slot.astype(self.slot_type) for slot in slots]
        slots += [np.zeros(len(keys), self.slot_type) for _ in range(self.slots - older.slots)]
        packed: Array = self.pack_slots(self.pack_locals(locals_), slots) | older.outer(keys) << self.outer_shift
        return packed


def bits_for(values: int) -> int:
    """The number of bits that distinguishes so many values."""
    return max(1, (values - 1).bit_length())


def fitting(tables: Tables, older: Layout | None = None) -> Layout:
    """A layout for the contents of the tables: the older one if it still fits, else one that is wide enough."""
    slots = tables.slots
    local_bits = [bits_for(len(values)) for values in tables.locals]
    slot_bits = bits_for(len(tables.messages))
    if older is None:
        return Layout(local_bits, slots, slot_bits, tables.outer.bits)
    wide = all(new <= old for new, old in zip(local_bits, older.local_bits, strict=True))
    if wide and slot_bits <= older.slot_bits and slots <= older.slots:
        return older
    local_bits = [max(new, old) for new, old in zip(local_bits, older.local_bits, strict=True)]
    return Layout(local_bits, max(slots, older.slots), max(slot_bits, older.slot_bits), older.outer_bits)
