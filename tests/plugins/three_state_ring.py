"""Dijkstra's ring of machines with three states each.

Source: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974
"""

from itertools import product

from spec.model import Kind, Model, Promise

State = tuple[int, ...]
Move = tuple[int, str]
"""A machine, and whom it looks at: a machine between two others may be privileged twice."""


def privileges(ring: State) -> tuple[Move, ...]:
    """Every privilege in the ring: that of the bottom machine, those of the ones between, that of the top machine."""
    top = len(ring) - 1
    found: list[Move] = [(0, "right")] if (ring[0] + 1) % 3 == ring[1] else []
    for machine in range(1, top):
        later = (ring[machine] + 1) % 3
        found += [(machine, "left")] if later == ring[machine - 1] else []
        found += [(machine, "right")] if later == ring[machine + 1] else []
    if ring[top - 1] == ring[0] and (ring[top - 1] + 1) % 3 != ring[top]:
        found.append((top, "left"))
    return tuple(found)


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
