"""The subscriber with Linearize as it was printed: it believes every sender, and verifies no claim.

Algorithm 1 prints the tests for left and says "analogously" for right, and the two do not exclude each other; so a
claim with this node's own label goes to both sides, here as there. An empty slot is farther away than any label.
"""

from typing import Literal

from gomboc.impl.protocols.skip_ring.claims import Claim
from gomboc.impl.protocols.skip_ring.messages import Flag, Linearize
from gomboc.impl.protocols.skip_ring.placing import Placing

Side = Literal["left", "right"]
SIDES: tuple[Side, ...] = ("left", "right")


def is_on(side: Side, label: int, own: int) -> bool:
    """Whether a label is on this side of another one, or equal to it."""
    return label <= own if side == "left" else own <= label


class PrintedPlacing(Placing):
    """Placing without any difference between first hand and hearsay."""

    __slots__ = ()

    def believes(self, subject: Claim, flag: Flag, *, first_hand: bool) -> bool:
        """Every claim about another node is believed, if it is meant for the list; the ring edge is ours.

        Source: Algorithm 1, lines 15 and 29-30
        """
        if flag == "LIN":
            return self.has_place_for(subject)
        return super().believes(subject, flag, first_hand=first_hand)

    def place_in_list(self, subject: Claim) -> None:
        """Correct the label of a neighbour, or store or pass on a node that is none.

        Source: Algorithm 1, lines 16 and 23
        """
        is_neighbour = any(slot is not None and slot.node == subject.node for slot in (self.u.left, self.u.right))
        for side in SIDES:
            if is_neighbour:
                self._correct(side, subject)
            else:
                self._insert(side, subject)

    def _correct(self, side: Side, subject: Claim) -> None:
        """Replace the label of the neighbour on this side, or throw it out and send the claim to oneself.

        Source: Algorithm 1, lines 17-22
        """
        u, slot = self.u, getattr(self.u, side)
        if slot is None or slot.node != subject.node or slot == subject:
            return
        fits = is_on(side, subject.label, u.label())
        if not fits:
            self.outbox.tell(u.me, Linearize(subject.written))
        setattr(u, side, subject if fits else None)

    def _insert(self, side: Side, subject: Claim) -> None:
        """Pass the claim on if the neighbour on this side is closer, store it if it is.

        Source: Algorithm 1, lines 24-28
        """
        slot = getattr(self.u, side)
        if slot is not None and is_on(side, subject.label, slot.label):
            self.outbox.tell(slot.node, Linearize(subject.written))
        elif is_on(side, subject.label, self.u.label()):
            if slot is not None:
                self.outbox.tell(subject.node, Linearize(slot.written))
            setattr(self.u, side, subject)
