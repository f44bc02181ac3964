"""The nodes on a circle, each with its distance, and a line from each to its parent."""

from collections.abc import Sequence

from gomboc.checker import Line, Picture, Spot, on_circle
from spanning_tree.spec.state import ROOT, Node


def spot(names: Sequence[str], node: str, local: Node) -> Spot:
    """A point on the circle, in the order of names."""
    point = on_circle(names.index(node) / len(names))
    return Spot(*point, f"{node}: {local.distance}", "authority" if node == ROOT else "in")


def lines(node: str, local: Node, false: frozenset[str]) -> tuple[Line, ...]:
    """A line to the parent."""
    del node
    return () if local.parent is None else (Line(local.parent, 0, "is_in_its_place" not in false),)


PICTURE = Picture(spot, lines, ("parent",))
