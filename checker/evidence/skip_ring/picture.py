"""The skip ring as Figure 1 draws it: labels on a circle, ring edges and shortcuts by level."""

from collections.abc import Sequence
from typing import Any

from gomboc.checker.report.page.picture import Line, Picture, Spot, on_circle
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, is_canonical, position
from gomboc.spec.protocols.skip_ring.state import Subscriber, Supervisor

OUTSIDE = 1.22
"""Distance from the middle of a subscriber without a label."""

CONJUNCT = {"left": "left_is_predecessor", "right": "right_is_successor", "ring": "ring_is_closed"}


def spot(names: Sequence[str], node: str, local: Any) -> Spot:
    """The supervisor in the middle, a subscriber at its label's number, one without a label outside.

    Source: Section 2.1; Figure 1
    """
    if isinstance(local, Supervisor):
        return Spot(0.0, 0.0, node, "authority")
    assert isinstance(local, Subscriber), "there are two roles"
    if local.label is None or not is_canonical(local.label):
        return Spot(*on_circle(names.index(node) / len(names), OUTSIDE), node, "out")
    # Two that claim one label would hide each other.
    shift = 0.004 * (names.index(node) % 8)
    point = on_circle(position(local.label) / CIRCLE, 1.0 - shift)
    return Spot(*point, f"{node} {local.label}", "out" if local.crashed or not local.wants else "in")


def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
    """Edges to neighbours at level 0, a shortcut at the number of bits that its label lacks to the node's own.

    Source: Definition 2, E_R and E_S
    """
    del node  # where a line ends does not depend on where it begins
    if not isinstance(local, Subscriber):
        return ()
    claims = ((CONJUNCT[side], getattr(local, side)) for side in ("left", "right", "ring"))
    ring = tuple(Line(claim.node, 0, conjunct not in false) for conjunct, claim in claims if claim is not None)
    right = "shortcuts_are_right" not in false
    shortcuts = (Line(entry.node, _level(entry.label), right) for entry in local.shortcuts if entry.node is not None)
    return ring + tuple(shortcuts)


def _level(label: str) -> int:
    return 1 if label == "0" else 1 + len(label)


PICTURE = Picture(spot, lines, ("ring", "shortcut to 0", "to 1 bit", "to 2 bits", "to 3 bits", "to 4 bits", "longer"))
