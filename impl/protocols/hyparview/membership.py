"""The membership: views that repair themselves.

Source: Leitao, Pereira and Rodrigues 2007, "HyParView", Sections 4.2 to 4.4 and Algorithm 1
"""

from collections.abc import Sequence

from msgspec import Struct

from gomboc.impl.core.automaton import Output, Send
from gomboc.impl.protocols.hyparview.messages import (
    Accept,
    Disconnect,
    ForwardJoin,
    Join,
    Keep,
    Neighbor,
    Refuse,
    Shuffle,
    ShuffleReply,
)
from gomboc.impl.protocols.hyparview.parameters import Parameters
from gomboc.impl.protocols.hyparview.views import Toss, Views, window


class Membership:
    """The rules of a member for its `views`; each adds what it sends to `outputs`."""

    __slots__ = ("_me", "_outputs", "_parameters", "contact", "views")

    def __init__(
        self, me: str, parameters: Parameters, views: Views, contact: str | None, outputs: list[Output]
    ) -> None:
        self._me, self._parameters, self._outputs = me, parameters, outputs
        self.views, self.contact = views, contact

    def time_out(self, toss: Toss) -> None:
        """Ask a passive node to become active, check every link, and send a sample of the views on a walk."""
        views = self.views
        target = toss.active(views.active)
        if not views.active and not views.passive and self.contact is not None:
            views.passive = [self.contact]
        asks = views.asked is None and views.has_room
        candidate = toss.passive(views.passive) if asks or target is not None else None
        if asks:
            views.asked = candidate
        if views.asked is not None:
            self._tell(views.asked, Neighbor(self._me, "low" if views.active else "high"))
        for node in views.active:
            self._tell(node, Keep(self._me))
        if target is not None:
            self._shuffle(target, candidate)

    def _shuffle(self, target: str, candidate: str | None) -> None:
        """Send a sample of both views to an active node.

        Source: Section 4.4, "Passive view management"; a window in place of a random subset
        """
        beyond = window(self.views.active, target, len(self.views.active))[1:]
        sample = (*beyond[: self._parameters.ka], *window(self.views.passive, candidate, self._parameters.kp))
        self._tell(target, Shuffle(self._me, self._parameters.arwl, tuple(sorted(sample)), self._me))

    def join(self, message: Join, toss: Toss) -> None:
        """Let a node in, at the cost of another if need be, and send its walks.

        Source: Algorithm 1, "upon Receive(JOIN, newNode)"
        """
        self._accept(message.sender, toss)
        for node in self.views.active:
            if node != message.sender:
                self._tell(node, ForwardJoin(message.sender, self._parameters.arwl, self._me))

    def forward_join(self, message: ForwardJoin, toss: Toss) -> None:
        """Send the walk of a new node on; where it ends, ask the new node, if there is room.

        Source: Algorithm 1, "upon Receive(FORWARDJOIN, newNode, timeToLive, sender)"; there it is added unasked
        """
        joiner, views = message.joiner, self.views
        if joiner == self._me:
            return
        hop = self._next_hop(message.ttl, {message.sender, joiner}, toss)
        if hop is not None:
            if message.ttl == self._parameters.prwl:
                views.remember(joiner, toss)
            self._tell(hop, ForwardJoin(joiner, message.ttl - 1, self._me))
            return
        views.remember(joiner, toss)
        if joiner in views.passive and views.asked is None and views.has_room:
            views.asked = joiner
            self._tell(joiner, Neighbor(self._me, "low" if views.active else "high"))

    def _next_hop(self, ttl: int, visited: set[str], toss: Toss) -> str | None:
        """The next hop of a walk; None where it ends."""
        if ttl == 0 or len(self.views.active) <= 1:
            return None
        return toss.active([node for node in self.views.active if node not in visited])

    def neighbor(self, message: Neighbor, toss: Toss) -> None:
        """Answer a node that asks to become active: a request of high priority is never refused.

        While the last place is kept for another, one of low priority is not answered: it is asked again.

        Source: Section 4.3, "Active view management"
        """
        views, sender = self.views, message.sender
        if message.priority == "high" or sender in views.active or sender == views.asked or views.has_room:
            self._accept(sender, toss)
        elif len(views.active) == self._parameters.active:
            self._tell(sender, Refuse(self._me))

    def _accept(self, node: str, toss: Toss) -> None:
        """Have a node in the active view; a full one loses another, which is told so and becomes passive."""
        views, displaced = self.views, None
        if node not in views.active:
            if node != views.asked and not views.has_room:
                displaced = views.displace(toss)
            views.admit(node)
        self._tell(node, Accept(self._me))
        if displaced is not None:
            self._tell(displaced, Disconnect(self._me))
            views.remember(displaced, toss)

    def is_in_theirs(self, sender: str) -> None:
        """The sender has this node in its active view: have it in this one, too, if there is room."""
        views = self.views
        if sender in views.active:
            return
        if sender == views.asked or views.has_room:
            views.admit(sender)
        else:
            self._tell(sender, Disconnect(self._me))

    def refuse(self, sender: str) -> None:
        """The asked node has no room; another is asked in the next timeout."""
        if self.views.asked == sender:
            self.views.asked = None

    def disconnect(self, sender: str, toss: Toss) -> None:
        """An active node has dropped this one.

        Source: Algorithm 1, "upon Receive(DISCONNECT, peer)"
        """
        if self.views.remove(sender):
            self.views.remember(sender, toss)

    def shuffle(self, message: Shuffle, toss: Toss) -> None:
        """Send a sample on; where its walk ends, answer the origin with as many passive nodes, and take it over.

        Source: Section 4.4, "Passive view management"
        """
        if message.origin == self._me:
            return
        hop = self._next_hop(message.ttl, {message.sender, message.origin}, toss)
        if hop is not None:
            self._tell(hop, Shuffle(message.origin, message.ttl - 1, message.nodes, self._me))
            return
        sample = {*message.nodes, message.origin}
        start = toss.passive(self.views.passive)
        answer = window(self.views.passive, start, len(sample))
        self._tell(message.origin, ShuffleReply(tuple(sorted(answer))))
        self.views.integrate(sample, start, toss)

    def take_sample(self, nodes: Sequence[str], toss: Toss) -> None:
        """Take over the answer to a shuffle."""
        self.views.integrate(nodes, None, toss)

    def lose(self, node: str) -> None:
        """A node has crashed."""
        self.views.forget(node)
        if self.contact == node:
            self.contact = None

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))
