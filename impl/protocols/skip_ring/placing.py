"""Placing: whether a claim is believed, and its position in the list or the ring.

A claim about a third party is hearsay; only a node's claim about itself is first hand, and only that may correct stored
references. "Locally" means within the same step, and a claim passed on locally is hearsay.
"""

from gomboc.impl.protocols.skip_ring.claims import Claim
from gomboc.impl.protocols.skip_ring.messages import Flag, Introduce, Linearize, Probe, RemoveConnections
from gomboc.impl.protocols.skip_ring.outbox import Outbox
from gomboc.impl.protocols.skip_ring.variables import Variables


class Placing:
    """The rules that change left, right and ring one claim at a time; `u` are the node's variables."""

    __slots__ = ("outbox", "u")

    def __init__(self, u: Variables, outbox: Outbox) -> None:
        self.u = u
        self.outbox = outbox

    def linearize(self, hearsay: Claim) -> None:
        """Place a claim in the sorted list. Source: Algorithm 1, lines 14-30."""
        if self.believes(hearsay, "LIN", first_hand=False):
            self.place_in_list(hearsay)

    def introduce(self, subject: Claim, flag: Flag, *, first_hand: bool) -> None:
        """Place a claim in the sorted list, or at the place where the list closes to a ring.

        Source: Algorithm 2, lines 16-42
        """
        if self.believes(subject, flag, first_hand=first_hand):
            if flag == "LIN":
                self.place_in_list(subject)
            else:
                self._place_in_ring(subject)

    def believes(self, subject: Claim, flag: Flag, *, first_hand: bool) -> bool:
        """Verify a claim; if it is not to be placed, send messages that find out the truth.

        Source: Section 2.2, corrupted labels; in place of Algorithm 1, lines 16-22, and Algorithm 2, lines 18-23
        """
        if not self.has_place_for(subject):
            return False
        rival, contradicted = self.u.rival_of(subject), self.u.contradict(subject)
        if first_hand:
            if contradicted:
                self.u.forget_other_labels(subject)
            if rival is not None:
                self.outbox.ask_about(subject.node)
                self.outbox.ask_about(rival)
            return rival is None
        if contradicted or rival is not None:
            self.outbox.tell(subject.node, Probe(self.u.me, flag))
            return False
        return True

    def has_place_for(self, subject: Claim) -> bool:
        """Whether the claim is about another subscriber, and this one has a label; a node without one asks to be left.

        Source: Algorithm 1, line 30; Algorithm 2, line 42
        """
        if subject.node in (self.u.me, self.u.supervisor):
            return False
        if self.u.own is None:
            self.outbox.tell(subject.node, RemoveConnections(self.u.me))
            return False
        return True

    def place_in_list(self, subject: Claim) -> None:
        """Store a believed claim if it is closer than the slot of its side; pass on the farther of the two.

        Source: Algorithm 1, lines 24-28
        """
        u = self.u
        on_the_left = self._is_left(subject)
        slot = u.left if on_the_left else u.right
        if slot == subject:
            return
        if slot is not None:
            closer = slot.label < subject.label if on_the_left else subject.label < slot.label
            if not closer:
                self.outbox.tell(slot.node, Linearize(subject.written))
                return
            self.outbox.tell(subject.node, Linearize(slot.written))
        if on_the_left:
            u.left = subject
        else:
            u.right = subject

    def _place_in_ring(self, subject: Claim) -> None:
        """Merge a believed claim with the cyclic edge. Source: Algorithm 2, lines 24-38."""
        u = self.u
        if u.ring is None:
            self._open_ring(subject)
        elif self._is_left(u.ring) == self._is_left(subject):
            if u.ring != subject:
                self._extend_ring(u.ring, subject)
        else:
            opposite, u.ring = u.ring, None
            self.linearize(subject)
            self.linearize(opposite)

    def _open_ring(self, subject: Claim) -> None:
        """Store the cyclic edge if this node ends the list, else pass it on towards the end.

        Source: Algorithm 2, lines 25-29
        """
        inner = self.u.right if self._is_left(subject) else self.u.left
        if inner is None:
            self.u.ring = subject
        elif inner.node != subject.node:
            self.outbox.tell(inner.node, Introduce(subject.written, "CYC"))

    def _extend_ring(self, ring: Claim, subject: Claim) -> None:
        """Keep the farther of two cyclic neighbours; the nearer one belongs in the list.

        Source: Algorithm 2, lines 30-34
        """
        if self._distance(subject) > self._distance(ring):
            near, far = ring, subject
        else:
            near, far = subject, ring
        self.u.ring = far
        self.outbox.tell(far.node, Introduce(near.written, "LIN"))
        self.linearize(near)

    def _is_left(self, other: Claim) -> bool:
        return other.label < self.u.label()

    def _distance(self, other: Claim) -> int:
        return abs(other.label - self.u.label())
