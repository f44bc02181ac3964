"""Limits on the size of a shared memory that is explored with all its states at once."""

from math import prod

from gomboc.checker.core.phrases import counted
from gomboc.spec.core.shared_memory import SharedMemory

MOST = 1 << 31
"""Exclusive bound on the number of states."""

WIDEST = 32
"""Maximal number of machines: an array has no more axes."""


def why_not_columns(memory: SharedMemory, most_states: int | None) -> str:
    """The property of a shared memory that this explorer does not support, as text; empty if there is none."""
    states = prod(len(machine.values) for machine in memory.machines)
    if len(memory.machines) > WIDEST:
        return f"takes {WIDEST} machines at most"
    if states >= MOST:
        return f"numbers fewer than {MOST:,} states, and {memory.name} has {states:,}"
    if most_states is not None and states > most_states:
        return f"takes all {counted(states, 'state')} of {memory.name} or none, and the bound is {most_states:,}"
    return ""
