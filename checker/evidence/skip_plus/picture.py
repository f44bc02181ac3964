"""Skip+ as a sorted list on a circle that is open at the top, with an edge of each level in its colour."""

from collections.abc import Sequence
from typing import Any

from gomboc.checker.report.page.picture import Line, Picture, Spot, on_circle
from gomboc.spec.protocols.skip_plus.names import prefix_length
from gomboc.spec.protocols.skip_plus.state import Node


def spot(names: Sequence[str], node: str, local: Any) -> Spot:
    """The point of a node by the order of ids, clockwise; outside of the circle if the node is not live.

    Source: Slide 12
    """
    assert isinstance(local, Node), "there is one role"
    turn = (sorted(names).index(node) + 0.5) / len(names)
    return Spot(*on_circle(turn, 1.0 if local.live else 1.22), node, "in" if local.live else "out")


def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
    """An edge to each neighbour at the length of the prefix that both share; one that is not stable is temporary.

    Source: Slides 15 to 18
    """
    temporary = set(local.neighbours) - set(local.stable)
    wrong = temporary if "flags_are_right" not in false else set(local.neighbours)
    return tuple(
        Line(other, prefix_length(node, other), other not in wrong) for other in local.neighbours if other != node
    )


PICTURE = Picture(spot, lines, tuple(f"{bits} bits shared" for bits in range(7)))
