"""A subscriber's configuration: what it does with the neighbours that the supervisor names, and when it has none."""

from collections.abc import Callable

from gomboc.impl.protocols.skip_ring import labels
from gomboc.impl.protocols.skip_ring.claims import Claim
from gomboc.impl.protocols.skip_ring.messages import RemoveConnections
from gomboc.impl.protocols.skip_ring.outbox import Outbox
from gomboc.impl.protocols.skip_ring.variables import Variables


def withdraw(u: Variables, outbox: Outbox) -> None:
    """Leave all neighbours, and ask them to remove this node. Source: Lemma 6."""
    for node in u.nodes():
        outbox.tell(node, RemoveConnections(u.me))
    u.forget_neighbours()


def take_over(
    u: Variables, outbox: Outbox, linearize: Callable[[Claim], None], own: Claim, pred: Claim | None, succ: Claim | None
) -> None:
    """Overwrite label and slots; ask about each reference that this replaces, and delegate it.

    Source: Algorithm 4, lines 17-20; Section 3.2.1, action (iii)
    """
    ring_precedes = u.ring is not None and u.ring.label > own.label
    before = [(u.left, True), (u.right, False), (u.ring, ring_precedes)]
    u.own = own
    u.left = pred if pred is not None and pred.label < own.label else None
    u.right = succ if succ is not None and succ.label > own.label else None
    u.ring = pred if pred is not None and pred.label > own.label else None
    if u.ring is None and succ is not None and succ.label < own.label:
        u.ring = succ
    if [slot for slot, _ in before] == [u.left, u.right, u.ring]:
        return
    kept = {slot.node for slot in u.slots()}
    replaced = [(slot, precedes) for slot, precedes in before if slot is not None and slot.node not in kept]
    for slot, precedes in replaced:
        if _is_at_least_as_close(slot, pred if precedes else succ, own, precedes=precedes):
            outbox.ask_about(slot.node)
    for slot, _ in replaced:
        linearize(slot)


def _is_at_least_as_close(old: Claim, new: Claim | None, own: Claim, *, precedes: bool) -> bool:
    """Whether a replaced reference is at least as close as its replacement, around the ring.

    Source: Section 3.2.1, action (iii)
    """
    if new is None:
        return True
    if precedes:
        return labels.clockwise(old.label, own.label) <= labels.clockwise(new.label, own.label)
    return labels.clockwise(own.label, old.label) <= labels.clockwise(own.label, new.label)
