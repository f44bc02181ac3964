"""Small trees that are explored completely: the starts. The results are in `models.toml`.

Each claim is bounded as its instance says.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain as joined
from itertools import combinations, permutations, product
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf
from gomboc.spec.core.instance import NO_MESSAGE, Instance, instance_of
from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.core.pinned import read_models
from gomboc.spec.core.promises import Always
from gomboc.spec.core.protocol import variant
from gomboc.spec.protocols.scribe import configured
from gomboc.spec.protocols.scribe.parameters import parameters_of
from gomboc.spec.protocols.scribe.space import Names, Routes, Shape, chain, heap, names, routes, star, tree
from gomboc.spec.protocols.scribe.state import (
    CRASHED,
    Acknowledge,
    Child,
    Heartbeat,
    Id,
    Leave,
    Node,
    Publish,
    Request,
    Submit,
    Subscribe,
)
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Publication

SMALL = {"key_bits": 1}
"""The parameters of models with at most two publications."""

SWITCHED = {**SMALL, "low": 1, "high": 2}

DomainsOfNodes = Mapping[str, OneOf]


def trees(
    states: DomainsOfNodes,
    most: int | None = None,
    messages: Domain = NO_MESSAGE,
    in_flight: int = 0,
    printed: str | None = None,
    parameters: Mapping[str, int] = SMALL,
    **budget: int,
) -> Instance:
    """A tree of nodes that start in those domains; with `printed`, by the rule of that name."""
    return instance_of(variant(configured(parameters), printed), states, messages, in_flight, most, budget)


def any_edge_message(nodes: Names) -> OneOf:
    """Every Subscribe of up to two subscribers, Leave and Heartbeat from another node, with its target."""
    return OneOf(
        tuple(
            (to, message)
            for to, node in permutations(nodes, 2)
            for message in (*(Subscribe(node, count, ()) for count in (0, 1, 2)), Leave(node), Heartbeat(node, ()))
        )
    )


def any_publishing_message(nodes: Names, valid: tuple[Publication, ...]) -> OneOf:
    """Every message of one publication, with its target: along an edge, towards the tree, and acknowledging it."""
    edges = tuple(
        (to, message)
        for to, node in permutations(nodes, 2)
        for item in valid
        for message in (
            Publish(node, (item,)),
            Request(node, (item.key,)),
            Subscribe(node, 1, (item.key,)),
            Heartbeat(node, (item.key,)),
        )
    )
    others = tuple((to, message) for to in nodes for item in valid for message in (Submit(item), Acknowledge(item.key)))
    return OneOf((*edges, *others))


def shaped(shape: Shape, nodes: int) -> Routes:
    """Routes of a tree of that shape under its first node."""
    return routes(names(nodes), shape, 0)


def anything(hops: Routes, counts: tuple[int, ...] = (1,)) -> DomainsOfNodes:
    """Any wishes, parents and children of nodes with those routes; children have one of those counts."""
    return {name: OneOf(tuple(_any_state(hops, name, counts))) for name in hops}


def _any_state(hops: Routes, me: str, counts: tuple[int, ...]) -> Iterator[Node]:
    others = tuple(name for name in hops if name != me)
    some = joined.from_iterable(combinations(others, size) for size in range(len(others) + 1))
    children = [tuple(map(Child, nodes, told)) for nodes in some for told in product(counts, repeat=len(nodes))]
    for wants, parent, those in product((False, True), (None, *others), children):
        yield Node(wants, hops[me], parent, those)


def right(hops: Routes, wants: Names, held: tuple[Publication, ...] = ()) -> DomainsOfNodes:
    """The right tree of those subscribers."""
    return {name: OneOf((local,)) for name, local in tree(hops, wants, held).items()}


def wishes(hops: Routes) -> DomainsOfNodes:
    """A right tree of no subscriber, in which any nodes have just subscribed."""
    return {name: OneOf((Node(False, hop), Node(True, hop))) for name, hop in hops.items()}


def holding(hops: Routes, valid: tuple[Publication, ...], told: tuple[str | None, ...] = (None,)) -> DomainsOfNodes:
    """Nodes without a tree, any of which want, hold any of those publications, and wait for any of their own.

    Of many that they held they have named those up to one of `told`, and any others may be new.
    """
    return {name: OneOf(tuple(_any_holder(hops, name, valid, told))) for name in hops}


def _any_holder(hops: Routes, me: str, valid: tuple[Publication, ...], told: tuple[str | None, ...]) -> Iterator[Node]:
    news = _subsets(tuple(key for key in told if key is not None))
    for wants, held, last, new in product((False, True), _subsets(valid), told, news):
        own = tuple(item.key for item in held if item.publisher == me)
        for pending in _subsets(own):
            yield Node(wants, hops[me], publications=held, pending=pending, told=last, new=new)


def _subsets(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple(joined.from_iterable(combinations(values, size) for size in range(len(values) + 1)))


def left_behind(printed: str | None = None) -> Instance:
    """A chain in which only the last node holds a publication, and its application has just unsubscribed."""
    hops = shaped(chain, 3)
    (item,) = universe(names(1), 1, parameters_of(SMALL))
    states = right(hops, (min(hops), max(hops)))
    leaver = replace(states[max(hops)].values[0], wants=False, publications=(item,), delivered=(Id("n000", 0),))
    return keeping(item, trees({**states, max(hops): OneOf((leaver,))}, 12, printed=printed))


def alone() -> Instance:
    """Two nodes: the owner alone holds a publication, any have just subscribed, and one route moves."""
    hops = shaped(star, 2)
    (item,) = universe(names(1), 1, parameters_of(SMALL))
    states = wishes(hops)
    owner = tuple(replace(local, publications=(item,)) for local in states[min(hops)].values)
    return keeping(item, trees({**states, min(hops): OneOf(owner)}, 8, route=1))


def keeping(item: Publication, instance: Instance) -> Instance:
    """The same with the promise that some node holds that publication in every state."""
    kept = Always(
        "nothing_is_lost", "decided here", partial(lost, item), lambda value: getattr(value, "publications", None)
    )
    return replace(instance, protocol=instance.protocol.changed(always=(kept,)))


def lost(item: Publication, states: States, _in_flight: InFlight) -> tuple[Fault, ...]:
    """A fault if no node holds a publication."""
    held = any(item in local.publications for local in states.values())
    return () if held else (Fault("nothing_is_lost", "", item, (), "decided here"),)


def orphan(printed: str | None = None) -> Instance:
    """A chain whose middle node has crashed: the last node, the only subscriber, is routed to the owner by now."""
    hops = shaped(chain, 3)
    owner, parent, child = hops
    states = right(hops, (child,))
    moved = replace(states[child].values[0], next=owner)
    return trees({**states, parent: OneOf((CRASHED,)), child: OneOf((moved,))}, printed=printed)


def apart() -> DomainsOfNodes:
    """Two nodes that do not subscribe, and take each other for parent and child."""
    hops = shaped(star, 3)
    owner, one, other = hops
    pair = {one: Node(False, owner, other, (Child(other, 1),)), other: Node(False, owner, one, (Child(one, 1),))}
    return {name: OneOf((pair.get(name, Node(False, hop)),)) for name, hop in hops.items()}


def unneeded() -> Instance:
    """A chain in which nothing needs the last two nodes, and the middle one has no route.

    They may take each other for parents, and the owner may hold a publication. Of any two messages to the two, none may
    make one of them a forwarder.
    """
    hops = {**shaped(chain, 3), "n001": None}
    owner, *others = hops
    (item,) = universe(names(1), 1, parameters_of(SMALL))
    states = {
        one: OneOf((Node(False, hops[one]), Node(False, hops[one], other))) for one, other in permutations(others)
    }
    told = any_edge_message(names(3)).values + any_publishing_message(names(3), (item,)).values
    strays = OneOf(tuple((to, message) for to, message in told if to != owner))
    roots = OneOf((Node(False, owner), Node(False, owner, publications=(item,))))
    return trees({**states, owner: roots}, None, strays, 2)


TWO = tuple(sorted(universe(names(2), 2, parameters_of(SMALL))))
"""The publications of two nodes."""

TOLD = (None, *(item.key for item in TWO))
"""Any cursor over them."""

AGED = tuple(sorted(universe(names(1), 2, parameters_of(SMALL))))
"""An older and a later publication of one node."""

MODELS = read_models(
    __name__,
    {
        "pair": trees(anything(shaped(star, 2), (0, 1, 2)), None, any_edge_message(names(2)), 2),
        "star": trees(anything(shaped(star, 3)), 1, any_edge_message(names(3)), 1),
        "chain": trees(anything(shaped(chain, 3)), 1, any_edge_message(names(3)), 1),
        "astray": trees({**right(shaped(star, 3), names(3)), "n002": anything(shaped(star, 3))["n002"]}, 10),
        "misled": trees(wishes(shaped(star, 3)), 7, any_edge_message(names(3)), 1),
        "four": trees(wishes(shaped(heap, 4)), 7),
        "move": trees(right(shaped(chain, 3), names(3)), None, wish=1, route=1),
        "publications": trees(holding(shaped(star, 2), TWO), 10),
        "publications_in_flight": trees(holding(shaped(star, 2), TWO), 3, any_publishing_message(names(2), TWO), 1),
        "told": trees(holding(shaped(star, 2), TWO, TOLD), 12, parameters={**SMALL, "chunk": 1}),
        "aged": trees(holding(shaped(star, 2), AGED, TOLD), 10, parameters={**SMALL, "chunk": 1, "keep": 1}),
        "publish": trees(right(shaped(star, 2), names(2)), 9, publish=1, wish=1),
        "switch": trees(right(shaped(star, 2), names(2)), 12, parameters=SWITCHED, publish=1, wish=1),
        "heard": trees(right(shaped(star, 2), names(2)), 7, parameters=SWITCHED, publish=1, wish=1, heard=1),
        "left_behind": left_behind(),
        "alone": alone(),
        "no_handover": left_behind("no_handover"),
        "orphan": orphan(),
        "sends_once": orphan("sends_once"),
        "apart": trees(apart()),
        "unneeded": unneeded(),
        "parent_from_sender": trees(apart(), printed="parent_from_sender"),
        "no_heartbeats": trees(anything(shaped(star, 2)), printed="no_heartbeats"),
        "no_refresh": trees(anything(shaped(star, 2)), printed="no_refresh"),
        "heartbeat_timer": trees(right(shaped(star, 2), names(2)), printed="heartbeat_timer"),
    },
)
