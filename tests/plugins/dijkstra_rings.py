"""Dijkstra's rings: that of K states, as a model and as a shared memory, and those of three and of four states.

Source: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974
"""

from itertools import product

from gomboc.spec.core.model import Kind, Model, Promise
from gomboc.spec.core.shared_memory import Counted, Machine, SharedMemory

SOURCE = "Dijkstra 1974"

State = tuple[int, ...]
"""The counter of each machine, in the order of the ring; the first machine is the exceptional one."""

Bits = tuple[bool, bool]
"""The variables x and up of a machine with four states; up is fixed to true at the bottom and to false at the top."""


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
            Promise(Kind.ALWAYS, "privilege_is_held", is_held, SOURCE),
            Promise(Kind.STABLE, "closure", circulates, SOURCE),
            Promise(Kind.EVENTUALLY, "convergence", circulates, SOURCE),
            Promise(Kind.SOMETIMES, "not_vacuous", circulates, SOURCE),
        ),
    )


def is_one(privileges: int) -> bool:
    """Whether so many privileges are one."""
    return privileges == 1


CONVERGES = (
    Counted(Kind.STABLE, "closure", is_one, SOURCE),
    Counted(Kind.EVENTUALLY, "convergence", is_one, SOURCE),
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
            Counted(Kind.ALWAYS, "privilege_is_held", lambda privileges: privileges > 0, SOURCE),
            *CONVERGES,
            Counted(Kind.SOMETIMES, "not_vacuous", is_one, SOURCE),
        ),
    )


def three_state_ring(machines: int) -> SharedMemory:
    """A ring of machines with three states each; a machine between two others may be privileged twice."""
    top = machines - 1

    def bottom(own: int, right: int) -> dict[str, int]:
        return {"right": (own - 1) % 3} if (own + 1) % 3 == right else {}

    def between(own: int, left: int, right: int) -> dict[str, int]:
        later = (own + 1) % 3
        return {side: later for side, seen in (("left", left), ("right", right)) if seen == later}

    def last(own: int, left: int, first: int) -> dict[str, int]:
        return {"left": (left + 1) % 3} if left == first and (left + 1) % 3 != own else {}

    inner = (Machine(f"m{n}", (0, 1, 2), (f"m{n - 1}", f"m{n + 1}"), between) for n in range(1, top))
    ends = Machine("m0", (0, 1, 2), ("m1",), bottom), Machine(f"m{top}", (0, 1, 2), (f"m{top - 1}", "m0"), last)
    return SharedMemory("three_state_ring", (ends[0], *inner, ends[1]), CONVERGES)


def four_state_ring(machines: int) -> SharedMemory:
    """A line of machines with four states each."""
    top, bits = machines - 1, (False, True)

    def bottom(own: Bits, right: Bits) -> dict[str, Bits]:
        return {"right": (not own[0], own[1])} if own[0] == right[0] and not right[1] else {}

    def between(own: Bits, left: Bits, right: Bits) -> dict[str, Bits]:
        result = {"left": (not own[0], True)} if own[0] != left[0] else {}
        return result | ({"right": (own[0], False)} if own[0] == right[0] and own[1] and not right[1] else {})

    def last(own: Bits, left: Bits) -> dict[str, Bits]:
        return {"left": (not own[0], own[1])} if own[0] != left[0] else {}

    inner = (Machine(f"m{n}", tuple(product(bits, bits)), (f"m{n - 1}", f"m{n + 1}"), between) for n in range(1, top))
    first = Machine("m0", tuple((x, True) for x in bits), ("m1",), bottom)
    final = Machine(f"m{top}", tuple((x, False) for x in bits), (f"m{top - 1}",), last)
    return SharedMemory("four_state_ring", (first, *inner, final), CONVERGES)
