"""Active and passive views, windows of a view, and the coins that choose in them."""

from collections.abc import Iterable
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.state import Node, room

Names = tuple[str, ...]


class Toss(msgspec.Struct, frozen=True):
    """The candidates of a step's coin: one node of the active view and one of the passive view, each equally likely.

    Source: decided here
    """

    active: Names = ()
    passive: Names = ()

    def results(self) -> tuple[Choice, ...]:
        """The results, named by both nodes, with `-` where there is no candidate."""
        pairs = [(one, other) for one in self.active or ("-",) for other in self.passive or ("-",)]
        if len(pairs) == 1:
            return CERTAIN
        return tuple(Choice(f"{one} {other}", Fraction(1, len(pairs))) for one, other in pairs)

    def drawn(self, choice: Choice) -> tuple[str | None, str | None]:
        """The node of the active view and that of the passive view; None where there is no candidate."""
        one, other = (
            choice.name.split(" ") if choice not in CERTAIN else ((*self.active, "-")[0], (*self.passive, "-")[0])
        )
        return one if self.active else None, other if self.passive else None


def window(view: Names, first: str | None, size: int) -> Names:
    """At most `size` nodes of a view, from `first` on in ascending order, after the last one the first again."""
    if first is None:
        return ()
    at = view.index(first)
    return (*view[at:], *view[:at])[:size]


def without(view: Iterable[str], *nodes: str | None) -> Names:
    """A view without these nodes."""
    return tuple(name for name in view if name not in nodes)


def activated(local: Node, node: str) -> Node:
    """The state with a node in the active view, and no longer in the passive one or asked."""
    return replace(
        local,
        active=tuple(sorted((*local.active, node))),
        passive=without(local.passive, node),
        asked=None if local.asked == node else local.asked,
    )


def forgotten(local: Node, node: str) -> Node:
    """The state without a node that has crashed."""
    return replace(
        local,
        active=without(local.active, node),
        passive=without(local.passive, node),
        asked=None if local.asked == node else local.asked,
        contact=None if local.contact == node else local.contact,
    )


def fresh(me: str, local: Node, nodes: Iterable[str]) -> Names:
    """Those nodes that are in neither view, ascending. Source: HyParView, Algorithm 1, addNodePassiveView."""
    return tuple(sorted({*nodes} - {me, *local.active, *local.passive}))


def overflow(parameters: Parameters, local: Node, new: Names) -> int:
    """The number of nodes that must leave a passive view for these ones."""
    return max(0, len(local.passive) + len(new) - parameters.passive)


def making_room(parameters: Parameters, me: str, local: Node, nodes: Iterable[str]) -> Names:
    """The candidates to leave a full passive view for those nodes: all but the asked one; none if it is not full."""
    new = fresh(me, local, nodes)
    return without(local.passive, local.asked) if overflow(parameters, local, new) else ()


def with_passive(parameters: Parameters, me: str, local: Node, nodes: Iterable[str], leaving: Names) -> Node:
    """The state with those nodes in the passive view, as far as `leaving` make room, the first ones first.

    The asked node never leaves.

    Source: HyParView, Algorithm 1, addNodePassiveView; Section 4.4
    """
    new = fresh(me, local, nodes)
    gone = without(leaving, local.asked)[: overflow(parameters, local, new)]
    left = without(local.passive, *gone)
    return replace(local, passive=tuple(sorted((*left, *new[: parameters.passive - len(left)]))))


def displaced(parameters: Parameters, local: Node, node: str) -> Toss:
    """The candidates to leave the active view for a node that must get in, and the passive one for the former.

    Source: HyParView, Algorithm 1, dropRandomElementFromActiveView
    """
    if node in local.active or local.asked == node or room(parameters, local) > 0:
        return Toss()
    full = len(without(local.passive, node)) >= parameters.passive
    return Toss(local.active, without(local.passive, node, local.asked) if full and local.active else ())
