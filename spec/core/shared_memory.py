"""Machines with shared memory: each has a value, sees the values of some others, and may start with any value."""

from collections.abc import Callable, Hashable, Mapping
from itertools import product
from typing import Any

import msgspec

from gomboc.spec.core.model import Kind, Model, Promise

State = tuple[Any, ...]
"""The value of each machine, in the order of the machines."""


class Machine(msgspec.Struct, frozen=True):
    """One machine: its name, its possible values, and the other machines that it sees.

    `moves(own, *seen)` is pure: the moves that it may take, by name, each with the value that it then has. `seen` are
    the values of the machines named in `sees`, in that order. The moves keep the order of the returned mapping.
    """

    name: str
    values: tuple[Hashable, ...]
    sees: tuple[str, ...]
    moves: Callable[..., Mapping[str, Any]]


class Moved(msgspec.Struct, frozen=True):
    """The action of a machine: its name, and that of the move."""

    machine: str
    move: str


def privileged(machine: Machine, own: Any, *seen: Any) -> int:
    """1 for a machine that may move, and 0 for any other."""
    return int(bool(machine.moves(own, *seen)))


class Counted(msgspec.Struct, frozen=True):
    """A promise over a sum: `counts(machine, own, *seen)`, summed over all machines.

    `holds(total)` decides about the sum. By default the privileged machines are counted.
    """

    kind: Kind
    name: str
    holds: Callable[[int], bool]
    source: str
    counts: Callable[..., int] = privileged


class SharedMemory(msgspec.Struct, frozen=True):
    """Machines that move one at a time, from any combination of their values, and the promises about them."""

    name: str
    machines: tuple[Machine, ...]
    promises: tuple[Counted, ...]

    def places(self, machine: Machine) -> tuple[int, ...]:
        """The indices in a state of a machine's value and of the values that it sees."""
        names = [other.name for other in self.machines]
        return tuple(names.index(name) for name in (machine.name, *machine.sees))

    def misstated(self) -> str:
        """The first mistake in the names or values, in words; "" if there is none."""
        names = [machine.name for machine in self.machines]
        if len(set(names)) < len(names):
            return "has two machines of one name"
        for machine in self.machines:
            if len(set(machine.values)) < len(machine.values):
                return f"has a machine {machine.name} with a value that stands there twice"
            if len({machine.name, *machine.sees}) <= len(machine.sees):
                return f"has a machine {machine.name} that sees itself, or another one twice"
            unknown = next((name for name in machine.sees if name not in names), None)
            if unknown is not None:
                return f"has a machine {machine.name} that sees {unknown}, and there is none of that name"
        return ""


def model_of(memory: SharedMemory) -> Model:
    """The transition system of these machines: its states are tuples, its actions are `Moved`."""
    seats = tuple((machine, memory.places(machine)) for machine in memory.machines)
    by_name = {machine.name: (machine, places) for machine, places in seats}

    def enabled(state: State) -> tuple[Moved, ...]:
        return tuple(
            Moved(machine.name, move)
            for machine, places in seats
            for move in machine.moves(*(state[index] for index in places))
        )

    def step(state: State, action: Moved) -> State:
        machine, places = by_name[action.machine]
        value = machine.moves(*(state[index] for index in places))[action.move]
        return (*state[: places[0]], value, *state[places[0] + 1 :])

    def holding(promise: Counted) -> Callable[[State], bool]:
        def holds(state: State) -> bool:
            counts = promise.counts
            return promise.holds(sum(counts(machine, *(state[at] for at in places)) for machine, places in seats))

        return holds

    return Model(
        memory.name,
        lambda: product(*(machine.values for machine in memory.machines)),
        enabled,
        step,
        lambda action: action.machine,
        tuple(Promise(stated.kind, stated.name, holding(stated), stated.source) for stated in memory.promises),
    )
