"""Variants of joining as printed, or without an addition of ours: each overrides one rule."""

from gomboc.spec.delta_fault_tolerance.links import link, send
from gomboc.spec.delta_fault_tolerance.rules import Rules
from gomboc.spec.delta_fault_tolerance.state import Content, Joined, JoinRequest, Node, Tree
from gomboc.spec.delta_fault_tolerance.tree import distance, parent, within
from gomboc.spec.model import Outcome


class Unheard(Rules, frozen=True):
    """J is of the leaf, and has no recipients as printed: a leaf is on no path to its join point but its own.

    Source: Section 4.6, RCPT^J
    """

    def make_known(self, local: Node, me: str, leaf: str) -> Outcome:
        """The join point alone has the new link."""
        return Outcome(self.with_known(local, me, (*local.known, leaf)))


class TreeOfLinks(Rules, frozen=True):
    """A joining leaf receives the links with both ends within delta of the join point, and knows these ends.

    Its own link it knows in any case: the recipients of its J are computed with it.

    Source: Algorithm 2, PAR_TOP; Section 4.6, RCPT^J
    """

    def tell_tree(self, local: Node, me: str, peer: str) -> Outcome:
        """The ends of those links, which are none if delta = 0, and of the link to the join point."""
        near = {name for name in (me, *local.known) if distance(name, me) < self.reach}
        ends = {end for name in near if (above := parent(name)) in near and above for end in (name, above)}
        return Outcome(local, send(local, me, peer, Tree, within(frozenset((me, *ends)), peer, self.reach)))


class Unmarked(Rules, frozen=True):
    """A joining leaf is not told of leaves that are still joining.

    Source: Algorithm 7, line 13, read as for Algorithm 2: "unmarked topology links"
    """

    def tell_tree(self, local: Node, me: str, peer: str) -> Outcome:
        """Send only known brokers, and the sender itself."""
        near = within(frozenset((me, *local.known)), peer, self.reach)
        return Outcome(local, send(local, me, peer, Tree, near))


class NotWaitedFor(Rules, frozen=True):
    """J goes past brokers that are away.

    Source: Algorithm 3, for J as for any message
    """

    def stays(self, local: Node, me: str, content: Content, gone: str) -> bool:
        """Only if the recipient is at the edge of `known`."""
        del local, content
        return distance(me, gone) == self.reach


class AnsweredFirst(Rules, frozen=True):
    """A leaf receives the tree and the table at once, and J is sent after that.

    Source: Section 4.6, the two phases
    """

    def admit(self, local: Node, me: str, message: JoinRequest) -> Outcome:
        """Record the leaf at once, answer it, and then send J."""
        peer, connection = message.sender, link(local, message.sender)
        answered = connection is not None and connection.theirs == message.stream
        if local.asking or answered:
            return super().admit(local, me, message)
        fresh = peer not in local.known
        known = self.with_known(local, me, (*local.known, peer))
        outcome = self.answer(known, me, message)
        return outcome.then(self.issue, me, Joined(peer)) if fresh else outcome
