"""The subscriber with Algorithms 1 and 2 as they were printed, and no further guard: it may become its own neighbour.

The print's INTRODUCE is the message `Introduce` wherever it is sent, also for the sender itself; a `Present`, which the
paper does not have, is handled as one. "u <- ..." is a message to oneself, a call without an arrow is local, and
nothing is sent to an empty slot. An empty slot is farther away than any label. The `else` of line 41 belongs to line
17, that of line 39 to line 24, and line 24 follows on line 23 in every case. Claims are pairs of a label and a node in
V, and the supervisor is none of V: a claim about it is no claim. Algorithms 3 and 4 are ours.
"""

from gomboc.impl.protocols.skip_ring.claims import Claim
from gomboc.impl.protocols.skip_ring.core import Subscriber
from gomboc.impl.protocols.skip_ring.messages import Check, Flag, Introduce, Linearize, RemoveConnections
from gomboc.impl.protocols.skip_ring.printed import SIDES, PrintedPlacing, is_on


class PrintedRingPlacing(PrintedPlacing):
    """Placing in list and ring as printed."""

    __slots__ = ()

    def has_place_for(self, subject: Claim) -> bool:
        """Whether this node has a label: the print has no test whether the claim is about this node itself.

        Source: Algorithm 1, lines 15 and 30; Algorithm 2, lines 17 and 42
        """
        if subject.node == self.u.supervisor:
            return False
        if self.u.own is None:
            self.outbox.tell(subject.node, RemoveConnections(self.u.me))
        return self.u.own is not None

    def introduce(self, subject: Claim, flag: Flag, *, first_hand: bool) -> None:
        """Correct the label of the cyclic neighbour, then place the claim; first hand and hearsay count alike.

        Source: Algorithm 2, lines 16-42
        """
        del first_hand
        if not self.has_place_for(subject):
            return
        ring = self.u.ring
        if ring is not None and ring.node == subject.node and ring.label != subject.label:
            self._correct_ring(ring, subject, flag)
        if flag == "LIN":
            self.place_in_list(subject)
        else:
            self._close(subject)

    def _correct_ring(self, ring: Claim, subject: Claim, flag: Flag) -> None:
        """Replace the label if it stays on its side; else drop the edge and send the claim to oneself.

        Line 22 names no flag; it is that of the message.

        Source: Algorithm 2, lines 18-23
        """
        if self._on_one_side(ring, subject):
            self.u.ring = subject
        else:
            self.outbox.tell(self.u.me, Introduce(subject.written, flag))
            self.u.ring = None

    def _close(self, subject: Claim) -> None:
        """Take a claim for the cyclic edge. Source: Algorithm 2, lines 25-38."""
        u, ring = self.u, self.u.ring
        if ring is None:
            self._pass_to_the_end(subject)
        elif self._on_one_side(ring, subject):
            self._keep_the_farther(ring, subject)
        else:
            for claim in (subject, ring):
                self.outbox.tell(u.me, Introduce(claim.written, "LIN"))
            u.ring = None

    def _pass_to_the_end(self, subject: Claim) -> None:
        """Store the cyclic edge if the list ends here, else pass the claim on; nothing for one with this node's label.

        Source: Algorithm 2, lines 25-29
        """
        u = self.u
        if subject.label == u.label():
            return
        inner = u.right if subject.label < u.label() else u.left
        if inner is None:
            u.ring = subject
        else:
            self.outbox.tell(inner.node, Introduce(subject.written, "CYC"))

    def _keep_the_farther(self, ring: Claim, subject: Claim) -> None:
        """Keep the farther of the two, take the other one into the list, and tell the farther of u.ring, as printed.

        Lines 32 and 34 read u.ring after line 31 has assigned it, so that the reference that line 31 replaces is in
        neither of them. Of two that are equally far the old one stays.

        Source: Algorithm 2, lines 30-34
        """
        u = self.u
        far = subject if abs(subject.label - u.label()) > abs(ring.label - u.label()) else ring
        u.ring = far
        if subject != far:
            self.outbox.tell(u.me, Introduce(subject.written, "LIN"))
        self.outbox.tell(far.node, Introduce(far.written, "LIN"))

    def _on_one_side(self, one: Claim, other: Claim) -> bool:
        own = self.u.label()
        return (one.label < own and other.label < own) or (one.label > own and other.label > own)


class PrintedRingSubscriber(Subscriber):
    """A subscriber with the timeout and CHECK of the print; it is meant to have `PrintedRingPlacing`."""

    __slots__ = ()

    def _tidy(self) -> None:
        """Keep all subscribers that are stored, oneself included: no line of the print forgets it."""
        self.u.forget(self.u.supervisor)

    def _check(self, sender: Claim, text: str, flag: Flag) -> None:
        """Tell a sender that has the label wrong, and take any other one in.

        As printed, a node without a label would introduce itself with none; ours asks to be left, but not by itself.

        Source: Algorithm 1, lines 8-12
        """
        own = self.u.own
        if sender.node == self.u.supervisor or (own is None and sender.node == self._me):
            return
        if own is not None and own.written[0] != text:
            self._tell(sender.node, Introduce(own.written, flag))
        else:
            self._introduce(sender, flag, first_hand=True)

    def _close_ring(self, own: Claim) -> None:
        """Look for the other end of the list, pass on a cyclic edge that does not belong here, or check it.

        Source: Algorithm 2, lines 2-13
        """
        u, left, right, ring = self.u, self.u.left, self.u.right, self.u.ring
        if ring is None:
            inner = right if left is None else left if right is None else None
            if inner is not None:
                self._tell(inner.node, Introduce(own.written, "CYC"))
        elif ring.label != own.label:
            inner = left if ring.label > own.label else right
            if inner is None:
                self._tell(ring.node, Check(own.written, ring.written[0], "CYC"))
            else:
                self._tell(inner.node, Introduce(ring.written, "CYC"))
                u.ring = None

    def _order_list(self, own: Claim) -> None:
        """Check the neighbours; one that is on the wrong side is dropped and sent to oneself.

        Source: Algorithm 1, lines 1-6
        """
        for side in SIDES:
            slot = getattr(self.u, side)
            if slot is None:
                continue
            if is_on(side, slot.label, own.label):
                self._tell(slot.node, Check(own.written, slot.written[0], "LIN"))
            else:
                self._tell(self._me, Linearize(slot.written))
                setattr(self.u, side, None)
