"""Whom a node asks: the next hop of a lookup, from its state, and the node of a timeout, by a coin."""

from fractions import Fraction

from gomboc.spec.core.model import CERTAIN, Choice
from gomboc.spec.protocols.chord.names import Circle, between, within
from gomboc.spec.protocols.chord.state import Node


def owns(circle: Circle, me: str, local: Node, position: int) -> bool:
    """Whether a place belongs to a member: it lies between its predecessor and itself, or the member is alone.

    Source: Section 2.2.3, routeRequest; decided here: without a predecessor a node owns nothing, unless it is alone
    """
    if local.predecessor is None:
        return not local.successors
    return within(circle.id_of(local.predecessor), position, circle.id_of(me))


def route(circle: Circle, me: str, local: Node, position: int) -> str | None:
    """The next hop towards a place: the node itself if it is the owner's; None if there is none.

    Source: Section 2.2.3, routeRequest
    """
    if local.status != "inside":
        return None
    return me if owns(circle, me, local, position) else next_hop(circle, me, local, position)


def next_hop(circle: Circle, me: str, local: Node, position: int) -> str | None:
    """Of successors and fingers, the nearest before that place; if there is none, the usual node.

    Source: Section 2.2.3, closest_preceding_node, which answers the node itself and never a successor; Stoica et al.
    2003, Section IV-E.3
    """
    mine = circle.id_of(me)
    nearest, farthest = None, 0
    # Most fingers point to the same few members.
    for name in dict.fromkeys((*local.successors, *(name for _, name in local.fingers))):
        at = circle.id_of(name)
        distance = (at - mine) % circle.size()
        if distance > farthest and between(mine, at, position):
            nearest, farthest = name, distance
    return nearest or usual(local)


def usual(local: Node) -> str | None:
    """The node that a member usually asks: its head, and without successors its predecessor.

    Source: Section 2.2.3, timer stabilize; decided here: for want of a successor, the predecessor
    """
    return local.successors[0] if local.successors else local.predecessor


USUAL = "head"
"""The coin that asks the usual node."""

PEER = "peer "
"""The prefix of the name of any other coin; the peer's name follows."""


def coins(usual: str | None, peers: tuple[str, ...]) -> tuple[Choice, ...]:
    """The results of the coin: the usual node with probability 1/2, or one of the peers. Source: decided here."""
    if len(peers) + (usual is not None) < 2:
        return CERTAIN
    share = Fraction(1, len(peers)) if usual is None else Fraction(1, 2 * len(peers))
    asks_usual = () if usual is None else (Choice(USUAL, Fraction(1, 2)),)
    return (*asks_usual, *(Choice(f"{PEER}{peer}", share) for peer in peers))


def asked_by(choice: Choice, usual: str | None, peers: tuple[str, ...]) -> str | None:
    """The node to ask by the coin; None if there is none."""
    if choice.name.startswith(PEER):
        return choice.name.removeprefix(PEER)
    return usual if usual is not None or not peers else peers[0]
