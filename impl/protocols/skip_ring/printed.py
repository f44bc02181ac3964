"""The subscriber with Linearize as it was printed: it believes every sender, and verifies no claim.

Algorithm 1 prints the tests for left and says "analogously" for right, and the two do not exclude each other; so a
claim with this node's own label goes to both sides, here as there. An empty slot is farther away than any label.
"""

from gomboc.impl.protocols.skip_ring.claims import Claim
from gomboc.impl.protocols.skip_ring.messages import Flag, Linearize
from gomboc.impl.protocols.skip_ring.placing import Placing


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
        if any(slot is not None and slot.node == subject.node for slot in (self.u.left, self.u.right)):
            self._correct_left(subject)
            self._correct_right(subject)
        else:
            self._insert_left(subject)
            self._insert_right(subject)

    def _correct_left(self, subject: Claim) -> None:
        """Replace the label, or throw the neighbour out and send the claim to oneself.

        Source: Algorithm 1, lines 17-22
        """
        u = self.u
        if u.left is None or u.left.node != subject.node or u.left == subject:
            return
        if subject.label <= u.label():
            u.left = subject
        else:
            self.outbox.tell(u.me, Linearize(subject.written))
            u.left = None

    def _correct_right(self, subject: Claim) -> None:
        """The same on the other side.

        Source: Algorithm 1, lines 17-22, analogously
        """
        u = self.u
        if u.right is None or u.right.node != subject.node or u.right == subject:
            return
        if subject.label >= u.label():
            u.right = subject
        else:
            self.outbox.tell(u.me, Linearize(subject.written))
            u.right = None

    def _insert_left(self, subject: Claim) -> None:
        """Pass the claim on if the neighbour is closer, store it if it is.

        Source: Algorithm 1, lines 24-28
        """
        left = self.u.left
        if left is not None and subject.label <= left.label:
            self.outbox.tell(left.node, Linearize(subject.written))
        elif subject.label <= self.u.label():
            if left is not None:
                self.outbox.tell(subject.node, Linearize(left.written))
            self.u.left = subject

    def _insert_right(self, subject: Claim) -> None:
        """The same on the other side.

        Source: Algorithm 1, lines 24-28, analogously
        """
        right = self.u.right
        if right is not None and right.label <= subject.label:
            self.outbox.tell(right.node, Linearize(subject.written))
        elif self.u.label() <= subject.label:
            if right is not None:
                self.outbox.tell(subject.node, Linearize(right.written))
            self.u.right = subject
