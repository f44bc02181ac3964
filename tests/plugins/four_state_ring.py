"""Dijkstra's line of machines with four states each.

Source: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974
"""

from itertools import product

from gomboc.spec.core.model import Kind, Model, Promise
from gomboc.spec.core.shared_memory import Counted, SharedMemory
from gomboc.spec.core.shared_memory import Machine as Stated

Machine = tuple[bool, bool]
"""The variables x and up; up is fixed to true at the bottom and to false at the top."""
State = tuple[Machine, ...]
Move = tuple[int, str]


def privileges(line: State) -> tuple[Move, ...]:
    """Every privilege in the line."""
    top = len(line) - 1
    moves: list[Move] = [(0, "right")] if line[0][0] == line[1][0] and not line[1][1] else []
    for machine in range(1, top):
        (x, up), after = line[machine], line[machine + 1]
        moves += [(machine, "left")] if x != line[machine - 1][0] else []
        moves += [(machine, "right")] if x == after[0] and up and not after[1] else []
    return (*moves, (top, "left")) if line[top][0] != line[top - 1][0] else tuple(moves)


def move(line: State, chosen: Move) -> State:
    """The line after the machine's move."""
    machine, side = chosen
    x, up = line[machine]
    from_the_left = (not x, True) if side == "left" else (x, False)
    after = (not x, up) if machine in (0, len(line) - 1) else from_the_left
    return (*line[:machine], after, *line[machine + 1 :])


def starts(machines: int) -> list[State]:
    """Every state of the line."""
    bits = (False, True)
    between = product(product(bits, bits), repeat=machines - 2)
    return [((x, True), *inner, (y, False)) for inner in between for x in bits for y in bits]


def four_state_ring(machines: int) -> Model:
    """That many machines under a central daemon."""

    def circulates(line: State) -> bool:
        return len({machine for machine, _ in privileges(line)}) == 1

    return Model(
        name="four_state_ring",
        initial=lambda: starts(machines),
        enabled=privileges,
        step=move,
        actor=lambda chosen: f"m{chosen[0]}",
        promises=(
            Promise(Kind.STABLE, "closure", circulates, "Dijkstra 1974"),
            Promise(Kind.EVENTUALLY, "convergence", circulates, "Dijkstra 1974"),
        ),
    )


def four_state_ring_in_memory(machines: int) -> SharedMemory:
    """The same line, stated machine by machine."""
    top, bits = machines - 1, (False, True)

    def bottom(own: Machine, right: Machine) -> dict[str, Machine]:
        return {"right": (not own[0], own[1])} if own[0] == right[0] and not right[1] else {}

    def between(own: Machine, left: Machine, right: Machine) -> dict[str, Machine]:
        result = {"left": (not own[0], True)} if own[0] != left[0] else {}
        return result | ({"right": (own[0], False)} if own[0] == right[0] and own[1] and not right[1] else {})

    def last(own: Machine, left: Machine) -> dict[str, Machine]:
        return {"left": (not own[0], own[1])} if own[0] != left[0] else {}

    inner = (Stated(f"m{n}", tuple(product(bits, bits)), (f"m{n - 1}", f"m{n + 1}"), between) for n in range(1, top))
    return SharedMemory(
        "four_state_ring",
        (
            Stated("m0", tuple((x, True) for x in bits), ("m1",), bottom),
            *inner,
            Stated(f"m{top}", tuple((x, False) for x in bits), (f"m{top - 1}",), last),
        ),
        (
            Counted(Kind.STABLE, "closure", lambda privileged: privileged == 1, "Dijkstra 1974"),
            Counted(Kind.EVENTUALLY, "convergence", lambda privileged: privileged == 1, "Dijkstra 1974"),
        ),
    )
