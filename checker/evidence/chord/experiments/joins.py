"""Rings that nodes join and none leaves: the states that joins lead to, the cost of a join, and the load of keys."""

from collections import Counter
from hashlib import sha256

from gomboc.checker.evidence.chord.experiments.claimed import at_most_one_ring, rings
from gomboc.checker.evidence.chord.experiments.machine import System, alone, zave
from gomboc.checker.evidence.chord.experiments.routing import Ring, hashed, ours, way
from gomboc.spec.protocols.chord.legitimacy import anchor, owner, right_state
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import names_of


def all_joins(nodes: int) -> tuple[System, ...]:
    """Every state that so many nodes reach from node 0 alone by joining and stabilizing.

    Second successors are left out: without failures none becomes the first.
    """
    reached = {alone(nodes): None}
    layer = list(reached)
    while layer:
        following = [
            to
            for system in layer
            for event, to in zave(checks=True).steps(system)
            if not event.endswith((" fails", " reconciles"))
        ]
        layer = [system for system in dict.fromkeys(following) if system not in reached]
        reached.update(dict.fromkeys(layer))
    return tuple(reached)


def is_cycle_of_all(system: System) -> bool:
    """Whether the first successors form one cycle, of all members."""
    return at_most_one_ring(system) and any(len(ring) == len(system.members()) for ring in rings(system))


def cycle_of_all(system: System, most: int) -> int | None:
    """The rounds after which the first successors form a cycle of all members; None if so many do not suffice."""
    for count in range(most + 1):
        if is_cycle_of_all(system):
            return count
        system = a_round(system)
    return None


def a_round(system: System) -> System:
    """Each member stabilizes, in the order of numbers, and each notice is taken at once."""
    machine = zave(checks=True)
    for name in system.members():
        system = machine.after(system, f"{name} stabilizes") or system
        for notified, by in sorted(system.notices):
            system = machine.after(system, f"{notified} is notified by {by}") or system
    return system


def messages_of_a_join(nodes: int, joiners: int) -> float:
    """Mean number of hops of the lookups of a joiner's fingers, and of the fingers that are to point to it."""
    parameters, before = hashed(nodes)
    new = [name for name in names_of(parameters.circle, nodes + joiners) if name not in before]
    return sum(_messages(parameters, before, name) for name in new) / len(new)


def _messages(parameters: Parameters, before: Ring, joiner: str) -> int:
    members = anchor(parameters, dict.fromkeys((*before, joiner), True))
    mine = right_state(parameters, members, joiner)
    ring = {**before, joiner: mine}
    looked_up = [(joiner, number) for number, _ in mine.fingers]
    for name, local in before.items():
        known = dict(local.fingers)
        looked_up += [(name, number) for number in known if _owner(parameters, members, name, number) == joiner]
    # Lookups go over the ring as it was, but for the joiner's own state.
    ways = [way(parameters, ring, name, parameters.circle.target(name, number), ours) for name, number in looked_up]
    return sum(len(route) - 1 for route in ways if route)


def _owner(parameters: Parameters, members: tuple[str, ...], name: str, number: int) -> str:
    return owner(parameters.circle, members, parameters.circle.target(name, number))


def keys_of_busiest(nodes: int, keys: int) -> int:
    """The number of keys of the member that owns the most, of so many hashed keys."""
    parameters, ring = hashed(nodes)
    places = (int.from_bytes(sha256(f"key {number}".encode()).digest(), "big") for number in range(keys))
    members = tuple(ring)
    owned = Counter(owner(parameters.circle, members, position % parameters.circle.size()) for position in places)
    return max(owned.values())
