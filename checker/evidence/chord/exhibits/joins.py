"""Rings that nodes join and none leaves: the states that joins lead to, what one costs, and who owns how much."""

from collections import Counter
from hashlib import sha256

from gomboc.checker.evidence.chord.exhibits.published import System, at_most_one_ring, rings
from gomboc.checker.evidence.chord.exhibits.routing import Ring, hashed, ours, way
from gomboc.checker.evidence.chord.exhibits.zave import after, alone, steps
from gomboc.spec.chord.legitimacy import anchor, owner, right_state
from gomboc.spec.chord.parameters import Parameters
from gomboc.spec.chord.space import names_of


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
            for event, to in steps(system, checks=True)
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
    for name in system.members():
        system = after(system, f"{name} stabilizes", checks=True) or system
        for told, by in sorted(system.notices):
            system = after(system, f"{told} is notified by {by}", checks=True) or system
    return system


def messages_of_a_join(nodes: int, joiners: int) -> float:
    """The mean number of hops that lookups take of the fingers of a joiner, and of those that are to point to it."""
    given, before = hashed(nodes)
    new = [name for name in names_of(given.circle, nodes + joiners) if name not in before]
    return sum(_messages(given, before, name) for name in new) / len(new)


def _messages(given: Parameters, before: Ring, joiner: str) -> int:
    members = anchor(given, dict.fromkeys((*before, joiner), True))
    mine = right_state(given, members, joiner)
    ring = {**before, joiner: mine}
    looked_up = [(joiner, number) for number, _ in mine.fingers]
    for name, local in before.items():
        known = dict(local.fingers)
        looked_up += [(name, number) for number in known if _owner(given, members, name, number) == joiner]
    # Lookups go over the ring as it was, but for the joiner's own state.
    ways = [way(given, ring, name, given.circle.target(name, number), ours) for name, number in looked_up]
    return sum(len(each) - 1 for each in ways if each)


def _owner(given: Parameters, members: tuple[str, ...], name: str, number: int) -> str:
    return owner(given.circle, members, given.circle.target(name, number))


def keys_of_busiest(nodes: int, keys: int) -> int:
    """How many of so many hashed keys the member owns that owns the most."""
    given, ring = hashed(nodes)
    places = (int.from_bytes(sha256(f"key {number}".encode()).digest(), "big") for number in range(keys))
    members = tuple(ring)
    owned = Counter(owner(given.circle, members, place % given.circle.size()) for place in places)
    return max(owned.values())
