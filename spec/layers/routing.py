"""Messages from an overlay to the layer above it: a node's next hop towards one key; faults of all hops together.

Each node's route is a name: its own at the owner of the key, None if the node is outside the overlay.
"""

from collections.abc import Collection, Mapping

from gomboc.spec.core.model import Fault
from gomboc.spec.types.fields import NodeName
from gomboc.spec.types.kinds import Kind

SOURCE = "the promise of the layer below"


class RouteChange(Kind, frozen=True):
    """Base of both notifications: `next` is the next hop; the node itself at the owner, None outside."""

    next: NodeName | None


class Routed(RouteChange, frozen=True):
    """The next hop has changed to this."""


class StillRouted(RouteChange, frozen=True):
    """The next hop is still this; repeated periodically, so that no layer keeps an outdated route for ever.

    It is quiet where it changes nothing; a layer that had another route starts to converge anew.
    """


def way(routes: Mapping[str, str | None], node: str) -> tuple[str, ...]:
    """The nodes from this one on, each the next hop of the one before, until one repeats or has no route."""
    passed = [node]
    while (hop := routes.get(passed[-1])) is not None and hop not in passed:
        passed.append(hop)
    return tuple(passed)


def route_faults(routes: Mapping[str, str | None], needed: Collection[str] | None = None) -> tuple[Fault, ...]:
    """The faults of the routes of the live nodes: owners beside another, and nodes with a way that ends at no owner.

    Only the ways of the `needed` nodes count, if those are given. If no node has a route, no node is in the overlay,
    and nothing is wrong.
    """
    owners = tuple(sorted(node for node, hop in routes.items() if hop == node))
    rivals = owners if len(owners) > 1 else ()
    counted = sorted(routes if needed is None else needed)
    ends = ((node, way(routes, node)[-1]) for node in counted if routes[node] is not None)
    return (
        *(Fault("one_owner", node, "one owner", owners, SOURCE) for node in rivals),
        *(Fault("ways_end_at_owner", node, owners, end, SOURCE) for node, end in ends if end not in owners),
    )
