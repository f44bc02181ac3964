"""How a leaf joins as printed, or without what we add: each an override of one rule."""

from gomboc.spec.delta_fault_tolerance.links import link, send
from gomboc.spec.delta_fault_tolerance.rules import Rules
from gomboc.spec.delta_fault_tolerance.state import Content, Joined, JoinRequest, Node, Tree
from gomboc.spec.delta_fault_tolerance.tree import distance, parent, within
from gomboc.spec.model import Outcome


class Unheard(Rules, frozen=True):
    """J is of the leaf, whose recipients as printed are nobody: a leaf is on no path to its join point but its own.

    Source: Section 4.6, RCPT^J
    """

    def make_known(self, local: Node, me: str, leaf: str) -> Outcome:
        """The join point alone has the new link."""
        return Outcome(self.with_known(local, me, (*local.known, leaf)))


class TreeOfLinks(Rules, frozen=True):
    """Who joins is told the links whose ends are both within delta of the join point, and knows those ends.

    Its own link it knows in any case: the recipients of its J are computed with it.

    Source: Algorithm 2, PAR_TOP; Section 4.6, RCPT^J
    """

    def tell_tree(self, local: Node, me: str, peer: str) -> Outcome:
        """The ends of those links, which are none if delta = 0, and of the link to the join point."""
        near = {name for name in (me, *local.known) if distance(name, me) < self.reach}
        ends = {end for name in near if (above := parent(name)) in near and above for end in (name, above)}
        return Outcome(local, send(local, me, peer, Tree, within(frozenset((me, *ends)), peer, self.reach)))


class Unmarked(Rules, frozen=True):
    """Who joins is not told of those whose joining is not over.

    Source: Algorithm 7, line 13, read as for Algorithm 2: "unmarked topology links"
    """

    def tell_tree(self, local: Node, me: str, peer: str) -> Outcome:
        """Only who is known, and oneself."""
        near = within(frozenset((me, *local.known)), peer, self.reach)
        return Outcome(local, send(local, me, peer, Tree, near))


class NotWaitedFor(Rules, frozen=True):
    """J goes past who is away.

    Source: Algorithm 3, for J as for any message
    """

    def stays(self, local: Node, me: str, content: Content, gone: str) -> bool:
        """Only if nobody may be beyond."""
        del local, content
        return distance(me, gone) == self.reach


class AnsweredFirst(Rules, frozen=True):
    """A leaf is told the tree and the table at once, and J sets out after that.

    Source: Section 4.6, the two phases
    """

    def admit(self, local: Node, me: str, message: JoinRequest) -> Outcome:
        """The leaf is known here at once, and answered; J is on its way."""
        peer, connection = message.sender, link(local, message.sender)
        answered = connection is not None and connection.theirs == message.stream
        if local.asking or answered:
            return super().admit(local, me, message)
        fresh = peer not in local.known
        known = self.with_known(local, me, (*local.known, peer))
        outcome = self.answer(known, me, message)
        return outcome.then(self.issue, me, Joined(peer)) if fresh else outcome
