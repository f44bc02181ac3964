"""Drawing of a system: the position of each node, and the lines from it.

A protocol may have a picture of its own, as its paper draws it: a `Picture`, or a function that makes one of the
protocol with its parameters, which the evidence on the protocol names. A protocol without one is drawn as nodes on a
circle, in the order of their names, with a line to each node that a node's state refers to.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from gomboc.spec.core.protocol import Protocol

LEVELS = 7
"""Number of levels of lines with a colour of their own; a line of a higher level has that of the last one."""


class Spot(msgspec.Struct, frozen=True, array_like=True):
    """The position of a node, in a circle of radius 1 around (0, 0), its label, and its look.

    `look` is "in", "out" (not part of the system now) or "authority".
    """

    x: float
    y: float
    label: str
    look: str


class Line(msgspec.Struct, frozen=True, array_like=True):
    """A line to another node: its level (0: the ring itself, which is the strongest), and whether it is right."""

    to: str
    level: int
    right: bool


class Picture(msgspec.Struct, frozen=True):
    """The drawing of a protocol.

    `spot(names, node, local)` is called again when the node's state changes. `lines(node, local, false)` has the names
    of the conjuncts that are false at this node. `levels` names each level of lines. `own`: it is specific to its
    protocol, not the plain drawing.
    """

    spot: Callable[[Sequence[str], str, Any], Spot]
    lines: Callable[[str, Any, frozenset[str]], tuple[Line, ...]]
    levels: tuple[str, ...]
    own: bool = True


def on_circle(turn: float, radius: float = 1.0) -> tuple[float, float]:
    """The point after that part of a turn, clockwise from the top."""
    angle = 2 * math.pi * turn
    return round(radius * math.sin(angle), 4), round(-radius * math.cos(angle), 4)


def plain(protocol: Protocol) -> Picture:
    """Nodes on a circle, and a line to each node that a state refers to; wrong if any conjunct at the node is."""

    def spot(names: Sequence[str], node: str, local: Any) -> Spot:
        x, y = on_circle(names.index(node) / len(names))
        look = (
            "out" if protocol.environment.asleep(local) else "authority" if node in protocol.vocabulary.fixed else "in"
        )
        return Spot(x, y, node, look)

    def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
        return tuple(Line(to, 0, not false) for to in sorted({*protocol.naming.named(local)} - {node}))

    return Picture(spot, lines, ("knows",), own=False)
