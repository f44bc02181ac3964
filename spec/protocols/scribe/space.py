"""Starts of Scribe: any variables and messages over right routes, and a right tree."""

from collections.abc import Callable

from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, optional, pair, several, subset
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import every_start, started
from gomboc.spec.protocols.scribe.legitimacy import right_tree
from gomboc.spec.protocols.scribe.parameters import Parameters
from gomboc.spec.protocols.scribe.state import (
    BLANK,
    BROADCAST,
    TREE,
    Acknowledge,
    Child,
    Heartbeat,
    Id,
    Leave,
    Method,
    MethodReply,
    MethodRequest,
    Node,
    Publish,
    Request,
    Submit,
    Subscribe,
    id_of,
    top_ids,
)
from gomboc.spec.publishing.holdings import any_publication, stores, universe
from gomboc.spec.publishing.publications import Publication

ROLE = "node"

Names = tuple[str, ...]
Routes = dict[str, str | None]
Shape = Callable[[int], int]
"""The shape of a tree: the place above each place; 0 is the owner's."""


def star(_place: int) -> int:
    """Every node is next to the owner."""
    return 0


def chain(place: int) -> int:
    """Each node is next to the one before."""
    return max(0, place - 1)


def heap(place: int) -> int:
    """Two nodes are below each one."""
    return max(0, (place - 1) // 2)


SHAPES: tuple[Shape, ...] = (heap, chain, star)


def names(nodes: int) -> Names:
    """The names of that many nodes, ascending."""
    return tuple(f"n{number:03d}" for number in range(nodes))


def routes(nodes: Names, shape: Shape, owner: int) -> Routes:
    """The next hop of each node, in a tree of that shape under the node with that number."""
    placed = (*nodes[owner:], *nodes[:owner])
    return dict(sorted((node, placed[shape(place)]) for place, node in enumerate(placed)))


def space(size: Size, parameters: Parameters) -> Domain:
    """Every start of that many nodes over right routes, and of nodes outside: all variables, and messages in flight."""
    inside, every = names(size.nodes), names(size.nodes + size.outside)
    valid = universe(inside, size.publications, parameters)
    shapes = SHAPES if size.nodes > 2 else SHAPES[:1]
    return Union(
        tuple(
            _over(parameters, routes(inside, shape, owner), every, valid, size.messages)
            for shape in shapes
            for owner in range(size.nodes)
        )
    )


def _over(parameters: Parameters, hops: Routes, every: Names, valid: tuple[Publication, ...], messages: int) -> Domain:
    states = [node(parameters, me, hops[me], tuple(hops), valid) if me in hops else OneOf((BLANK,)) for me in every]
    in_flight = Bag(any_message(parameters, tuple(hops), valid), messages)
    return every_start(tuple((name, ROLE) for name in every), states, in_flight)


def node(parameters: Parameters, me: str, hop: str | None, nodes: Names, valid: tuple[Publication, ...]) -> Domain:
    """Every first state of a node with that route."""
    others = tuple(name for name in nodes if name != me)
    own = tuple(sorted(item.key for item in valid if item.publisher == me))
    keys = tuple(sorted(item.key for item in valid))
    cursor = optional(OneOf(keys)) if keys else OneOf((None,))
    holding = stores(valid, nodes) if valid else OneOf(((),))
    ids = Record(lambda some: top_ids(some, parameters.keep), (subset(tuple(sorted(map(id_of, valid)))),))

    def build(*fields: object) -> Node:
        return Node(fields[0], hop, *fields[1:])  # type: ignore[arg-type]

    return Record(
        build,
        (
            OneOf((True, False)),
            optional(OneOf(others)) if others else OneOf((None,)),
            Table(Child, others, OneOf((1, 0, 2, 7)), min(3, len(others))),
            holding,
            subset(own),
            ids if parameters.keep is None else OneOf(((),)),
            cursor,
            subset(keys, 2),
            OneOf(_methods(parameters)),
        ),
    )


def _methods(parameters: Parameters) -> tuple[Method, ...]:
    return (TREE,) if parameters.high is None else (TREE, BROADCAST)


def any_message(parameters: Parameters, nodes: Names, valid: tuple[Publication, ...]) -> Domain:
    """Every message, with its target, but no false report of a crash."""
    name = OneOf(nodes)
    keys = subset(tuple(sorted(item.key for item in valid)), min(2, parameters.chunk))
    kinds: list[Domain] = [
        Record(Subscribe, (name, OneOf((1, 0, 2, 7)), keys)),
        Record(Leave, (name,)),
        Record(Heartbeat, (name, keys)),
    ]
    if valid:
        item = any_publication(valid, nodes)
        kinds += [
            pair(lambda sender, one: Publish(sender, (one,)), name, item),
            Record(Request, (name, keys)),
            Record(Submit, (item,)),
            Record(Acknowledge, (OneOf(tuple(one.key for one in valid)),)),
        ]
    if parameters.high is not None:
        kinds += [Record(MethodRequest, (name,)), Record(MethodReply, (OneOf(_methods(parameters)),))]
    return several(name, Union(tuple(kinds)))


def start(nodes: int, parameters: Parameters) -> Start:
    """The tree of that many subscribers, without publications."""
    every = names(nodes)
    states = tree(routes(every, heap, 0), every)
    if parameters.high is not None and nodes >= parameters.high:
        states[every[0]] = replace(states[every[0]], method=BROADCAST)
    return started(ROLE, states)


def tree(hops: Routes, wants: Names, held: tuple[Publication, ...] = ()) -> dict[str, Node]:
    """The states of the right tree over those routes, in which all hold and subscribers got those publications."""
    right = right_tree(tuple(sorted(hops.items())), wants)
    delivered = tuple(sorted(Id(item.publisher, item.number) for item in held))
    states = {}
    for me, hop in hops.items():
        inside = me in right
        states[me] = Node(
            me in wants,
            hop,
            hop if inside and hop != me else None,
            right.get(me, ()),
            held if inside else (),
            (),
            delivered if me in wants else (),
        )
    return states


def bound(nodes: int, parameters: Parameters) -> int:
    """Rounds after which a run that is not legitimate is called divergent, with no more than 64 publications.

    Counts go up one edge in a round; a publication goes up and down, when it is named; leavers hand over one after
    another.
    """
    return 20 + 6 * nodes * -(-64 // parameters.chunk)
