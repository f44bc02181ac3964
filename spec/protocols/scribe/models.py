"""Small trees that are explored completely: the starts and expected results of each.

Each claim is bounded as its instance says. The records were made by `gomboc explore scribe --recorded`.
"""

from collections.abc import Iterator, Mapping
from itertools import chain as joined
from itertools import combinations, product

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import NO_MESSAGE, Instance, instance_of
from gomboc.spec.core.pinned import Pinned
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.scribe import configured
from gomboc.spec.protocols.scribe.space import Names, Routes, Shape, chain, names, routes, star, tree
from gomboc.spec.protocols.scribe.state import Child, Heartbeat, Leave, Node, Subscribe

States = Mapping[str, OneOf]

SMALL = {"key_bits": 1}
"""The parameters of models with at most two publications."""


def trees(states: States, printed: str | None = None, in_flight: int = 0, most: int | None = None, **budget: int) -> Instance:
    """A tree of nodes that start in those domains, with any messages in flight but those of publications."""
    messages = OneOf(tuple(any_edge_message(tuple(states)))) if in_flight else NO_MESSAGE
    return instance_of(variant(configured(SMALL), printed), states, messages, in_flight, most, budget)


def any_edge_message(nodes: Names) -> Iterator[tuple[str, Subscribe | Leave | Heartbeat]]:
    """Every Subscribe of up to two subscribers, Leave and Heartbeat from another node, with its target."""
    for target, sender in product(nodes, nodes):
        if target != sender:
            yield from ((target, Subscribe(sender, count, ())) for count in (0, 1, 2))
            yield target, Leave(sender)
            yield target, Heartbeat(sender, ())


def anything(hops: Routes, counts: tuple[int, ...] = (1,)) -> States:
    """Any wishes, parents and children of nodes with those routes; children have one of those counts."""
    return {name: OneOf(tuple(_any_state(hops, name, counts))) for name in hops}


def _any_state(hops: Routes, me: str, counts: tuple[int, ...]) -> Iterator[Node]:
    others = tuple(name for name in hops if name != me)
    some = joined.from_iterable(combinations(others, size) for size in range(len(others) + 1))
    children = [
        tuple(map(Child, nodes, told)) for nodes in some for told in product(counts, repeat=len(nodes))
    ]
    for wants, parent, those in product((False, True), (None, *others), children):
        yield Node(wants, hops[me], parent, those)


def shaped(shape: Shape, nodes: int) -> Routes:
    """Routes of a tree of that shape under its first node."""
    return routes(names(nodes), shape, 0)


MODELS: tuple[Pinned, ...] = (
    Pinned("star", "n = 3", trees(anything(shaped(star, 3)), most=3), None),
    Pinned("chain", "n = 3", trees(anything(shaped(chain, 3)), most=3), None),
    Pinned("pair", "n = 2, counts", trees(anything(shaped(star, 2), (0, 1, 2)), in_flight=1), None),
    Pinned("two", "n = 2, counts", trees(anything(shaped(star, 2), (0, 1, 2)), in_flight=2), None),
    Pinned("move", "n = 3, moves", trees({k: OneOf((v,)) for k, v in tree(shaped(chain, 3), names(3)).items()}, route=1, wish=1), None),
)
