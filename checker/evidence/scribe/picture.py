"""Scribe as a tree around its owner: nodes with children inside, leaves on a circle, all others outside of it."""

from collections.abc import Sequence
from typing import Any

from gomboc.checker.report.page.picture import Line, Picture, Spot, on_circle
from gomboc.spec.protocols.scribe.state import Node, in_tree

PARENT, CHILD, NEXT = range(3)

OWNER, INNER, LEAF, OUTSIDE = 0.08, 0.55, 1.0, 1.22
"""Distances from the middle; two owners must not hide each other."""


def spot(names: Sequence[str], node: str, local: Any) -> Spot:
    """A node in the direction of its name, as far from the middle as its place in the tree; forwarders say so.

    Source: Rowstron et al. 2001, Section III-B
    """
    assert isinstance(local, Node), "there is one role"
    turn = names.index(node) / len(names)
    if local.next == node:
        return Spot(*on_circle(turn, OWNER), node, "authority")
    if not in_tree(node, local):
        return Spot(*on_circle(turn, OUTSIDE), node, "out")
    label = node if local.wants else f"{node} forwards"
    return Spot(*on_circle(turn, INNER if local.children else LEAF), label, "in")


def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
    """A line to the parent, to each child, and to the next hop where that is not the parent.

    Source: Section 2.4.1
    """
    parent = false.isdisjoint({"parent_is_next", "no_parent_outside_the_tree"})
    children = false.isdisjoint({"children_are_right", "counts_are_right", "no_children_outside_the_tree"})
    drawn = [Line(local.parent, PARENT, parent)] if local.parent is not None else []
    drawn += [Line(child.node, CHILD, children) for child in local.children]
    if local.next not in (None, local.parent):
        drawn.append(Line(local.next, NEXT, True))
    return tuple(line for line in drawn if line.to != node)


PICTURE = Picture(spot, lines, ("parent", "child", "next hop"))
