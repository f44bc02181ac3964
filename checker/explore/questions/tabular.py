"""Features that array-driven explorers support; importable without the packages that they need."""

from math import prod

from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.questions.rounds import is_by_rounds
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.core.shared_memory import SharedMemory

MOST = 1 << 31
"""Exclusive bound on the number of states."""

WIDEST = 32
"""Maximal number of machines: an array has no more axes."""


def why_not_tables(instance: Instance) -> str:
    """The property of an instance that the table-driven explorer does not support, as text; empty if there is none."""
    protocol = instance.protocol
    if protocol.discipline is Discipline.FIFO:
        return "knows no channels that keep an order"
    if protocol.discipline is Discipline.ROUNDS and not protocol.actor.commuting:
        return f"takes whole rounds as single steps, and the receipts of {protocol.name} do not commute"
    if instance.most is not None and instance.in_flight > instance.most:
        return f"holds no start with more than {counted(instance.most, 'message')} in flight, the bound of the instance"
    if not instance.coalesce and instance.in_flight > instance.copies:
        copies = counted(instance.copies, "copy", "copies")
        return f"holds no start with more than {copies} of the same message, the bound of the instance"
    if any(observer.whole for observer in protocol.promises.observers):
        return "knows no promise over what all nodes together deliver"
    if len(instance.alike) < 2:
        return ""
    if is_by_rounds(instance):
        return "takes no two nodes for alike where a step is a whole round"
    if protocol.promises.always or protocol.promises.observers or instance.budget:
        return f"takes no two nodes for alike, since {protocol.name} states more than steps and legitimacy"
    return ""


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
