"""Variants of forwarding as printed, or without an addition of ours: each overrides one rule."""

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance.rules import Rules
from gomboc.spec.delta_fault_tolerance.state import (
    Content,
    Delivered,
    Entry,
    Forward,
    Id,
    Node,
    Publication,
    Visited,
)
from gomboc.spec.delta_fault_tolerance.tree import lies_on, path
from gomboc.spec.model import Outcome, Send


class AnyDirection(Rules, frozen=True):
    """Recipients are all brokers that match, also back where a message came from.

    Source: Section 4.8, RCPT^PUB
    """

    def leads_away(self, me: str, name: str, hop: str | None) -> bool:
        """Every direction is allowed."""
        del me, name, hop
        return True

    def forward(self, local: Node, me: str, message: Forward) -> Outcome:
        """A message that comes back to a broker with its entry is a duplicate."""
        if any(entry.id == message.id for entry in local.entries):
            return self.repeated(local, me, message)
        return super().forward(local, me, message)


class NotTheSender(Rules, frozen=True):
    """Recipients are all brokers but those behind the broker that has sent the message.

    Source: Section 4.1, "excluding the sender of m", which is said of traditional systems
    """

    def leads_away(self, me: str, name: str, hop: str | None) -> bool:
        """Every path is allowed that does not go through the sender."""
        return hop is None or not lies_on(hop, me, name)


class InvertedDuplicates(Rules, frozen=True):
    """A message is a duplicate if a stamp of it succeeds the recorded one.

    Source: Section 5, isDuplicate
    """

    def is_duplicate(self, local: Node, visited: Visited) -> bool:
        """Whether any stamp is newer than the recorded stamp of its broker."""
        seen = dict(local.seen)
        return any(stamp is not None and node in seen and stamp > seen[node] for node, stamp in visited)


class AllStamps(Rules, frozen=True):
    """A message is a duplicate if no stamp of it succeeds the recorded one.

    Source: Section 5, "is not a duplicate if and only if m.visited contains pairs that succeed"
    """

    def is_duplicate(self, local: Node, visited: Visited) -> bool:
        """Whether every stamp is of a broker with a recorded stamp, and not newer than that."""
        seen = dict(local.seen)
        stamps = [(node, stamp) for node, stamp in visited if stamp is not None]
        return bool(stamps) and all(node in seen and stamp <= seen[node] for node, stamp in stamps)


class PrintedIndex(Rules, frozen=True):
    """The index of the broker that a row names is below 0, read as the first broker: the sender of the row.

    Source: Section 4.7, make_copy_send^SUB
    """

    def seen_from(self, me: str, other: str, via: str) -> str:
        """The same broker if it is near enough, otherwise the sender."""
        return via if len(path(other, via)) - 1 <= self.reach else me


class OnConfirmation(Rules, frozen=True):
    """A message is delivered when the confirmations are in.

    Source: Algorithm 1, lines 25 and 26
    """

    def arrive(self, local: Node, me: str, id_: Id, content: Content) -> Outcome:
        """A publication is not delivered yet."""
        return Outcome(local) if isinstance(content, Publication) else super().arrive(local, me, id_, content)

    def settle(self, local: Node, me: str, id_: Id) -> Outcome:
        """Deliver a publication for which no confirmation is awaited any more."""
        entry = next((pending for pending in local.entries if pending.id == id_), None)
        outcome = super().settle(local, me, id_)
        if entry is None or entry.waiting or not isinstance(entry.content, Publication):
            return outcome
        deliveries: tuple[Delivered, ...] = self.for_client(local, id_, entry.content.attributes)
        return replace(outcome, delivered=(*deliveries, *outcome.delivered))


class NotWidened(Rules, frozen=True):
    """A broker that is no recipient by the guide never becomes one.

    Source: Section 6.1
    """

    def widened(self, local: Node, me: str, recipients: tuple[str, ...]) -> tuple[str, ...]:
        """The recipients are unchanged."""
        del local, me
        return recipients


class NotGuided(Rules, frozen=True):
    """A recovering broker forwards by the part of its table that it has so far.

    Source: Algorithm 1
    """

    def copy(self, local: Node, me: str, entry: Entry, peer: str) -> tuple[Send, ...]:
        """No copy has a guide."""
        sent = super().copy(local, me, entry, peer)
        return tuple(Send(output.target, replace(output.message, guide=None)) for output in sent)
