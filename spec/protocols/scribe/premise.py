"""The premise of convergence, which the layer below guarantees in the end: every way that is needed ends at one owner.

A node that nothing needs sends nothing along its way, and its next hop may have forgotten the topic. It stays so until
a `Subscribe` comes, and makes it a forwarder: from a node with a way through it, or one that is in flight already.
"""

from typing import Any

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.layers.routing import route_faults
from gomboc.spec.protocols.scribe.legitimacy import without_route
from gomboc.spec.protocols.scribe.state import Node, Subscribe, asked

Need = tuple[bool, bool, bool]
"""Whether a node subscribes, holds a publication, has a child: the reasons to send anything along its way."""


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The faults of the routes of live nodes that subscribe, hold a publication, or have a child or are to get one."""
    live = {name: local for name, local in sorted(states.items()) if not local.crashed}
    hops = {name: local.next for name, local in live.items()}
    needs = {name: need_of(local) for name, local in live.items()}
    subscribers, publishers, parents = (tuple(name for name in live if needs[name][reason]) for reason in range(3))
    asked_for = {to for to, message in in_flight if to in live and type(message) is Subscribe}
    forwarders = sorted({*parents, *asked_for})
    return (
        *route_faults(hops, {*subscribers, *publishers, *forwarders}),
        *without_route("subscribers_have_routes", hops, subscribers),
        *without_route("publishers_have_routes", hops, publishers),
        *without_route("forwarders_have_routes", hops, forwarders),
    )


def need_of(local: Node) -> Need:
    """What a node needs its way for."""
    return local.wants, bool(local.publications), bool(local.children)


def projection(value: Any) -> tuple[Any, ...] | None:
    """The part of a node that premise and environment read; of messages they read that one is a `Subscribe`."""
    match value:
        case Subscribe():
            return ()
        case Node():
            return value.crashed, value.next, need_of(value), value.publications, value.pending, asked(value)
    return None
