"""Which shared memory is small enough for all its states to be taken at once."""

from math import prod

from gomboc.checker.words import counted
from gomboc.spec.shared_memory import SharedMemory

MOST = 1 << 31
"""States that are numbered at most."""

WIDEST = 32
"""Machines at most: an array has no more axes."""


def why_not_columns(memory: SharedMemory, most_states: int | None) -> str:
    """What a shared memory has that this explorer does not know, in words; nothing if there is nothing."""
    states = prod(len(machine.values) for machine in memory.machines)
    if len(memory.machines) > WIDEST:
        return f"takes {WIDEST} machines at most"
    if states >= MOST:
        return f"numbers fewer than {MOST:,} states, and {memory.name} has {states:,}"
    if most_states is not None and states > most_states:
        return f"takes all {counted(states, 'state')} of {memory.name} or none, and the bound is {most_states:,}"
    return ""
