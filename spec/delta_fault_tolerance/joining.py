"""Joining of a leaf: it asks its parent, which makes it known to all brokers nearby before it sends it the tree."""

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance.links import link, recover, unanswered
from gomboc.spec.delta_fault_tolerance.recovery import Recovery
from gomboc.spec.delta_fault_tolerance.state import Joined, JoinRequest, Node, StatusTold, Tree, is_joining
from gomboc.spec.model import Outcome


class Joining(Recovery, frozen=True):
    """The rules of joining; errata override some of them."""

    # At the leaf.

    def join(self, local: Node, me: str) -> Outcome:
        """Ask the parent, from outside. Joining is no recovery: the incarnation stays.

        Source: Algorithm 2, joining node
        """
        if local.status != "detached":
            return Outcome(local)
        local = replace(local, status="recovering")
        asked = self.ask(local, me, self.neighbours(local, me))
        return replace(asked, delivered=(StatusTold("recovering"),))

    def ask_again(self, local: Node, me: str) -> Outcome:
        """Repeat the question in the same stream until the parent has answered.

        The parent answers when all brokers nearby have heard of the leaf; if it was away, it has lost the question.

        Source: decided here
        """
        return Outcome(local, tuple(sent for peer in unanswered(local) for sent in recover(local, me, peer)))

    def take_tree(self, local: Node, me: str, message: Tree) -> Outcome:
        """Take the tree nearby; from here on the leaf recovers like any broker.

        Source: Algorithm 2, the last two lines
        """
        if not is_joining(local):
            return Outcome(local)
        return Outcome(self.with_known(local, me, message.names))

    # At its parent.

    def admit(self, local: Node, me: str, message: JoinRequest) -> Outcome:
        """Make a leaf that asks known to all brokers nearby first; then answer it like a recovering broker.

        A broker that is still asking has nothing to tell, nor has the leaf. An answered question is not answered again.

        Source: Algorithm 2, join point; Section 4.6, J; the order is decided here
        """
        peer = message.sender
        if local.asking:
            return self.go_past(local, me, peer)
        outcome = Outcome(local) if peer in local.known else self.make_known(local, me, peer)
        connection = link(local, peer)
        answered = connection is not None and connection.theirs == message.stream
        if answered or peer not in outcome.local.known:
            return outcome
        return outcome.then(self.answer, me, message)

    def make_known(self, local: Node, me: str, leaf: str) -> Outcome:
        """Send J, unless it is on its way.

        Source: Section 4.6, J
        """
        if any(entry.content == Joined(leaf) for entry in local.entries):
            return Outcome(local)
        return self.issue(local, me, Joined(leaf))
