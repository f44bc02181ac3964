"""Dijkstra's ring of machines with three states each.

Source: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974
"""

from itertools import product

from gomboc.spec.core.model import Kind, Model, Promise
from gomboc.spec.core.shared_memory import Counted, Machine, SharedMemory

State = tuple[int, ...]
Move = tuple[int, str]
"""A machine, and the one that it reads: a machine between two others may be privileged twice."""


def privileges(ring: State) -> tuple[Move, ...]:
    """Every privilege in the ring: that of the bottom machine, those of the ones between, that of the top machine."""
    top = len(ring) - 1
    moves: list[Move] = [(0, "right")] if (ring[0] + 1) % 3 == ring[1] else []
    for machine in range(1, top):
        later = (ring[machine] + 1) % 3
        moves += [(machine, "left")] if later == ring[machine - 1] else []
        moves += [(machine, "right")] if later == ring[machine + 1] else []
    if ring[top - 1] == ring[0] and (ring[top - 1] + 1) % 3 != ring[top]:
        moves.append((top, "left"))
    return tuple(moves)


def move(ring: State, chosen: Move) -> State:
    """The ring after the machine's move."""
    machine = chosen[0]
    if machine == 0:
        value = (ring[0] - 1) % 3
    elif machine == len(ring) - 1:
        value = (ring[machine - 1] + 1) % 3
    else:
        value = (ring[machine] + 1) % 3
    return (*ring[:machine], value, *ring[machine + 1 :])


def three_state_ring(machines: int) -> Model:
    """That many machines under a central daemon."""

    def circulates(ring: State) -> bool:
        return len({machine for machine, _ in privileges(ring)}) == 1

    return Model(
        name="three_state_ring",
        initial=lambda: product(range(3), repeat=machines),
        enabled=privileges,
        step=move,
        actor=lambda chosen: f"m{chosen[0]}",
        promises=(
            Promise(Kind.STABLE, "closure", circulates, "Dijkstra 1974"),
            Promise(Kind.EVENTUALLY, "convergence", circulates, "Dijkstra 1974"),
        ),
    )


def three_state_ring_in_memory(machines: int) -> SharedMemory:
    """The same ring, stated machine by machine."""
    top = machines - 1

    def bottom(own: int, right: int) -> dict[str, int]:
        return {"right": (own - 1) % 3} if (own + 1) % 3 == right else {}

    def between(own: int, left: int, right: int) -> dict[str, int]:
        later = (own + 1) % 3
        return {side: later for side, seen in (("left", left), ("right", right)) if seen == later}

    def last(own: int, left: int, first: int) -> dict[str, int]:
        return {"left": (left + 1) % 3} if left == first and (left + 1) % 3 != own else {}

    inner = (Machine(f"m{n}", (0, 1, 2), (f"m{n - 1}", f"m{n + 1}"), between) for n in range(1, top))
    return SharedMemory(
        "three_state_ring",
        (Machine("m0", (0, 1, 2), ("m1",), bottom), *inner, Machine(f"m{top}", (0, 1, 2), (f"m{top - 1}", "m0"), last)),
        (
            Counted(Kind.STABLE, "closure", lambda privileged: privileged == 1, "Dijkstra 1974"),
            Counted(Kind.EVENTUALLY, "convergence", lambda privileged: privileged == 1, "Dijkstra 1974"),
        ),
    )
