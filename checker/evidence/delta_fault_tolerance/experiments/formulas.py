"""Formulas of the paper, evaluated as printed on every small tree."""

from collections.abc import Iterator
from typing import NamedTuple

from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, path

LARGEST, MOST = 6, 3
"""Brokers of the largest tree, and the greatest delta."""


class Place(NamedTuple):
    """A broker N of a tree, and delta."""

    names: Names
    me: str
    delta: int

    @property
    def near(self) -> frozenset[str]:
        """The brokers that TOP_N covers."""
        return frozenset(name for name in self.names if distance(name, self.me) <= self.delta + 1)

    @property
    def neighbours(self) -> frozenset[str]:
        """The brokers one link away."""
        return frozenset(name for name in self.names if distance(name, self.me) == 1)


def places() -> Iterator[Place]:
    """Every broker of every tree of up to so many brokers, with each delta."""
    for nodes in range(2, LARGEST + 1):
        for names in trees(nodes):
            for delta in range(MOST + 1):
                yield from (Place(names, me, delta) for me in names)


def out(me: str, connections: frozenset[str], recipients: frozenset[str]) -> frozenset[str]:
    """Algorithm 1, line 15: the nearest connections on the paths to the recipients."""

    def is_nearest(one: str) -> bool:
        return all(distance(me, one) <= distance(me, other) for other in connections if other in path(me, one))

    return frozenset(
        one for one in connections if is_nearest(one) and any(lies_on(one, me, target) for target in recipients)
    )


def subscription_recipients(broker: Place, source: str, *, of_source: bool) -> frozenset[str]:
    """RCPT^SUB: the X with N on the path to `source`, and a link in TOP_N: of s.from as printed, or of X."""
    linked = {name for name in broker.near if any(distance(name, other) == 1 for other in broker.near)}
    return frozenset(
        name
        for name in broker.names
        if name != broker.me and lies_on(broker.me, name, source) and (source if of_source else name) in linked
    )


def covered_recipients(broker: Place, source: str) -> frozenset[str]:
    """The sentence below it: the nodes that TOP_N covers with a path to `source` through N."""
    return frozenset(name for name in broker.near if name != broker.me and lies_on(broker.me, name, source))
