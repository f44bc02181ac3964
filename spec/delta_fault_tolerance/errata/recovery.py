"""Variants of recovery as printed, or without an addition of ours: each overrides one rule."""

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
    """The answer has the recorded status of the asking broker, not the answering broker's own.

    Source: Algorithm 7, line 18
    """

    def answer(self, local: Node, me: str, message: Recover | JoinRequest) -> Outcome:
        """Answer a recovering broker with the status "recovering"."""
        outcome = super().answer(local, me, message)
        return replace(outcome, sends=tuple(map(_recovering, outcome.sends)))


def _recovering(sent: Send) -> Send:
    message = sent.message
    return Send(sent.target, replace(message, status="recovering")) if isinstance(message, Connect) else sent


class Discarding(Rules, frozen=True):
    """A recovering broker claims to be operational before REJOIN is confirmed, and until then discards unguided copies.

    Source: Algorithm 5, lines 15 to 23, and Section 6.1
    """

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """Before REJOIN, send the status "operational"."""
        if not isinstance(content, Rejoin):
            return super().issue(local, me, content)
        statuses = tuple(
            sent for peer in connected(local) for sent in send(local, me, peer, StatusMessage, "operational")
        )
        return Outcome(local, statuses).then(super().issue, me, content)

    def forward(self, local: Node, me: str, message: Forward) -> Outcome:
        """Discard a copy without a guide while recovering."""
        discarded = local.status == "recovering" and message.guide is None
        return Outcome(local) if discarded else super().forward(local, me, message)


class AnswersAtOnce(Rules, frozen=True):
    """A broker that is still asking answers a recovering peer from its incomplete table.

    Source: Section 6.2
    """

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """Send a table in any case."""
        return self.tell_table(local, me, peer).then(self.tell_stamps, me, peer)


class AnswersWhenDone(Rules, frozen=True):
    """A broker that is still asking answers a recovering peer when it is operational itself.

    Source: Section 6.2, read so that no broker sends a table that may be incomplete
    """

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """Remember a peer that has asked. If this broker had asked it too, ask the brokers beyond it instead."""
        kept = local if peer in local.asked else replace(local, asked=(*local.asked, peer))
        return self.go_past(kept, me, peer)

    def become_operational(self, local: Node, me: str) -> Outcome:
        """Answer each peer that has asked, unless the connection is closed by now."""
        outcome = super().become_operational(replace(local, asked=()), me)
        for peer in (name for name in local.asked if link(outcome.local, name) is not None):
            outcome = outcome.then(self.tell_table, me, peer).then(self.tell_stamps, me, peer)
        return outcome


class SilentRejoin(Rules, frozen=True):
    """REJOIN goes to brokers nearby only, and has no effect on tables.

    Source: Section 6, REJOIN
    """

    def all_recipients(self, local: Node, content: Content) -> Iterable[str]:
        """The brokers within delta + 1 of the source of REJOIN."""
        if isinstance(content, Rejoin):
            return (name for name in local.known if distance(name, content.source) <= self.reach)
        return super().all_recipients(local, content)

    def stored(self, local: Node, me: str, operation: Operation) -> Node:
        """REJOIN changes no table."""
        return local if isinstance(operation, Rejoin) else super().stored(local, me, operation)


class OneSided(SilentRejoin, frozen=True):
    """The answer has no rows of sources on the other side of the recovering broker, and REJOIN does not add them.

    Source: Algorithm 7, line 14, "d(Z, N) < d(Z, R)"
    """

    def is_exact(self, row: Row) -> bool:
        """No row counts as exact."""
        del row
        return False


class AddressedOnly(Rules, frozen=True):
    """A recovering broker is sent again only messages that wait for itself.

    Source: Algorithm 7, line 9
    """

    def hand_over(self, local: Node, me: str, peer: str) -> Outcome:
        """Messages that wait for other brokers stay with these."""
        return self.resend(local, me, peer)

    def entrust(self, local: Node, me: str, peer: str) -> Outcome:
        """Messages that wait for other brokers stay with these."""
        del me, peer
        return Outcome(local)


class CountsFromZero(Rules, frozen=True):
    """A broker that comes back counts from 0 again.

    Source: Section 4.1, "all the data internal to the node's process"
    """

    def restart(self, local: Node, me: str) -> Outcome:
        """The incarnation is lost too."""
        return super().restart(replace(local, incarnation=-1) if local.status == "failed" else local, me)


class ForgetsItsClient(Rules, frozen=True):
    """A broker that fails forgets its own client's subscriptions.

    Source: Section 4.1, "all the data internal to the node's process"
    """

    def crash(self, local: Node) -> Outcome:
        """The own subscriptions are lost too."""
        outcome = super().crash(local)
        return replace(outcome, local=replace(outcome.local, own=())) if outcome.delivered else outcome


class StampsFirst(Rules, frozen=True):
    """Stamps are sent before the messages on the way.

    Source: decided here
    """

    def tell_table(self, local: Node, me: str, peer: str) -> Outcome:
        """Send the stamps right after the table; the answer ends with them."""
        return super().tell_table(local, me, peer).then(super().tell_stamps, me, peer)

    def tell_stamps(self, local: Node, me: str, peer: str) -> Outcome:
        """Do nothing: the stamps have been sent."""
        del me, peer
        return Outcome(local)


class NoStamps(Rules, frozen=True):
    """A recovering broker receives no recorded stamps of its peers.

    Source: Section 6, which hands over tables only
    """

    def take_stamps(self, local: Node, me: str, message: StampsMessage) -> Outcome:
        """Only take note that the answer is complete."""
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
    """A broker with all tables is operational at once, without waiting for REJOIN.

    Source: Section 6, without REJOIN
    """

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """Send REJOIN, and become operational at once."""
        outcome = super().issue(local, me, content)
        return outcome.then(self.become_operational, me) if isinstance(content, Rejoin) else outcome

    def completed(self, local: Node, me: str, entry: Entry) -> Outcome:
        """Ignore the confirmation of REJOIN."""
        return Outcome(local) if isinstance(entry.content, Rejoin) else super().completed(local, me, entry)
