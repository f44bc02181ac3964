"""Dijkstra's line of machines with four states each.

Source: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974
"""

from itertools import product

from spec.model import Kind, Model, Promise

Machine = tuple[bool, bool]
"""The variables x and up; up is fixed to true at the bottom and to false at the top."""
State = tuple[Machine, ...]
Move = tuple[int, str]


def privileges(line: State) -> tuple[Move, ...]:
    """Every privilege in the line."""
    top = len(line) - 1
    found: list[Move] = [(0, "right")] if line[0][0] == line[1][0] and not line[1][1] else []
    for machine in range(1, top):
        (x, up), after = line[machine], line[machine + 1]
        found += [(machine, "left")] if x != line[machine - 1][0] else []
        found += [(machine, "right")] if x == after[0] and up and not after[1] else []
    return (*found, (top, "left")) if line[top][0] != line[top - 1][0] else tuple(found)


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
