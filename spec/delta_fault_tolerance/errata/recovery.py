"""How brokers recover as printed, or without what we add: each an override of one rule."""

from collections.abc import Iterable

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance.links import connected, link, send
from gomboc.spec.delta_fault_tolerance.rules import Rules
from gomboc.spec.delta_fault_tolerance.state import (
    Connect,
    Content,
    Entry,
    Forward,
    JoinRequest,
    Node,
    Operation,
    Recover,
    Rejoin,
    Row,
    StampsMessage,
    StatusMessage,
)
from gomboc.spec.delta_fault_tolerance.tree import distance
from gomboc.spec.model import Outcome, Send


class StatusOfTheOther(Rules, frozen=True):
    """Who is asked tells what it thinks of the status of who asks.

    Source: Algorithm 7, line 18
    """

    def answer(self, local: Node, me: str, message: Recover | JoinRequest) -> Outcome:
        """A broker that recovers is told that this one does."""
        outcome = super().answer(local, me, message)
        return replace(outcome, sends=tuple(map(_recovering, outcome.sends)))


def _recovering(sent: Send) -> Send:
    message = sent.message
    return Send(sent.target, replace(message, status="recovering")) if isinstance(message, Connect) else sent


class Discarding(Rules, frozen=True):
    """Who recovers says that it is operational before REJOIN is confirmed, and discards until then what has no guide.

    Source: Algorithm 5, lines 15 to 23, and Section 6.1
    """

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """Before REJOIN sets out, it is told that one is operational."""
        if not isinstance(content, Rejoin):
            return super().issue(local, me, content)
        statuses = tuple(
            sent for peer in connected(local) for sent in send(local, me, peer, StatusMessage, "operational")
        )
        return Outcome(local, statuses).then(super().issue, me, content)

    def forward(self, local: Node, me: str, message: Forward) -> Outcome:
        """What has no guide is discarded."""
        discarded = local.status == "recovering" and message.guide is None
        return Outcome(local) if discarded else super().forward(local, me, message)


class AnswersAtOnce(Rules, frozen=True):
    """Who is still asking answers who recovers from what it has.

    Source: Section 6.2
    """

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """A table is told in any case."""
        return self.tell_table(local, me, peer).then(self.tell_stamps, me, peer)


class AnswersWhenDone(Rules, frozen=True):
    """Who is still asking answers who recovers when it is operational itself.

    Source: Section 6.2, read so that nobody tells a table that may be incomplete
    """

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """Who has asked is remembered; whether it is waited for depends on whom it had asked before."""
        kept = local if peer in local.asked else replace(local, asked=(*local.asked, peer))
        return self.go_past(kept, me, peer)

    def become_operational(self, local: Node, me: str) -> Outcome:
        """Whoever has asked is answered, unless the connection is closed by now."""
        outcome = super().become_operational(replace(local, asked=()), me)
        for peer in (name for name in local.asked if link(outcome.local, name) is not None):
            outcome = outcome.then(self.tell_table, me, peer).then(self.tell_stamps, me, peer)
        return outcome


class SilentRejoin(Rules, frozen=True):
    """REJOIN goes to who is near, and says nothing of the subscriptions of its source.

    Source: Section 6, REJOIN
    """

    def all_recipients(self, local: Node, content: Content) -> Iterable[str]:
        """Who is within delta + 1 of who rejoins."""
        if isinstance(content, Rejoin):
            return (name for name in local.known if distance(name, content.source) <= self.reach)
        return super().all_recipients(local, content)

    def stored(self, local: Node, me: str, operation: Operation) -> Node:
        """REJOIN changes no table."""
        return local if isinstance(operation, Rejoin) else super().stored(local, me, operation)


class OneSided(SilentRejoin, frozen=True):
    """Of sources on the other side of who recovers, nothing is told, and REJOIN does not make up for it.

    Source: Algorithm 7, line 14, "d(Z, N) < d(Z, R)"
    """

    def is_exact(self, row: Row) -> bool:
        """No row counts as exact."""
        del row
        return False


class AddressedOnly(Rules, frozen=True):
    """Only what waits for a broker that recovers itself is sent to it again.

    Source: Algorithm 7, line 9
    """

    def hand_over(self, local: Node, me: str, peer: str) -> Outcome:
        """What waits for others stays with them."""
        return self.resend(local, me, peer)

    def entrust(self, local: Node, me: str, peer: str) -> Outcome:
        """What waits for others stays with them."""
        del me, peer
        return Outcome(local)


class CountsFromZero(Rules, frozen=True):
    """Who comes back counts from 0 again.

    Source: Section 4.1, "all the data internal to the node's process"
    """

    def restart(self, local: Node, me: str) -> Outcome:
        """The incarnation is lost too."""
        return super().restart(replace(local, incarnation=-1) if local.status == "failed" else local, me)


class ForgetsItsClient(Rules, frozen=True):
    """Who fails forgets what its own client has subscribed to.

    Source: Section 4.1, "all the data internal to the node's process"
    """

    def crash(self, local: Node) -> Outcome:
        """The own subscriptions are lost too."""
        outcome = super().crash(local)
        return replace(outcome, local=replace(outcome.local, own=())) if outcome.delivered else outcome


class StampsFirst(Rules, frozen=True):
    """Stamps are handed over before what is on the way.

    Source: decided here
    """

    def tell_table(self, local: Node, me: str, peer: str) -> Outcome:
        """The stamps are told with the table; who has them has everything."""
        return super().tell_table(local, me, peer).then(super().tell_stamps, me, peer)

    def tell_stamps(self, local: Node, me: str, peer: str) -> Outcome:
        """They have been told."""
        del me, peer
        return Outcome(local)


class NoStamps(Rules, frozen=True):
    """Who recovers hears nothing of what the others have recorded.

    Source: Section 6, which hands over tables only
    """

    def take_stamps(self, local: Node, me: str, message: StampsMessage) -> Outcome:
        """That a peer has said everything is all that counts."""
        return super().take_stamps(local, me, replace(message, stamps=()))


class NeverClosed(Rules, frozen=True):
    """Connections past a broker stay when it is back.

    Source: Section 6, which says nothing of closing them
    """

    def close(self, local: Node, me: str, peers: tuple[str, ...]) -> Outcome:
        """Nothing is closed."""
        del me, peers
        return Outcome(local)


class NoRejoin(Rules, frozen=True):
    """Who has all tables is operational at once, and REJOIN is not waited for.

    Source: Section 6, without REJOIN
    """

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """REJOIN only tells of subscriptions."""
        outcome = super().issue(local, me, content)
        return outcome.then(self.become_operational, me) if isinstance(content, Rejoin) else outcome

    def completed(self, local: Node, me: str, entry: Entry) -> Outcome:
        """That REJOIN is confirmed means nothing."""
        return Outcome(local) if isinstance(entry.content, Rejoin) else super().completed(local, me, entry)
