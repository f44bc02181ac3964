"""Readings of the paper that were tried beside the variants of the specification: each an override of one rule."""

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance import protocol_with
from gomboc.spec.delta_fault_tolerance.errata.joining import NotWaitedFor
from gomboc.spec.delta_fault_tolerance.errata.recovery import AddressedOnly, AnswersWhenDone, NeverClosed
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.rules import Rules
from gomboc.spec.delta_fault_tolerance.state import Node, Tree, Visited
from gomboc.spec.delta_fault_tolerance.tree import direction
from gomboc.spec.model import Outcome
from gomboc.spec.protocol import Protocol


def read(rules: type[Rules], delta: int) -> Protocol:
    """The protocol by that reading, for so many failures."""
    return protocol_with(rules(Parameters(delta)))


class Unequal(Rules, frozen=True):
    """A message is a duplicate if a stamp of it differs from the record: the sign as it stands in the text.

    Source: Section 5, isDuplicate
    """

    def is_duplicate(self, local: Node, visited: Visited) -> bool:
        """Whether any stamp differs from the record of that broker."""
        seen = dict(local.seen)
        return any(stamp is not None and node in seen and stamp != seen[node] for node, stamp in visited)


class TreeIsToldAgain(NotWaitedFor, frozen=True):
    """J goes past a broker that is away, which gets the tree nearby when it recovers.

    Source: Algorithm 5, line 11; Algorithm 6, lines 11 and 13; Algorithm 7, line 13
    """

    def tell_table(self, local: Node, me: str, peer: str) -> Outcome:
        """Send the tree nearby before the table."""
        return self.tell_tree(local, me, peer).then(super().tell_table, me, peer)

    def take_tree(self, local: Node, me: str, message: Tree) -> Outcome:
        """A broker that recovers learns of the brokers that have joined meanwhile."""
        if local.status != "recovering":
            return Outcome(local)
        return Outcome(self.with_known(local, me, (*local.known, *message.names)))


class AddressedOnlyOpen(NeverClosed, AddressedOnly, frozen=True):
    """Only messages that wait for the recovering broker itself are sent again, and no connection is ever closed.

    Source: Algorithm 7, line 9; Section 6, which says nothing of closing
    """


class AnswersByDirection(AnswersWhenDone, frozen=True):
    """A broker that recovers answers another one when it has the tables of all directions away from it.

    Source: Section 6.2, "in each direction R is connected to an OPERATIONAL node"
    """

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """The peer is remembered, and answered when nothing away from it is asked any more."""
        kept = local if peer in local.asked else replace(local, asked=(*local.asked, peer))
        return self.answer_asked(kept, me)

    def answer_asked(self, local: Node, me: str) -> Outcome:
        """Each peer that has asked is answered if no table away from it is lacking."""
        outcome = Outcome(local)
        for peer in local.asked:
            if all(direction(me, name) == direction(me, peer) for name in local.asking):
                outcome = outcome.then(self.answer_one, me, peer)
        return outcome

    def answer_one(self, local: Node, me: str, peer: str) -> Outcome:
        """The rows so far, as if they were the table."""
        kept = local.rows
        so_far = replace(local, rows=self.united(local, me), asked=tuple(x for x in local.asked if x != peer))
        answer = Outcome(so_far).then(self.tell_table, me, peer).then(self.tell_stamps, me, peer)
        return replace(answer, local=replace(answer.local, rows=kept))

    def try_to_finish(self, local: Node, me: str) -> Outcome:
        """With each answer, and each peer that is not asked any more, further peers may be answered."""
        return self.answer_asked(local, me).then(super().try_to_finish, me)
