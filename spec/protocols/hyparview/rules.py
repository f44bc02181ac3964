"""HyParView: the rules of a node. No node adds a link of which the other end will not know.

Membership is here; broadcast and recovery are in `recovery.py`.
"""

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.recovery import audited, digest, flood, publish, request, take_in
from gomboc.spec.protocols.hyparview.state import (
    CRASHED,
    Accept,
    Broadcast,
    Dead,
    Digest,
    Disconnect,
    ForwardJoin,
    Item,
    Join,
    JoinCommand,
    Keep,
    Leave,
    Message,
    Neighbor,
    Node,
    Peers,
    Priority,
    Publish,
    Refuse,
    Request,
    Shuffle,
    ShuffleReply,
    Spread,
    is_topic,
    room,
)
from gomboc.spec.protocols.hyparview.views import (
    Names,
    Toss,
    activated,
    displaced,
    forgotten,
    making_room,
    window,
    with_passive,
    without,
)
from gomboc.spec.publishing import answers
from gomboc.spec.types.kinds import Crash, Suspect

Drawn = tuple[str | None, str | None]
"""The node of the active view and that of the passive view that a coin has chosen."""


class Rules(msgspec.Struct, frozen=True):
    """The rules with these parameters; errata override some of them."""

    parameters: Parameters = Parameters()

    def choices(self, me: str, local: Node, taken: Input) -> tuple[Choice, ...]:
        """The results of a step's coin. Source: decided here."""
        match taken:
            case Received(Request() as message) if local.status == "inside":
                return answers.choices(answers.parts(self.take_part(me, local, message, (None, None)), Publish))
        return self.toss(me, local, taken).results()

    def toss(self, me: str, local: Node, taken: Input) -> Toss:
        """The candidates of a step's coin; only members toss any. Source: decided here."""
        match taken:
            case Timeout() if local.status == "inside":
                return Toss(local.active, local.passive if local.active or local.asked is None else ())
            case Received(message) if local.status == "inside":
                return self.toss_for(me, local, message)
        return Toss()

    def toss_for(self, me: str, local: Node, message: Message) -> Toss:
        """The candidates of the coin of a member that takes a message."""
        if _is_ones_own(me, message):
            return Toss()
        match message:
            case ForwardJoin(joiner, ttl, sender) if joiner != me:
                hops = self.hops(local, ttl, sender, joiner)
                enters = ttl == self.parameters.prwl or not hops
                return Toss(hops, making_room(self.parameters, me, local, (joiner,)) if enters else ())
            case Shuffle(origin, ttl, _, sender) if origin != me:
                hops = self.hops(local, ttl, sender, origin)
                return Toss(hops, () if hops else local.passive)
            case ShuffleReply(nodes):
                return Toss((), local.passive if making_room(self.parameters, me, local, nodes) else ())
            case Join(sender):
                return displaced(self.parameters, local, sender)
            case Neighbor(sender, priority) if self.yields(local, priority):
                return displaced(self.parameters, local, sender)
            case Disconnect(sender) if sender in local.active:
                dropped = replace(local, active=without(local.active, sender))
                return Toss((), making_room(self.parameters, me, dropped, (sender,)))
        return Toss()

    def react(self, me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule."""
        match taken:
            case Received(Request() as message) if local.status == "inside":
                return answers.with_one(self.take_part(me, local, message, (None, None)), Publish, choice)
        drawn = self.toss(me, local, taken).drawn(choice)
        match taken:
            case Timeout():
                return self.timeout(me, local, drawn)
            case Received(message) if local.status == "inside":
                return self.take_part(me, local, message, drawn)
            case Received(message) if local.status == "outside":
                return self.wait(me, local, message)
            case Received(message):
                return bounce(me, local, message)
            case Commanded(command):
                return self.obey(me, local, command)

    # Periodic actions.

    def timeout(self, me: str, local: Node, drawn: Drawn) -> Outcome:
        """A member restates its links, asks, shuffles, and tells what it holds; a node that wants in asks its contact.

        Source: HyParView, Sections 4.3 and 4.4; that links are restated is decided here
        """
        if local.status != "inside":
            wants = local.contact is not None
            return Outcome(local, (Send(str(local.contact), Join(me)),) if wants else ())
        target, first = drawn
        held = audited(self.parameters, local.held)
        local = local if held == local.held else replace(local, held=held)
        asking = self.ask(me, local, first)
        telling = digest(self.parameters, asking.local, me)
        after = telling.local
        links = (*self.restate(me, local), *self.shuffle(me, local, target, first))
        sends = (*asking.sends, *links, *telling.sends)
        return Outcome(after, sends, (Peers(tuple(sorted((*after.active, *after.passive)))),))

    def ask(self, me: str, local: Node, first: str | None) -> Outcome:
        """Ask a passive node to become active, again and again until it answers; for want of any node, the contact.

        Source: HyParView, Section 4.3; that it asks as long as there is room, and again, is decided here
        """
        if not (local.active or local.passive) and local.contact is not None:
            local, first = replace(local, passive=(local.contact,)), local.contact
        if local.asked is None and room(self.parameters, local) > 0 and first is not None:
            local = replace(local, asked=first)
        if local.asked is not None:
            return Outcome(local, (Send(local.asked, Neighbor(me, self.priority(local))),))
        return Outcome(local)

    def priority(self, local: Node) -> Priority:
        """High without an active node. Source: HyParView, Section 4.3."""
        return "low" if local.active else "high"

    def restate(self, me: str, local: Node) -> tuple[Send, ...]:
        """The word to each active node that it is one. Source: decided here."""
        return tuple(Send(node, Keep(me)) for node in local.active)

    def shuffle(self, me: str, local: Node, target: str | None, first: str | None) -> tuple[Send, ...]:
        """A sample of both views, on a walk that begins with `target`. Source: HyParView, Section 4.4."""
        if target is None:
            return ()
        others = window(local.active, target, len(local.active))[1:]
        nodes = (*others[: self.parameters.ka], *window(local.passive, first, self.parameters.kp))
        return (Send(target, Shuffle(me, self.parameters.arwl, tuple(sorted(nodes)), me)),)

    # Messages.

    def take_part(self, me: str, local: Node, message: Message, drawn: Drawn) -> Outcome:
        """The outcome of a message at a member, which ignores its own. Raises ValueError if it is no message."""
        if _is_ones_own(me, message):
            return Outcome(local)
        match message:
            case Join(sender):
                return self.join(me, local, sender, drawn)
            case ForwardJoin():
                return self.forward_join(me, local, message, drawn)
            case Neighbor():
                return self.neighbor(me, local, message, drawn)
            case Accept(sender) | Keep(sender):
                return self.link(me, local, sender)
            case Refuse(sender):
                return Outcome(replace(local, asked=None) if local.asked == sender else local)
            case Disconnect(sender):
                return Outcome(self.disconnect(me, local, sender, drawn))
            case Shuffle():
                return self.pass_shuffle(me, local, message, drawn)
            case ShuffleReply(nodes):
                leaving = window(local.passive, drawn[1], len(local.passive))
                return Outcome(with_passive(self.parameters, me, local, nodes, leaving))
            case Broadcast(sender) | Digest(sender) | Request(sender) | Publish(sender):
                return self.exchange(me, local, message) if sender in local.active else Outcome(local)
            case Dead(node):
                return Outcome(forgotten(local, node))
        raise ValueError(f"node {me!r} has no rule for {message!r}")

    def exchange(self, me: str, local: Node, message: Broadcast | Digest | Request | Publish) -> Outcome:
        """The outcome of a message about publications: an active node's, since others are no part of the broadcast.

        Source: first report, Sections 3.3 and 3.4; that others are ignored is decided here
        """
        match message:
            case Broadcast(sender, item):
                return flood(self.parameters, me, local, item, sender)
            case Digest():
                return request(self.parameters, me, local, message)
            case Request():
                return publish(self.parameters, me, local, message)
            case Publish(_, items):
                return take_in(self.parameters, local, items)

    def join(self, me: str, local: Node, joiner: str, drawn: Drawn) -> Outcome:
        """Let a node in, if need be instead of another one, and send it on walks from all other active nodes.

        Source: HyParView, Algorithm 1, JOIN
        """
        added = self.admit(me, local, joiner, drawn)
        message = ForwardJoin(joiner, self.parameters.arwl, me)
        walks = tuple(Send(node, message) for node in without(added.local.active, joiner))
        return replace(added, sends=(*added.sends, *walks))

    def admit(self, me: str, local: Node, node: str, drawn: Drawn) -> Outcome:
        """Accept a node, and displace another one if there is no room.

        Where the only place is kept for the asked node, that one is asked no more.

        Source: HyParView, Algorithm 1, dropRandomElementFromActiveView; of the asked node, decided here
        """
        sends = (Send(node, Accept(me)),)
        if node in local.active:
            return Outcome(local, sends)
        if local.asked == node or room(self.parameters, local) > 0:
            return Outcome(activated(local, node), sends)
        victim, leaving = drawn
        if victim is None:
            return Outcome(activated(replace(local, asked=None), node), sends)
        rest = activated(replace(local, active=without(local.active, victim)), node)
        rest = with_passive(self.parameters, me, rest, (victim,), () if leaving is None else (leaving,))
        return Outcome(rest, (*sends, Send(victim, Disconnect(me))))

    def hops(self, local: Node, ttl: int, *passed: str) -> Names:
        """The next hops of a walk, which does not turn back; none if it ends here.

        Source: HyParView, Section 4.2: "or if p's active view size is equal to one"; that a walk ends where it can go
        nowhere is decided here
        """
        return () if ttl == 0 or len(local.active) <= 1 else without(local.active, *passed)

    def forward_join(self, me: str, local: Node, message: ForwardJoin, drawn: Drawn) -> Outcome:
        """Send a new node on its walk; at the end ask it, if there is room.

        Source: HyParView, Algorithm 1, FORWARDJOIN, which adds it untold
        """
        joiner, (hop, leaving) = message.joiner, drawn
        if joiner == me:
            return Outcome(local)
        enters = with_passive(self.parameters, me, local, (joiner,), () if leaving is None else (leaving,))
        if self.hops(local, message.ttl, message.sender, joiner):
            onwards = Send(str(hop), ForwardJoin(joiner, message.ttl - 1, me))
            return Outcome(enters if message.ttl == self.parameters.prwl else local, (onwards,))
        return self.end_of_walk(me, enters, joiner)

    def end_of_walk(self, me: str, local: Node, joiner: str) -> Outcome:
        """Ask a new node, which is passive by now, if there is room and no other one is asked.

        Source: HyParView, Algorithm 1, addNodeActiveView, which adds it untold
        """
        if joiner not in local.passive or local.asked is not None or room(self.parameters, local) < 1:
            return Outcome(local)
        return Outcome(replace(local, asked=joiner), (Send(joiner, Neighbor(me, self.priority(local))),))

    def yields(self, _local: Node, priority: Priority) -> bool:
        """Whether another node is displaced for a request of that priority. Source: HyParView, Section 4.3."""
        return priority == "high"

    def neighbor(self, me: str, local: Node, message: Neighbor, drawn: Drawn) -> Outcome:
        """Accept a request with high priority, or if there is room; refuse it if the active view is full.

        A node that keeps its last place for the node that it asks itself does not answer: the other one asks again.

        Source: HyParView, Section 4.3; that it does not answer then is decided here
        """
        sender = message.sender
        if sender in local.active or self.takes(local, sender) or self.yields(local, message.priority):
            return self.admit(me, local, sender, drawn)
        full = len(local.active) >= self.parameters.active
        return Outcome(local, (Send(sender, Refuse(me)),) if full else ())

    def takes(self, local: Node, node: str) -> bool:
        """Whether there is a place in the active view for a node. Source: decided here."""
        return local.asked == node or room(self.parameters, local) > 0

    def link(self, me: str, local: Node, sender: str) -> Outcome:
        """Have the sender in the active view too, if there is room; else tell it that it is not.

        Source: HyParView, Section 4.3; that an unasked one is taken is decided here
        """
        if sender in local.active:
            return Outcome(local)
        if self.takes(local, sender):
            return Outcome(activated(local, sender))
        return Outcome(local, (Send(sender, Disconnect(me)),))

    def disconnect(self, me: str, local: Node, sender: str, drawn: Drawn) -> Node:
        """The sender becomes passive. Source: HyParView, Algorithm 1, DISCONNECT."""
        if sender not in local.active:
            return local
        dropped = replace(local, active=without(local.active, sender))
        return with_passive(self.parameters, me, dropped, (sender,), () if drawn[1] is None else (drawn[1],))

    def pass_shuffle(self, me: str, local: Node, message: Shuffle, drawn: Drawn) -> Outcome:
        """Send a sample on its walk; at the end answer with passive nodes, and take it into the passive view.

        The nodes of the answer are the first to leave.

        Source: HyParView, Section 4.4
        """
        origin, (hop, first) = message.origin, drawn
        if origin == me:
            return Outcome(local)
        if hop is not None:
            return Outcome(local, (Send(hop, Shuffle(origin, message.ttl - 1, message.nodes, me)),))
        answer = window(local.passive, first, len({origin, *message.nodes}))
        leaving = window(local.passive, first, len(local.passive))
        after = with_passive(self.parameters, me, local, (origin, *message.nodes), leaving)
        return Outcome(after, (Send(origin, ShuffleReply(tuple(sorted(answer)))),))

    def wait(self, me: str, local: Node, message: Message) -> Outcome:
        """A node outside that wants in is in with its first link. One that does not want in refuses.

        Source: HyParView, Algorithm 1, init; decided here
        """
        match message:
            case Dead(node):
                return Outcome(forgotten(local, node))
            case Accept(sender) | Keep(sender) | Neighbor(sender) if sender != me:
                asks = isinstance(message, Neighbor)
                if local.contact is not None:
                    entered = Node("inside", (sender,), contact=local.contact)
                    return Outcome(entered, (Send(sender, Accept(me)),) if asks else ())
                return Outcome(local, (Send(sender, Refuse(me) if asks else Disconnect(me)),))
        return Outcome(local)

    # Commands.

    def obey(self, me: str, local: Node, command: object) -> Outcome:
        """The outcome of a command. Raises ValueError for any that is not one."""
        match command:
            case JoinCommand(contact):
                return Outcome(enter(me, local, contact))
            case Leave():
                return Outcome(CRASHED, tuple(Send(node, Dead(me)) for node in local.active))
            case Crash():
                return Outcome(CRASHED)
            case Suspect(node):
                return Outcome(forgotten(local, node))
            case Spread(topic, publication) if is_topic(topic):
                inside = local.status == "inside"
                return flood(self.parameters, me, local, Item(topic, publication), None) if inside else Outcome(local)
        raise ValueError(f"node {me!r} has no rule for {command!r}")


def _is_ones_own(me: str, message: Message) -> bool:
    return getattr(message, "sender", None) == me


def enter(me: str, local: Node, contact: str) -> Node:
    """Want in, through a contact; through oneself: begin the overlay. A member takes another contact.

    Source: HyParView, Algorithm 1, init; of a member, decided here
    """
    if local.status == "crashed":
        return local
    if local.status == "inside":
        return local if contact == me else replace(local, contact=contact)
    return Node("inside") if contact == me else Node("outside", contact=contact)


def bounce(me: str, local: Node, message: Message) -> Outcome:
    """The mailbox of a crashed node reports the crash to the sender of a message. Source: decided here."""
    if isinstance(message, Accept | Refuse | Disconnect):
        return Outcome(local)
    sender = getattr(message, "sender", None)
    return Outcome(local, () if sender is None or sender == me else (Send(sender, Dead(me)),))
