"""HyParView as published, or as one may read it, where we deviate: each an override of some rules."""

from collections.abc import Mapping

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.hyparview.rules import Drawn, Rules
from gomboc.spec.protocols.hyparview.state import Neighbor, Node, Priority, Refuse
from gomboc.spec.protocols.hyparview.views import activated


class AddsUntold(Rules, frozen=True):
    """The node at the end of a walk adds the new one untold, and no link is restated.

    Source: HyParView, Algorithm 1, addNodeActiveView
    """

    def end_of_walk(self, _me: str, local: Node, joiner: str) -> Outcome:
        """Add the new node if there is room."""
        addable = joiner not in local.active and self.takes(local, joiner)
        return Outcome(activated(local, joiner) if addable else local)

    def restate(self, _me: str, _local: Node) -> tuple[Send, ...]:
        """Restate nothing."""
        return ()


class AcceptsAll(Rules, frozen=True):
    """Every request is accepted, and displaces another node if there is no room. Source: the report's authors."""

    def yields(self, _local: Node, _priority: Priority) -> bool:
        """Always."""
        return True


class RefusesWhileItAsks(Rules, frozen=True):
    """A node that keeps its last place for the node that it asks refuses others. Source: decided here, and wrong."""

    def neighbor(self, me: str, local: Node, message: Neighbor, drawn: Drawn) -> Outcome:
        """Refuse where ours does not answer."""
        outcome = super().neighbor(me, local, message, drawn)
        silent = message.sender != me and not outcome.sends
        return Outcome(local, (Send(message.sender, Refuse(me)),)) if silent else outcome


VARIANTS: Mapping[str, type[Rules]] = {
    "adds_untold": AddsUntold,
    "accepts_all": AcceptsAll,
    "refuses_while_it_asks": RefusesWhileItAsks,
}
"""Each variant; its words are in `errata.toml`."""
