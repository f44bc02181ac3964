"""The automaton of a node: one input at a time; joining, leaving and crashing, the membership, and the broadcast."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Delivered,
    Failing,
    Input,
    Output,
    RandomSource,
    Received,
    Refused,
    Send,
    SetTimer,
    Timeout,
)
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import Crash, Suspect, encode
from gomboc.impl.protocols.hyparview.broadcasting import (
    Holdings,
    asked_for,
    delivery_order,
    flooded,
    restated,
    supplied,
)
from gomboc.impl.protocols.hyparview.commands import Join, Leave, Spread
from gomboc.impl.protocols.hyparview.deliveries import Heard, Peers
from gomboc.impl.protocols.hyparview.membership import Membership
from gomboc.impl.protocols.hyparview.messages import (
    Accept,
    Broadcast,
    Dead,
    Digest,
    Disconnect,
    ForwardJoin,
    Item,
    Keep,
    Neighbor,
    Publish,
    Refuse,
    Request,
    Shuffle,
    ShuffleReply,
)
from gomboc.impl.protocols.hyparview.messages import Join as JoinRequest
from gomboc.impl.protocols.hyparview.parameters import Parameters
from gomboc.impl.protocols.hyparview.states import CRASHED, State, Status
from gomboc.impl.protocols.hyparview.views import Toss, Views
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.store import Store

_UNANSWERED = Accept | Refuse | Disconnect
"""Messages with a sender to which a crashed node's mailbox does not answer."""


class Node:
    """The automaton; `status` says whether the node is a member."""

    __slots__ = ("_authenticator", "_holdings", "_me", "_membership", "_outputs", "_parameters", "_random", "status")

    def __init__(
        self, me: str, state: State, parameters: Parameters, authenticator: Authenticator, random: RandomSource
    ) -> None:
        self._me, self._random = me, random
        self._parameters, self._authenticator = parameters, authenticator
        self._outputs: list[Output] = []
        self._load(state)

    def _load(self, state: State) -> None:
        self.status: Status = state.status
        views = Views(self._me, self._parameters, state)
        self._membership = Membership(self._me, self._parameters, views, state.contact, self._outputs)
        self._holdings = Holdings(self._parameters, self._authenticator, state)

    def store(self, topic: str) -> Store:
        """The publications of a topic, for reading."""
        return self._holdings.store(topic)

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step."""
        toss = Toss(self._random)
        match event:
            case Timeout():
                self._time_out(toss)
                self._outputs.append(SetTimer(now + 1.0))
            case Received(message) if self.status == "inside":
                self._receive(message, toss)
            case Received(message):
                self._receive_outside(message, toss)
            case Commanded(command) if self.status != "crashed":
                self._obey(command)
        outputs = [*self._outputs, *toss.traced()]
        self._outputs.clear()
        return outputs

    def snapshot(self) -> Raw:
        """The variables, as JSON."""
        views, contact = self._membership.views, self._membership.contact
        parts = [b'{"status":"%b"' % self.status.encode()]
        if views.active:
            parts.append(b',"active":' + encode(views.active))
        if views.passive:
            parts.append(b',"passive":' + encode(views.passive))
        if views.asked is not None:
            parts.append(b',"asked":' + encode(views.asked))
        if contact is not None:
            parts.append(b',"contact":' + encode(contact))
        return Raw(b"".join((*parts, self._holdings.written(), b"}")))

    # Getting in, and out.

    def _time_out(self, toss: Toss) -> None:
        """Ask to be let in; or, inside, do all that is periodic."""
        contact, views = self._membership.contact, self._membership.views
        if self.status == "outside" and contact is not None:
            self._tell(contact, JoinRequest(self._me))
        elif self.status == "inside":
            self._holdings.audit()
            self._membership.time_out(toss)
            self._outputs += restated(self._me, self._holdings, views.active)
            self._outputs.append(Delivered(Peers(views.all())))

    def _receive_outside(self, message: Any, toss: Toss) -> None:
        """Get in, if one wants to and the sender has this node in its active view, or is to have it; else say no."""
        sender = getattr(message, "sender", self._me)
        if self.status == "crashed":
            if sender != self._me and not isinstance(message, _UNANSWERED):
                self._tell(sender, Dead(self._me))
            return
        match message:
            case Accept() | Keep() | Neighbor() if sender == self._me:
                pass
            case Accept() | Keep() | Neighbor() if self._membership.contact is not None:
                self.status = "inside"
                self._receive(message, toss)
            case Neighbor():
                self._tell(sender, Refuse(self._me))
            case Accept() | Keep():
                self._tell(sender, Disconnect(self._me))
            case Dead(node):
                self._membership.lose(node)

    def _obey(self, command: Struct) -> None:
        match command:
            case Join(contact) if contact != self._me:
                self._membership.contact = contact
            case Join() if self.status == "outside":
                self.status, self._membership.contact = "inside", None
            case Suspect(node):
                self._membership.lose(node)
            case Spread(topic, publication) if self.status == "inside":
                self._take_in_and_flood((topic, publication))
                if not self._outputs:
                    self._outputs.append(Refused(Reason.KEY_TAKEN))
            case Leave():
                for node in self._membership.views.active:
                    self._tell(node, Dead(self._me))
                self._load(CRASHED)
            case Crash():
                self._load(CRASHED)

    # The broadcast.

    def _take_in_and_flood(self, item: Item, sender: str | None = None) -> None:
        for added in self._take_in((item,)):
            self._outputs += flooded(self._me, added, self._membership.views.active, sender)

    def _take_in(self, items: Iterable[Item]) -> list[Item]:
        """Store and deliver what is new."""
        added = sorted(self._holdings.take_in(items, self._outputs), key=delivery_order)
        self._outputs += [Delivered(Heard(topic, publication)) for topic, publication in added]
        return added

    def _exchange(self, message: Broadcast | Digest | Request | Publish) -> None:
        """Take part in the broadcast with an active node; no other has a part in it."""
        if message.sender not in self._membership.views.active:
            self._outputs.append(Refused(Reason.NO_NEIGHBOUR))
            return
        match message:
            case Digest():
                self._outputs += asked_for(self._me, self._holdings, message)
            case Broadcast(sender, item):
                self._take_in_and_flood(item, sender)
            case Request():
                self._outputs += supplied(self._me, self._holdings, message, self._random)
            case Publish(_, items):
                self._take_in(items)

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))

    def _receive(self, message: Any, toss: Toss) -> None:
        """Take a message as a member; what comes from oneself is ignored."""
        if getattr(message, "sender", None) == self._me:
            return
        membership = self._membership
        match message:
            case Keep(sender) | Accept(sender):
                membership.is_in_theirs(sender)
            case Broadcast() | Digest() | Request() | Publish():
                self._exchange(message)
            case Shuffle():
                membership.shuffle(message, toss)
            case ShuffleReply(nodes):
                membership.take_sample(nodes, toss)
            case JoinRequest():
                membership.join(message, toss)
            case ForwardJoin():
                membership.forward_join(message, toss)
            case Neighbor():
                membership.neighbor(message, toss)
            case Refuse(sender):
                membership.refuse(sender)
            case Disconnect(sender):
                membership.disconnect(sender, toss)
            case Dead(node):
                membership.lose(node)


def _asleep(core: Core) -> bool:
    return isinstance(core, Node) and core.status == "crashed"


def _hears(_roles: Mapping[str, str], sender: str | None, _node: str) -> tuple[str, ...]:
    return () if sender is None else (sender,)


FAILING = Failing(("node",), Crash(), None, _asleep, _hears, suspect=Suspect, forgets=("node",))
