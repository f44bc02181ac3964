"""How messages are forwarded as printed, or without what we add: each an override of one rule."""

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

    Source: Section 4.1, "excluding the sender of m", which is said of traditional systems
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
        entry = next((pending for pending in local.entries if pending.id == id_), None)
        outcome = super().settle(local, me, id_)
        if entry is None or entry.waiting or not isinstance(entry.content, Publication):
            return outcome
        deliveries: tuple[Delivered, ...] = self.for_client(local, id_, entry.content.attributes)
        return replace(outcome, delivered=(*deliveries, *outcome.delivered))


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

    def copy(self, local: Node, me: str, entry: Entry, peer: str) -> tuple[Send, ...]:
        """No copy has a guide."""
        sent = super().copy(local, me, entry, peer)
        return tuple(Send(output.target, replace(output.message, guide=None)) for output in sent)
