"""Dijkstra's K-state token ring, as a model of its own: shared memory, no messages, no machinery of ours but the model.

Source: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974
"""

from itertools import product

from gomboc.spec.core.model import Kind, Model, Promise
from gomboc.spec.core.shared_memory import Counted, Machine, SharedMemory

State = tuple[int, ...]
"""The counter of each machine, in the order of the ring; the first machine is the exceptional one."""


def privileged(counters: State) -> tuple[int, ...]:
    """The machines that may move: the first if it equals the last, any other if it differs from the one before."""
    others = tuple(machine for machine in range(1, len(counters)) if counters[machine] != counters[machine - 1])
    return (0, *others) if counters[0] == counters[-1] else others


def move(counters: State, machine: int, values: int) -> State:
    """The ring after the machine's move: the first counts on, modulo `values`; any other copies the one before."""
    count = counters[machine - 1] if machine else (counters[0] + 1) % values
    return (*counters[:machine], count, *counters[machine + 1 :])


def token_ring(machines: int, values: int) -> Model:
    """That many machines with counters below `values`, under a central daemon: one machine moves at a time."""

    def is_held(counters: State) -> bool:
        return bool(privileged(counters))

    def circulates(counters: State) -> bool:
        return len(privileged(counters)) == 1

    return Model(
        name="token_ring",
        initial=lambda: product(range(values), repeat=machines),
        enabled=privileged,
        step=lambda counters, machine: move(counters, machine, values),
        actor=lambda machine: f"m{machine}",
        promises=(
            Promise(Kind.ALWAYS, "privilege_is_held", is_held, "Dijkstra 1974"),
            Promise(Kind.STABLE, "closure", circulates, "Dijkstra 1974"),
            Promise(Kind.EVENTUALLY, "convergence", circulates, "Dijkstra 1974"),
            Promise(Kind.SOMETIMES, "not_vacuous", circulates, "Dijkstra 1974"),
        ),
    )


def token_ring_in_memory(machines: int, values: int) -> SharedMemory:
    """The same ring, stated machine by machine."""

    def first(own: int, last: int) -> dict[str, int]:
        return {"count": (own + 1) % values} if own == last else {}

    def other(own: int, before: int) -> dict[str, int]:
        return {"copy": before} if own != before else {}

    return SharedMemory(
        "token_ring",
        tuple(
            Machine(f"m{index}", tuple(range(values)), (f"m{(index - 1) % machines}",), other if index else first)
            for index in range(machines)
        ),
        (
            Counted(Kind.ALWAYS, "privilege_is_held", lambda privileges: privileges > 0, "Dijkstra 1974"),
            *(Counted(kind, name, is_one, "Dijkstra 1974") for kind, name in ONE_PRIVILEGE),
        ),
    )


def is_one(privileges: int) -> bool:
    """Whether so many privileges are one."""
    return privileges == 1


ONE_PRIVILEGE = ((Kind.STABLE, "closure"), (Kind.EVENTUALLY, "convergence"), (Kind.SOMETIMES, "not_vacuous"))
"""The promises about the single privilege."""
