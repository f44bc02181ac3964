"""The shortest counterexample of a small instance: breadth first, until something is wrong that stays wrong."""

from collections.abc import Callable

from gomboc.checker.errata.scene import Script, Turn, timeout
from gomboc.spec.core.instance import Instance, bounded_model, starts
from gomboc.spec.core.model import CERTAIN
from gomboc.spec.core.network import Act, World
from gomboc.spec.core.protocol import legitimacy_faults
from gomboc.spec.protocols.delta_fault_tolerance.variables import unanswered

Wrong = Callable[[World], bool]

FEWER = "Every run of this small system with fewer steps, under every schedule."
"""The runs that `shortest` has searched before it returns one."""


def is_stuck(instance: Instance) -> Wrong:
    """Whether nothing is in flight, owed, or asked again any more, and yet not all is right."""
    protocol = instance.protocol

    def stuck(world: World) -> bool:
        states = world.states()
        offers = protocol.environment(states, ())
        waiting = world.channels.in_flight or any(unanswered(local) for local in states.values())
        at_rest = not waiting and not any(offer.owed for offer in offers)
        return at_rest and bool(legitimacy_faults(protocol, states, ()))

    return stuck


def is_broken(name: str) -> Wrong:
    """Whether that promise over histories is broken."""
    return lambda world: name in world.broken


def shortest(instance: Instance, wrong: Wrong) -> tuple[Act, ...] | None:
    """The acts of a shortest run that ends wrong; None if there is none."""
    model = bounded_model(instance)
    (first,) = model.initial()
    before: dict[World, tuple[World, Act] | None] = {first: None}
    frontier: list[World] = [first]
    while frontier:
        fresh: list[World] = []
        for world in frontier:
            for act in model.enabled(world):
                after = model.step(world, act)
                if after in before:
                    continue
                before[after] = world, act
                if wrong(after):
                    return _way(before, after)
                fresh.append(after)
        frontier = fresh
    return None


def _way(before: dict[World, tuple[World, Act] | None], world: World) -> tuple[Act, ...]:
    acts: list[Act] = []
    while (step := before[world]) is not None:
        world, act = step
        acts.append(act)
    return tuple(reversed(acts))


def script(instance: Instance, acts: tuple[Act, ...], rounds: int = 0) -> Script:
    """Those acts as a scene, and so many rounds in which nothing happens: it is judged to be over then."""
    (start,) = starts(instance)
    turns = tuple(Turn(act.node, act.input, act.choice.name) for act in acts)
    idle = tuple(timeout(name, CERTAIN[0].name) for name in instance.names())
    return Script(start, turns + idle * rounds, rounds - 1 if rounds else None)
