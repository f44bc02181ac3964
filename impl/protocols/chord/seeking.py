"""Lookups: the owner of an identifier, and the next hop; and the fingers, each of which is a lookup's answer.

Source: Stoica et al., Section IV-C and IV-D: find_successor, closest_preceding_node, fix_fingers
"""

from msgspec.structs import replace

from gomboc.impl.protocols.chord.identity import LocalIdentity
from gomboc.impl.protocols.chord.states import State


def owns(me: LocalIdentity, state: State, identifier: int) -> bool:
    """Whether the identifier is in (predecessor, oneself]. Without a predecessor, only a lone node owns identifiers."""
    if state.predecessor is None:
        return not state.successors
    return me.circle.up_to(me.circle.id_of(state.predecessor), identifier, me.id)


def next_hop(me: LocalIdentity, state: State, identifier: int) -> str:
    """Next hop for an identifier that the node does not own: the nearest known node before it.

    If it knows none before it, its head; and without a head, its predecessor, which exists then.
    """
    nearest, farthest = state.head or state.predecessor, 0
    # A node as far as the identifier itself is not before it; an identifier that is one's own is a whole turn away.
    limit = me.circle.way(me.id, identifier) or me.circle.size
    for name in (*state.successors, *(name for _, name in state.fingers)):
        way = me.way(name)
        if farthest < way < limit:
            nearest, farthest = name, way
    assert nearest is not None, "a lone node owns everything"
    return nearest


def lowest(me: LocalIdentity, state: State) -> int:
    """The lowest finger that is needed, since it aims beyond the head; all above it are, too. `bits`, if none is."""
    return me.circle.bits if state.head is None else me.way(state.head).bit_length()


def due(me: LocalIdentity, state: State) -> int | None:
    """The finger to refresh next; None if none is needed."""
    first = lowest(me, state)
    if not me.parameters.fingers or first >= me.circle.bits:
        return None
    return max(first, state.next)


def without_needless(me: LocalIdentity, state: State) -> State:
    """No fingers that are not needed."""
    first = lowest(me, state)
    return replace(state, fingers=tuple(finger for finger in state.fingers if finger[0] >= first))


def refreshed(me: LocalIdentity, state: State, finger: int, owner: str) -> State:
    """Keep the answer in place of the one before; oneself is never kept, nor a finger that is not needed."""
    if not me.parameters.fingers or finger < lowest(me, state):
        return state
    others = tuple(other for other in state.fingers if other[0] != finger)
    if owner == me.name:
        return replace(state, fingers=others)
    return replace(state, fingers=tuple(sorted((*others, (finger, owner)))))
