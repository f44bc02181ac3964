"""Legitimacy of Scribe: the tree of the owner, the subscribers and the nodes on their routes; all hold the same."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Fault
from gomboc.spec.layers.routing import route_faults, way
from gomboc.spec.protocols.scribe.parameters import Parameters
from gomboc.spec.protocols.scribe.state import (
    TREE,
    Child,
    Dead,
    Leave,
    Node,
    Publish,
    Submit,
    Subscribe,
    method_of,
    undelivered,
)
from gomboc.spec.publishing.publications import Publication, right_set, with_offered

TREES = "Rowstron et al. 2001, Section III-B: the tree is the union of the routes of all subscribers to the owner"
HELD = "decided here: all nodes of the tree hold the same publications"
BELOW = "the promise of the layer below"
SWITCHED = "Section 3.1.1; the thresholds are decided here"


class Anchor(msgspec.Struct, frozen=True):
    """The authority: the route of each live node, the subscribers, and the publications of the tree's first node."""

    routes: tuple[tuple[str, str | None], ...]
    wants: tuple[str, ...]
    held: tuple[Publication, ...] = ()


def share(local: Any) -> tuple[Any, ...] | None:
    """The part of a node that the anchor may read: wish, route and publications; None if it has crashed."""
    return None if local.crashed else (local.wants, local.next, local.publications)


def anchor(shares: Mapping[str, Any]) -> Anchor:
    """The authority of a system."""
    live = {name: shares[name] for name in sorted(shares) if shares[name] is not None}
    routes = tuple((name, hop) for name, (_, hop, _) in live.items())
    wants = tuple(name for name, (wanted, _, _) in live.items() if wanted)
    first = min(right_tree(routes, wants), default=None)
    return Anchor(routes, wants, () if first is None or first not in live else live[first][2])


@lru_cache(maxsize=1 << 16)
def right_tree(routes: tuple[tuple[str, str | None], ...], wants: tuple[str, ...]) -> Mapping[str, tuple[Child, ...]]:
    """The nodes of the tree, each with its children: the owner, the subscribers, and the nodes on their routes."""
    hops = dict(routes)
    counts: dict[str, int] = {node: 0 for node, hop in routes if hop == node}
    for subscriber in wants:
        for node in way(hops, subscriber):
            counts[node] = counts.get(node, 0) + 1
    children: dict[str, list[Child]] = {node: [] for node in counts}
    for node in sorted(counts):
        hop = hops.get(node)
        if hop is not None and hop != node:
            children[hop].append(Child(node, counts[node]))
    return {node: tuple(those) for node, those in children.items()}


def anchor_faults(anchor: Anchor) -> tuple[Fault, ...]:
    """The faults of routes: not one owner, and subscribers without a route, or with one that does not end there.

    Nothing is asked of a node that is not in the tree: where nobody needs a route, the layer below may have none.
    """
    hops = dict(anchor.routes)
    return (*route_faults(hops, anchor.wants), *without_route("subscribers_have_routes", hops, anchor.wants))


def without_route(rule: str, hops: Mapping[str, str | None], nodes: Iterable[str]) -> tuple[Fault, ...]:
    """A fault of that name for each of those nodes that has no next hop."""
    return tuple(Fault(rule, name, "a next hop", None, BELOW) for name in nodes if hops[name] is None)


def node_faults(parameters: Parameters, anchor: Anchor, me: str, local: Any) -> tuple[Fault, ...]:
    """The faults of a node: its differences from the tree that routes and wishes ask for."""
    if local.crashed:
        return ()
    tree = right_tree(anchor.routes, anchor.wants)
    own = _inside(parameters, anchor, me, local, tree[me]) if me in tree else _outside(local)
    conjuncts = (*own, ("nothing_is_pending", (), local.pending, HELD))
    return tuple(
        Fault(rule, me, expected, actual, source) for rule, expected, actual, source in conjuncts if expected != actual
    )


Conjunct = tuple[str, Any, Any, str]
"""A conjunct: its name, the right value, the actual value, and its source."""


def _inside(
    parameters: Parameters, anchor: Anchor, me: str, local: Node, children: tuple[Child, ...]
) -> Iterator[Conjunct]:
    right, there = {item.key for item in anchor.held}, {item.key for item in local.publications}
    names = tuple(child.node for child in children)
    yield "parent_is_next", None if local.next == me else local.next, local.parent, TREES
    yield "children_are_right", names, tuple(child.node for child in local.children), TREES
    if names == tuple(child.node for child in local.children):
        yield "counts_are_right", children, local.children, TREES
    yield "publications_are_valid", right_set(local.publications, parameters), local.publications, HELD
    yield "publications_are_equal", tuple(sorted(right - there)), tuple(sorted(there - right)), HELD
    if local.wants:
        due = undelivered(local, local.publications, parameters.keep)
        yield "all_is_delivered", (), due, "Section 2.4.2, DELIVER notification"
    method = method_of(parameters, me, replace(local, children=children))
    yield "method_is_right", method, local.method, SWITCHED


def _outside(local: Node) -> Iterator[Conjunct]:
    yield "no_parent_outside_the_tree", None, local.parent, TREES
    yield "no_children_outside_the_tree", (), local.children, TREES
    yield "no_publications_outside_the_tree", (), local.publications, TREES
    yield "method_is_right", TREE, local.method, SWITCHED


def message_faults(parameters: Parameters, anchor: Anchor, target: str, message: Any) -> tuple[Fault, ...]:
    """The faults of a message that could make a right tree wrong. Heartbeats, questions and answers are harmless."""
    live = dict(anchor.routes)
    tree = right_tree(anchor.routes, anchor.wants)
    if target not in live:
        return ()
    match message:
        case Subscribe(sender, count) if sender != target:
            right = {child.node: child.count for child in tree.get(target, ())}.get(sender)
            if right != count:
                return (Fault("children_subscribe", target, right, (sender, count), TREES),)
        case Leave(sender):
            if sender in (child.node for child in tree.get(target, ())):
                return (Fault("no_child_leaves", target, None, sender, TREES),)
        case Dead(node):
            if node in live and node != target:
                return (Fault("the_dead_are_dead", target, "a crashed node", node, "decided here"),)
        case Publish(sender, publications) if target in tree and sender != target:
            return _news(parameters, anchor, target, publications)
        case Submit(publication) if tree:
            return _news(parameters, anchor, target, (publication,))
    return ()


def _news(parameters: Parameters, anchor: Anchor, target: str, offered: tuple[Publication, ...]) -> tuple[Fault, ...]:
    held = {item.key for item in anchor.held}
    news = tuple(item for item in with_offered(anchor.held, offered, parameters) if item.key not in held)
    return (Fault("nothing_new_in_flight", target, "publications that the tree holds", news, HELD),) if news else ()


def asleep(local: Any) -> bool:
    """Whether a node has crashed: rounds wait neither for it nor for messages to it."""
    return bool(local.crashed)
