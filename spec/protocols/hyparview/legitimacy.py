"""Legitimacy: every active link is known at its other end, the links connect all members, and all hold the same."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import msgspec

from gomboc.spec.core.connection import unreached
from gomboc.spec.core.model import Fault
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.recovery import audited, ids_of, lacking
from gomboc.spec.protocols.hyparview.state import (
    Accept,
    Broadcast,
    Dead,
    Disconnect,
    ForwardJoin,
    Id,
    Join,
    Keep,
    Neighbor,
    Publish,
    Refuse,
    id_of,
)

LINKS = "HyParView, Section 4.1, symmetric active views"
REPORT = "first report, Section 3.2.4, Agreement"
OURS = "decided here"

Views = tuple[tuple[str, ...], str | None]
"""The active view of a member, and the node that it asks."""


class Overlay(msgspec.Struct, frozen=True):
    """The authority: the views of all members, and the publications of the first of them."""

    members: tuple[tuple[str, Views], ...]
    held: tuple[Id, ...]

    def links(self) -> Mapping[str, Views]:
        """The views of each member."""
        return dict(self.members)

    def has(self, one: str, other: str) -> bool:
        """Whether `one` is a member that has `other` in its active view."""
        views = self.links().get(one)
        return views is not None and other in views[0]


def share(local: Any) -> tuple[tuple[str, ...], str | None, tuple[Id, ...]] | None:
    """The part of a node that the anchor may see: of a member its active view, the asked node, and what it holds."""
    return (local.active, local.asked, ids_of(local.held)) if local.status == "inside" else None


def anchor(shares: Mapping[str, Any]) -> Overlay:
    """The authority of a system."""
    inside = [(name, seen) for name, seen in sorted((name, shares[name]) for name in shares) if seen is not None]
    return Overlay(tuple((name, seen[:2]) for name, seen in inside), inside[0][1][2] if inside else ())


def anchor_faults(overlay: Overlay) -> tuple[Fault, ...]:
    """A fault if links that are active at both ends do not connect all members."""
    names = tuple(name for name, _ in overlay.members)
    apart = unreached(names, mutual(overlay.links()))
    return (Fault("members_are_connected", apart[0], names, apart, LINKS),) if apart else ()


def mutual(links: Mapping[str, Views]) -> tuple[tuple[str, str], ...]:
    """The links that are active at both ends, each once."""
    pairs = ((one, other) for one, (active, _) in links.items() for other in active if one < other)
    return tuple((one, other) for one, other in pairs if other in links and one in links[other][0])


def node_faults(parameters: Parameters, overlay: Overlay, me: str, local: Any) -> tuple[Fault, ...]:
    """The faults of a node."""
    if local.status != "inside":
        wants = local.contact is not None
        return (Fault("all_nodes_inside", me, "inside", f"outside, asking {local.contact}", OURS),) if wants else ()
    return tuple(chain(_link_faults(overlay, me, local), _held_faults(parameters, overlay, me, local)))


def _link_faults(overlay: Overlay, me: str, local: Any) -> Iterator[Fault]:
    if me in (*local.active, *local.passive):
        yield Fault("views_without_oneself", me, "other nodes", me, OURS)
    links = overlay.links()
    gone = tuple(name for name in local.active if name not in links)
    if gone:
        yield Fault("active_nodes_are_members", me, tuple(links), gone, LINKS)
    ends = (name for name in local.active if name in links)
    unknown = tuple(name for name in ends if me not in links[name][0] and links[name][1] != me)
    if unknown:
        yield Fault("links_are_known_at_both_ends", me, "active or asked for there", unknown, LINKS)


def _held_faults(parameters: Parameters, overlay: Overlay, me: str, local: Any) -> Iterator[Fault]:
    ids = ids_of(local.held)
    if ids != overlay.held:
        yield Fault("publications_are_equal", me, overlay.held, ids, REPORT)
    if audited(parameters, local.held) != local.held:
        yield Fault("publications_are_valid", me, audited(parameters, local.held), local.held, OURS)


def message_faults(parameters: Parameters, overlay: Overlay, target: str, message: Any) -> tuple[Fault, ...]:
    """Faults of a message in flight: one that would end a link, make one that is not known, or bring news.

    Shuffles, digests and requests are harmless.
    """
    return tuple(_message_faults(parameters, overlay, target, message))


def _message_faults(parameters: Parameters, overlay: Overlay, target: str, message: Any) -> Iterator[Fault]:
    links, full = overlay.links(), is_full(parameters, overlay, target)
    match message:
        case Join(sender) | ForwardJoin(sender):
            yield Fault("no_node_is_joining", target, None, sender, OURS)
        case Neighbor(sender, "high"):
            yield Fault("no_high_priority", target, "an active node", sender, OURS)
        case Neighbor(sender) if not full and not _is_asking(links, sender, target):
            yield Fault("requests_are_current", target, "asked, active, or a full view", sender, OURS)
        case Disconnect(sender):
            yield Fault("no_link_ends", target, None, sender, OURS)
        case Accept(sender) if not overlay.has(sender, target):
            yield Fault("answers_are_true", target, "active there", sender, OURS)
        case Keep(sender) if not overlay.has(sender, target):
            yield Fault("links_are_true", target, "active there", sender, OURS)
        case Refuse(sender) if overlay.has(sender, target) or not is_full(parameters, overlay, sender):
            yield Fault("answers_are_true", target, "a full view there", sender, OURS)
        case Dead(node) if node in links:
            yield Fault("the_dead_are_dead", target, "no member", node, OURS)
        case Broadcast(_, item):
            yield from _news(parameters, overlay, target, (item,))
        case Publish(_, items):
            yield from _news(parameters, overlay, target, items)


def is_full(parameters: Parameters, overlay: Overlay, node: str) -> bool:
    """Whether a node has no place in its active view, for good; that of a node that is no member is none."""
    views = overlay.links().get(node)
    return views is None or len(views[0]) >= parameters.active


def _is_asking(links: Mapping[str, Views], sender: str, target: str) -> bool:
    """Whether a member asks another one, or has it in its active view."""
    active, asked = links.get(sender, ((), None))
    return asked == target or target in active


def _news(parameters: Parameters, overlay: Overlay, target: str, items: tuple[Any, ...]) -> Iterator[Fault]:
    news = lacking(parameters, overlay.held, map(id_of, items))
    if news:
        yield Fault("nothing_new_in_flight", target, "publications that all hold", news, REPORT)
