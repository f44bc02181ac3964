"""Experiments on rings that nodes join and none leaves: the states that joins lead to, and the cost of a join."""

from math import log2

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.chord.experiments.claimed import at_most_one_ring, rings
from gomboc.checker.evidence.chord.experiments.machine import System, alone, zave
from gomboc.checker.evidence.chord.experiments.routing import Ring, hashed, ours, way
from gomboc.spec.protocols.chord.legitimacy import anchor, owner, right_state
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import names_of

NODES, ROUNDS, JOINERS = 4, 12, 10
SIZES = (8, 64, 512)


def joins_alone() -> Evidence:
    """Every state that joins and stabilization lead to, and the rounds after it."""
    states = all_joins(NODES)
    rounds = [cycle_of_all(state, ROUNDS) for state in states]
    return Evidence(
        settled(None not in rounds),
        {
            "states": len(states),
            "nodes": NODES,
            "most": max((count for count in rounds if count is not None), default=0),
        },
        {"some states are no cycle of all members yet": any(rounds)},
    )


def cost_of_a_join() -> Evidence:
    """Messages for the fingers that a join makes or changes, by the square of log2 n."""
    shares = [messages_of_a_join(nodes, JOINERS) / log2(nodes) ** 2 for nodes in SIZES]
    return Evidence(
        settled(max(shares) <= 2),
        {"sizes": [*SIZES], "joiners": JOINERS, "shares": [f"{share:.2f}" for share in shares]},
        {"the share does not grow from 64 nodes to 512": shares[2] <= shares[1] * 1.1},
    )


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
