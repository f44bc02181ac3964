"""Scribe as published, or as one may build it, where we deviate: each an override of one rule."""

from collections.abc import Mapping

from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.scribe.rules import Rules
from gomboc.spec.protocols.scribe.state import (
    Keys,
    Leave,
    Node,
    Subscribe,
    in_tree,
    is_idle,
    keys_of,
    without_publications,
)


class NoHeartbeats(Rules, frozen=True):
    """No parent tells its children that it is their parent. Source: Section 2.4.3, which has no heartbeat."""

    def heartbeats(self, _me: str, _local: Node) -> tuple[Send, ...]:
        """No heartbeats."""
        return ()


class NoRefresh(Rules, frozen=True):
    """A child subscribes once. Source: Section 2.4.3, DisseminateMessageRequest(SUB)."""

    def restate(self, local: Node, me: str) -> Outcome:
        """Subscribe only to a next hop that is not the parent."""
        if local.parent is not None and local.parent == local.next and in_tree(me, local):
            return Outcome(local, self.heartbeats(me, local))
        return Rules(self.parameters).restate(local, me)


class ParentFromSender(Rules, frozen=True):
    """The parent is the node that sent a heartbeat last, and the next hop is asked only without one.

    Source: FreePastry, Topic.setParent
    """

    def restate(self, local: Node, me: str) -> Outcome:
        """Subscribe to the parent, whichever it is."""
        if local.parent is None or not in_tree(me, local) or local.next == me:
            return Rules(self.parameters).restate(local, me)
        outcome = Rules(self.parameters).restate(replace(local, next=local.parent), me)
        return replace(outcome, local=replace(outcome.local, next=local.next))

    def revoke(self, local: Node, me: str) -> Outcome:
        """Leave the parent only with the tree."""
        return Outcome(local) if in_tree(me, local) and local.next != me else Rules(self.parameters).revoke(local, me)

    def heartbeat(self, me: str, local: Node, sender: str, keys: Keys) -> Outcome:
        """Take the sender for the parent, and leave the one before."""
        if not in_tree(me, local) or local.next == me:
            return Rules(self.parameters).heartbeat(me, local, sender, keys)
        left = () if local.parent in (None, sender) else (Send(str(local.parent), Leave(me)),)
        local = replace(local, parent=sender)
        return Outcome(local, (*left, *self.request(me, local, sender, keys)))


class HeartbeatTimer(Rules, frozen=True):
    """A parent that sent no heartbeat since the last timeout is taken to be gone.

    The parent is the node that sent one since then.

    Source: Rowstron et al. 2001, Section III-D, "a child suspects that its parent is faulty when it fails to receive
    heartbeat messages"
    """

    def restate(self, local: Node, me: str) -> Outcome:
        """Subscribe, and wait for a heartbeat."""
        outcome = Rules(self.parameters).restate(local, me)
        return replace(outcome, local=replace(outcome.local, parent=None))

    def heartbeat(self, me: str, local: Node, sender: str, keys: Keys) -> Outcome:
        """The next hop is the parent, once it has sent a heartbeat."""
        outcome = Rules(self.parameters).heartbeat(me, local, sender, keys)
        return replace(outcome, local=replace(outcome.local, parent=sender)) if sender == local.next else outcome


class SendsOnce(Rules, frozen=True):
    """A subscription is sent once, and nothing is ever heard of a crash.

    Source: Section 2.4.3, read so that an owner adds children, and that publications go to them
    """

    def revoke(self, local: Node, me: str) -> Outcome:
        """Leave the parent only with the tree."""
        return Outcome(local) if in_tree(me, local) else Rules(self.parameters).revoke(local, me)

    def restate(self, local: Node, me: str) -> Outcome:
        """Subscribe without a parent; no heartbeats."""
        outcome = Rules(self.parameters).restate(local, me)
        asks = tuple(send for send in outcome.sends if isinstance(send.message, Subscribe))
        return Outcome(local) if local.parent is not None else replace(outcome, sends=asks)

    def handle_crash(self, local: Node, _node: str) -> Node:
        """Take no notice."""
        return local


class NoHandover(Rules, frozen=True):
    """A leaver forgets its publications at once. Source: Section 2.4.3, ScribeMessage(UNSUB)."""

    def repair(self, me: str, local: Node) -> Node:
        """Forget without subscribers."""
        local = Rules(self.parameters).repair(me, local)
        return without_publications(local, keys_of(local)) if is_idle(me, local) else local


VARIANTS: Mapping[str, type[Rules]] = {
    "no_heartbeats": NoHeartbeats,
    "no_refresh": NoRefresh,
    "parent_from_sender": ParentFromSender,
    "heartbeat_timer": HeartbeatTimer,
    "sends_once": SendsOnce,
    "no_handover": NoHandover,
}
"""Each variant; its words are in `errata.toml`."""
