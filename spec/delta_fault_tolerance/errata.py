"""The rules as printed, or without what we add: each an override of one rule, with what breaks."""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from spec.delta_fault_tolerance.links import connected, send
from spec.delta_fault_tolerance.parameters import Parameters
from spec.delta_fault_tolerance.rules import Rules
from spec.delta_fault_tolerance.state import (
    Connect,
    Content,
    Delivered,
    Entry,
    Forward,
    Id,
    Node,
    Publication,
    Recover,
    Rejoin,
    Row,
    StampsMessage,
    StatusMessage,
    Visited,
)
from spec.delta_fault_tolerance.tree import lies_on, path
from spec.model import Outcome, Send


class AnyDirection(Rules, frozen=True):
    """Recipients are whoever matches, also back where a message came from.

    Source: Section 4.8, RCPT^PUB
    """

    def leads_away(self, me: str, name: str, hop: str | None) -> bool:
        """Every way will do."""
        del me, name, hop
        return True

    def forward(self, local: Node, me: str, message: Forward) -> Outcome:
        """What comes back to where it is waited for is a duplicate."""
        if any(entry.id == message.id for entry in local.entries):
            return self.repeated(local, me, message)
        return super().forward(local, me, message)


class NotTheSender(Rules, frozen=True):
    """Recipients are all but those behind the very broker that has sent a message.

    Source: Section 4.1, "excluding the sender of m"
    """

    def leads_away(self, me: str, name: str, hop: str | None) -> bool:
        """Every way will do that does not go through the sender."""
        return hop is None or not lies_on(hop, me, name)


class InvertedDuplicates(Rules, frozen=True):
    """A message is a duplicate if a stamp of it succeeds what is recorded.

    Source: Section 5, isDuplicate
    """

    def is_duplicate(self, local: Node, visited: Visited) -> bool:
        """Whether any stamp is newer than what is recorded of that broker."""
        seen = dict(local.seen)
        return any(stamp is not None and node in seen and stamp > seen[node] for node, stamp in visited)


class AllStamps(Rules, frozen=True):
    """A message is a duplicate if no stamp of it succeeds what is recorded.

    Source: Section 5, "is not a duplicate if and only if m.visited contains pairs that succeed"
    """

    def is_duplicate(self, local: Node, visited: Visited) -> bool:
        """Whether all stamps are not newer than what is recorded of those brokers."""
        seen = dict(local.seen)
        stamps = [(node, stamp) for node, stamp in visited if stamp is not None]
        return bool(stamps) and all(node in seen and stamp <= seen[node] for node, stamp in stamps)


class PrintedIndex(Rules, frozen=True):
    """The broker that a row names is found at an index below 0, read as the first one: whoever has sent the row.

    Source: Section 4.7, make_copy_send^SUB
    """

    def seen_from(self, me: str, other: str, via: str) -> str:
        """The same broker if it is near enough, and else oneself."""
        return via if len(path(other, via)) - 1 <= self.reach else me


class OnConfirmation(Rules, frozen=True):
    """A message is delivered when the confirmations are in.

    Source: Algorithm 1, lines 25 and 26
    """

    def arrive(self, local: Node, me: str, id_: Id, content: Content) -> Outcome:
        """A publication is not delivered yet."""
        return Outcome(local) if isinstance(content, Publication) else super().arrive(local, me, id_, content)

    def settle(self, local: Node, me: str, id_: Id) -> Outcome:
        """A publication for which nothing is waited for any more is delivered."""
        entry = next((each for each in local.entries if each.id == id_), None)
        outcome = super().settle(local, me, id_)
        if entry is None or entry.waiting or not isinstance(entry.content, Publication):
            return outcome
        told: tuple[Delivered, ...] = self.for_client(local, id_, entry.content.attributes)
        return replace(outcome, delivered=(*told, *outcome.delivered))


class StatusOfTheOther(Rules, frozen=True):
    """Who is asked tells what it thinks of the status of who asks.

    Source: Algorithm 7, line 18
    """

    def answer(self, local: Node, me: str, message: Recover) -> Outcome:
        """A broker that recovers is told that this one does."""
        outcome = super().answer(local, me, message)
        return replace(outcome, sends=tuple(map(_recovering, outcome.sends)))


def _recovering(sent: Send) -> Send:
    found = sent.message
    return Send(sent.target, replace(found, status="recovering")) if isinstance(found, Connect) else sent


class Discarding(Rules, frozen=True):
    """Who recovers says that it is operational before REJOIN is confirmed, and discards until then what has no guide.

    Source: Algorithm 5, lines 15 to 23, and Section 6.1
    """

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """Before REJOIN sets out, it is told that one is operational."""
        if not isinstance(content, Rejoin):
            return super().issue(local, me, content)
        told = tuple(send(local, me, peer, StatusMessage, "operational") for peer in connected(local))
        return Outcome(local, told).then(super().issue, me, content)

    def forward(self, local: Node, me: str, message: Forward) -> Outcome:
        """What has no guide is discarded."""
        discarded = local.status == "recovering" and message.guide is None
        return Outcome(local) if discarded else super().forward(local, me, message)


class AnswersAtOnce(Rules, frozen=True):
    """Who recovers answers who recovers from what it has.

    Source: Section 6.2
    """

    def go_past(self, local: Node, me: str, peer: str) -> Outcome:
        """Nobody is gone past."""
        del me, peer
        return Outcome(local)

    def answer(self, local: Node, me: str, message: Recover) -> Outcome:
        """A table is told in any case."""
        outcome = super().answer(local, me, message)
        if local.status == "operational":
            return outcome
        return outcome.then(self.tell_table, me, message.sender).then(self.tell_stamps, me, message.sender)


class AnswersWhenDone(Rules, frozen=True):
    """Who recovers answers who recovers when it is done itself; only who had asked that one in vain goes past it.

    Source: Section 6.2, read so that nobody tells a table that may be incomplete
    """

    def answer(self, local: Node, me: str, message: Recover) -> Outcome:
        """The question is kept."""
        outcome = super().answer(local, me, message)
        return outcome if local.status == "operational" else outcome.then(self.hold, message.sender)

    def hold(self, local: Node, peer: str) -> Outcome:
        """Who has asked is remembered."""
        return Outcome(local if peer in local.asked else replace(local, asked=(*local.asked, peer)))

    def take_up(self, local: Node, me: str, message: Connect) -> Outcome:
        """Who recovers is waited for."""
        asking, answers = local.asking, local.answers
        if message.status == "operational" or message.sender not in asking:
            return super().take_up(local, me, message)
        outcome = super().take_up(replace(local, asking=()), me, message)
        return replace(outcome, local=replace(outcome.local, asking=asking, answers=answers))

    def become_operational(self, local: Node, me: str) -> Outcome:
        """Whoever has asked is answered."""
        outcome = super().become_operational(replace(local, asked=()), me)
        for peer in local.asked:
            outcome = outcome.then(self.tell_table, me, peer).then(self.tell_stamps, me, peer)
        return outcome


class OneSided(Rules, frozen=True):
    """Of sources on the other side of who recovers, nothing is told.

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


class NotWidened(Rules, frozen=True):
    """Whoever is no recipient by the guide never becomes one.

    Source: Section 6.1
    """

    def widened(self, local: Node, me: str, recipients: tuple[str, ...]) -> tuple[str, ...]:
        """The recipients are what they were."""
        del local, me
        return recipients


class NotGuided(Rules, frozen=True):
    """Who recovers forwards by what it knows so far.

    Source: Algorithm 1
    """

    def copy(self, local: Node, me: str, entry: Entry, peer: str) -> Send:
        """No copy has a guide."""
        sent = super().copy(local, me, entry, peer)
        return Send(sent.target, replace(sent.message, guide=None))


class NeverClosed(Rules, frozen=True):
    """Connections past a broker stay when it is back.

    Source: Section 6, which says nothing of closing them
    """

    def close(self, local: Node, me: str, peers: tuple[str, ...]) -> Outcome:
        """Nothing is closed."""
        del me, peers
        return Outcome(local)


class NoRejoin(Rules, frozen=True):
    """Who has all tables is operational at once.

    Source: Section 6, without REJOIN
    """

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """REJOIN is left out."""
        return self.become_operational(local, me) if isinstance(content, Rejoin) else super().issue(local, me, content)


class Printed(msgspec.Struct, frozen=True):
    """A variant: its name, what breaks with it, where it stands, and its rules."""

    name: str
    breaks: str
    source: str
    rules: Callable[[Parameters], Rules]


ERRATA: tuple[Printed, ...] = (
    Printed(
        "any_direction",
        "Two brokers that both have subscribers wait for each other's confirmation for ever, without any failure.",
        "Section 4.8, RCPT^PUB",
        AnyDirection,
    ),
    Printed(
        "not_the_sender",
        "What comes past a failed broker goes to that broker's other neighbours, and comes back.",
        "Section 4.1",
        NotTheSender,
    ),
    Printed(
        "inverted_duplicates",
        "The second message over a link is taken for a duplicate, confirmed and discarded.",
        "Section 5, isDuplicate",
        InvertedDuplicates,
    ),
    Printed(
        "all_stamps",
        "A copy that has come through a broker that is back has a new stamp, and is delivered again.",
        "Section 5",
        AllStamps,
    ),
    Printed(
        "printed_index",
        "The index is below 0: rows name a broker that is too near, and not the one delta + 1 away.",
        "Section 4.7, make_copy_send",
        PrintedIndex,
    ),
    Printed(
        "on_confirmation",
        "A publication whose confirmation is late is delivered after the next one.",
        "Algorithm 1, lines 25 and 26",
        OnConfirmation,
    ),
    Printed(
        "status_of_the_other",
        "Who is asked seems to recover itself, so nobody's table is taken.",
        "Algorithm 7, line 18",
        StatusOfTheOther,
    ),
    Printed(
        "discarding",
        "What is sent without a guide before REJOIN is confirmed is discarded, and never confirmed.",
        "Algorithm 5, lines 15 to 23, and Section 6.1",
        Discarding,
    ),
    Printed(
        "answers_at_once",
        "Who recovers takes over a table that is not complete, or waits for what was never sent.",
        "Section 6.2",
        AnswersAtOnce,
    ),
    Printed(
        "answers_when_done",
        "Three brokers in a row that recover wait for each other for ever.",
        "Section 6.2",
        AnswersWhenDone,
    ),
    Printed(
        "one_sided",
        "Nobody tells the row of a broker that is away as well.",
        "Algorithm 7, line 14",
        OneSided,
    ),
    Printed(
        "addressed_only",
        "What waits for brokers past one that recovers goes on waiting where the connection is closed.",
        "Algorithm 7, line 9",
        AddressedOnly,
    ),
    Printed(
        "counts_from_zero",
        "What a broker sends after it is back is taken for a duplicate.",
        "Section 4.1",
        CountsFromZero,
    ),
    Printed(
        "forgets_its_client",
        "The others go on sending to a client that has forgotten its subscription.",
        "Section 4.1",
        ForgetsItsClient,
    ),
    Printed(
        "stamps_first",
        "What was on the way is taken for a duplicate of itself.",
        "decided here",
        StampsFirst,
    ),
    Printed("no_stamps", "", "Section 6", NoStamps),
    Printed("not_widened", "A message ends where a guide ends, and is confirmed.", "Section 6.1", NotWidened),
    Printed("not_guided", "Who recovers forwards to nobody, and confirms.", "Algorithm 1", NotGuided),
    Printed("never_closed", "Connections past a broker stay for ever.", "Section 6", NeverClosed),
    Printed("no_rejoin", "", "Section 6", NoRejoin),
)
