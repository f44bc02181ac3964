"""Lookups over ideal rings: our next hops, and those of the report."""

from collections.abc import Callable
from functools import cache
from random import Random

import msgspec
from msgspec.structs import replace

from gomboc.spec.protocols.chord.legitimacy import anchor, owner, right_state
from gomboc.spec.protocols.chord.names import Circle, between
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.routing import owns, route
from gomboc.spec.protocols.chord.space import names_of
from gomboc.spec.protocols.chord.state import Node

Ring = dict[str, Node]
Next = Callable[[Circle, str, Node, int], str | None]
"""The next hop from a node towards a place: the node itself at the owner."""


@cache
def hashed(nodes: int, r: int = 3) -> tuple[Parameters, Ring]:
    """The ideal ring of that many nodes with hashed names."""
    parameters = Parameters(r=r)
    members = anchor(parameters, dict.fromkeys(names_of(parameters.circle, nodes), True))
    return parameters, {name: right_state(parameters, members, name) for name in members}


def way(parameters: Parameters, ring: Ring, at: str, position: int, following: Next) -> list[str] | None:
    """The nodes that a lookup passes, from the asker to the owner; None if it never arrives."""
    passed = [at]
    while (hop := following(parameters.circle, at, ring[at], position)) != at:
        if hop is None or hop in passed:
            return None
        passed.append(hop)
        at = hop
    return passed


ours: Next = route
"""Where our rules send a lookup."""


def as_reported(circle: Circle, me: str, local: Node, position: int) -> str:
    """Where the report's routeRequest sends a lookup: to a finger before the key, or else to the node itself.

    Source: Section 2.2.3, closest_preceding_node
    """
    mine = circle.id_of(me)
    if owns(circle, me, local, position):
        return me
    pointed = [name for _, name in reversed(local.fingers) if between(mine, circle.id_of(name), position)]
    return pointed[0] if pointed else me


def fingers_as_reported(parameters: Parameters, ring: Ring) -> Ring:
    """The same ring with fingers to the owners of the identifiers 1, 2, 3, ..., unless the head owns them.

    Source: Section 2.2.3, fix_fingers
    """
    members = tuple(ring)
    circle = parameters.circle
    made = {}
    for name, local in ring.items():
        mine, head = circle.id_of(name), circle.id_of(local.successors[0])
        looked_up = (
            (number, owner(circle, members, number))
            for number in range(1, parameters.bits)
            if not (between(mine, number, head) or number == head)
        )
        made[name] = replace(local, fingers=tuple(finger for finger in looked_up if finger[1] != name))
    return made


class Looked(msgspec.Struct, frozen=True):
    """A random lookup: the hops that it took, and whether it ended at the owner of its place."""

    hops: int
    is_right: bool


def lookups(parameters: Parameters, ring: Ring, count: int, following: Next, seed: int = 1) -> list[Looked]:
    """So many random lookups, each by a random member for a random place. One that never arrives took no hop."""
    random, names = Random(seed), tuple(ring)
    looked = []
    for _ in range(count):
        at, position = random.choice(names), random.randrange(parameters.circle.size())
        passed = way(parameters, ring, at, position, following)
        looked.append(Looked(len(passed or [at]) - 1, is_right(parameters, ring, position, passed)))
    return looked


def mean_hops(looked: list[Looked]) -> float:
    """The mean number of hops."""
    return sum(each.hops for each in looked) / len(looked)


def is_right(parameters: Parameters, ring: Ring, position: int, passed: list[str] | None) -> bool:
    """Whether a lookup has ended at the owner of the place."""
    return passed is not None and passed[-1] == owner(parameters.circle, tuple(ring), position)
