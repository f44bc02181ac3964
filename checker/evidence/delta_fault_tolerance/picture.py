"""Brokers as the tree that they are: links and bypasses, and where publications are sent."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from gomboc.checker.report.page.picture import Line, Picture, Spot
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, parent
from gomboc.spec.protocols.delta_fault_tolerance.state import Node, asleep

LINK, BYPASS, ROW = range(3)


@lru_cache(maxsize=16)
def places(names: Names) -> dict[str, tuple[float, float]]:
    """Where each broker of a tree stands: the root at the top, the leaves side by side, parents above the middle.

    A tree of few leaves leans, so that names stand beside lines.
    """
    depths = {name: name.count(".") for name in names}
    deepest = max(depths.values()) or 1
    above = {parent(name) for name in names}
    leaves = sorted((name for name in names if name not in above), key=lambda name: name.split("."))
    across = {leaf: (2 * index + 1) / len(leaves) - 1 for index, leaf in enumerate(leaves)}
    for name in sorted(names, key=depths.__getitem__, reverse=True):
        below = [across[child] for child in names if parent(child) == name]
        across.setdefault(name, sum(below) / len(below) if below else 0.0)
    down = {name: 2 * depths[name] / deepest - 1 for name in names}
    return {name: (round(across[name] + down[name] / 2 / len(leaves), 4), round(down[name], 4)) for name in names}


def spot(names: Sequence[str], node: str, local: Any) -> Spot:
    """Its place in the tree, in which it takes part unless it is outside, or away.

    Source: Figure 5
    """
    assert isinstance(local, Node), "there is one role"
    return Spot(*places(tuple(sorted(names)))[node], node, "out" if asleep(local) else "in")


def lines(node: str, local: Any, false: frozenset[str]) -> tuple[Line, ...]:
    """A line for each connection, and to each broker that gets publications for another.

    Source: Section 4.1, Connections; Section 4.7, SUBS_SET
    """
    agree, right = "sessions_agree" not in false, "tables_are_right" not in false
    peers = [connection.peer for connection in local.connections]
    connected = (Line(peer, LINK if distance(node, peer) == 1 else BYPASS, agree) for peer in peers)
    return (*connected, *(Line(via, ROW, right) for via in sorted({row.via for row in local.rows} - {node})))


PICTURE = Picture(spot, lines, ("link", "bypass", "publications are sent there"))
