"""Claims on rings that no node leaves: joins, their cost, the spread of keys, and points that the texts leave open."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import log2

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.chord.experiments.joins import all_joins, cycle_of_all, keys_of_busiest, messages_of_a_join
from gomboc.checker.evidence.chord.experiments.routing import is_right, ours, way
from gomboc.checker.evidence.chord.experiments.scenes import becomes_right, protocol
from gomboc.spec.protocols.chord.legitimacy import owner, right_state
from gomboc.spec.protocols.chord.models import ONE, small
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import Node

SIZES = (8, 64, 512)
NODES, ROUNDS, JOINERS, KEYS = 4, 12, 10, 100


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


def load() -> Evidence:
    """How many keys the member with the most owns, by the mean."""
    most = [keys_of_busiest(nodes, KEYS * nodes) / KEYS for nodes in SIZES]
    return Evidence(
        settled(all(load <= 1 + log2(nodes) for load, nodes in zip(most, SIZES, strict=True))),
        {"sizes": [*SIZES], "keys": KEYS, "most": [f"{load:.1f}" for load in most]},
        {"it is more than twice the mean in each": min(most) > 2},
    )


def loops_are_undone() -> Evidence:
    """The ring of three members with successors that go around backwards."""
    names = names_of(ONE.circle, 3)
    backwards = {name: Node("inside", None, (names[at - 1],)) for at, name in enumerate(names)}
    return Evidence(settled(becomes_right(protocol(ONE), backwards, 40)), {})


def drawn_tables() -> Evidence:
    """Every right ring on a circle of eight places: its fingers, and all lookups."""
    parameters = Parameters(3, "number", 2)
    looked = list(_lookups(parameters))
    return Evidence(settled(all(looked)), {"lookups": len(looked)})


def _lookups(parameters: Parameters) -> Iterator[bool]:
    names = names_of(small(3, 2).circle, 8)
    for members in (chosen for size in range(1, 9) for chosen in combinations(names, size)):
        ring = {name: right_state(parameters, members, name) for name in members}
        points = partial(owner, parameters.circle, members)
        yield all(
            finger == points(parameters.circle.target(name, number))
            for name, local in ring.items()
            for number, finger in local.fingers
        )
        for name in members:
            for position in range(8):
                yield is_right(parameters, ring, position, way(parameters, ring, name, position, ours))
