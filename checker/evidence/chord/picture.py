"""Chord as a circle of ids: heads are the ring; successors, predecessors and fingers have colours of their own."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from gomboc.checker.report.page.picture import Line, Picture, Spot, on_circle
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import parameters_of
from gomboc.spec.protocols.chord.state import Node

HEAD, FURTHER, BEFORE, FINGER = range(4)


def spot(circle: Circle, _names: Sequence[str], node: str, local: Any) -> Spot:
    """The point of a node's id on the circle; outside of it if the node is no member.

    Source: Stoica et al. 2003, Figure 2
    """
    assert isinstance(local, Node), "there is one role"
    inside = local.status == "inside"
    point = on_circle(circle.id_of(node) / circle.size(), 1.0 if inside else 1.22)
    return Spot(*point, node, "in" if inside else "out")


def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
    """A line to the head, to further successors, to the predecessor, and to each finger.

    Source: Stoica et al. 2003, Table 1
    """
    listed = "successors_are_right" not in false
    drawn = [Line(name, HEAD if name == local.successors[0] else FURTHER, listed) for name in local.successors]
    if local.predecessor is not None:
        drawn.append(Line(local.predecessor, BEFORE, "predecessor_is_right" not in false))
    drawn += [Line(name, FINGER, "fingers_are_right" not in false) for _, name in local.fingers]
    return tuple(line for line in drawn if line.to != node)


def picture(protocol: Protocol) -> Picture:
    """The picture of a ring on the circle that its parameters say."""
    around = partial(spot, parameters_of(protocol.variants.given).circle)
    return Picture(around, lines, ("head", "further successors", "predecessor", "fingers"))


PICTURE = picture
"""A function, as the circle depends on the parameters."""
