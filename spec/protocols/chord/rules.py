"""Chord: the rules of a node. Questions leave no trace in the asker, and a true answer is used whenever it comes.

Sections are those of the report that this follows.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.routing import asked_by, coins, next_hop, owns, route, usual
from gomboc.spec.protocols.chord.state import (
    CRASHED,
    Dead,
    FixFingerReply,
    FixFingerRequest,
    Join,
    JoinReply,
    JoinRequest,
    Leave,
    Lookup,
    Message,
    Neighbours,
    Node,
    Notify,
    Outside,
    Peers,
    Ping,
    Route,
    RouteReply,
    RouteRequest,
    StabilizeReply,
    StabilizeRequest,
    StillRoute,
    Unwatch,
    Watch,
    head,
)
from gomboc.spec.types.kinds import Crash, Suspect


class Rules(msgspec.Struct, frozen=True):
    """The rules with these parameters; errata override some of them."""

    parameters: Parameters = Parameters()

    def react(self, me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule.

        Source: Section 2.2
        """
        match taken:
            case Timeout():
                outcome = self.timeout(me, local, choice)
            case Received(message):
                outcome = self.receive(me, local, message)
            case Commanded(command):
                outcome = self.obey(me, local, command)
        timeout = isinstance(taken, Timeout)
        if outcome.local is local and not (timeout and local.watched):
            return outcome
        return replace(outcome, delivered=(*outcome.delivered, *self.news(me, local, outcome.local, timeout)))

    def news(self, me: str, before: Node, after: Node, timeout: bool) -> Iterator[Neighbours | Route | StillRoute]:
        """The notifications to the layer above after a step: what has changed and, in a timeout, all other routes.

        A key that is watched no more has no next hop.

        Source: Section 2.2.2, RouteDelivery; decided here: routes are repeated, so that none stays wrong above
        """
        if before.predecessor != after.predecessor or before.successors != after.successors:
            yield Neighbours(after.predecessor, after.successors)
        circle = self.parameters.circle
        for key in sorted({*before.watched, *after.watched}):
            position = circle.number(key)
            hop = route(circle, me, after, position) if key in after.watched else None
            if key not in before.watched or hop != route(circle, me, before, position):
                yield Route(key, hop)
            elif timeout and key in after.watched:
                yield StillRoute(key, hop)

    # Periodic actions.

    def timeout(self, me: str, local: Node, choice: Choice) -> Outcome:
        """A member stabilises and refreshes a finger; a joining node asks its contact.

        Source: Section 2.2.3, timer stabilize, timer fix_fingers and init
        """
        if local.status == "inside":
            return self.stabilize(me, local, choice).then(self.fix_fingers, me)
        if local.contact is not None:
            return Outcome(local, (Send(local.contact, JoinRequest(me, me)),))
        return Outcome(local)

    def choices(self, me: str, local: Node, taken: Input) -> tuple[Choice, ...]:
        """With `meet`, a coin chooses the node that a timeout asks: the usual one, or a possible nearer head."""
        if not self.parameters.meet or not isinstance(taken, Timeout) or local.status != "inside":
            return CERTAIN
        return coins(usual(local), self.nearer_peers(me, local))

    def nearer_peers(self, me: str, local: Node) -> tuple[str, ...]:
        """The peers that would be a nearer head. Source: decided here."""
        between, first = self.parameters.circle.between, head(me, local)
        return tuple(peer for peer in local.peers if between(me, peer, first))

    def stabilize(self, me: str, local: Node, choice: Choice) -> Outcome:
        """Ask the head, or the node that the coin names, for its state, and ping the predecessor.

        Source: Section 2.2.3, timer stabilize; Stoica et al. 2003, Figure 6, check_predecessor
        """
        asked = asked_by(choice, usual(local), self.nearer_peers(me, local) if self.parameters.meet else ())
        asks = () if asked is None else (Send(asked, StabilizeRequest(me)),)
        return Outcome(local, (*asks, *self.pings(me, local)))

    def pings(self, me: str, local: Node) -> tuple[Send, ...]:
        """A ping to the predecessor, to check whether it is alive.

        Source: Stoica et al. 2003, Figure 6, check_predecessor
        """
        return () if local.predecessor is None else (Send(local.predecessor, Ping(me)),)

    def fix_fingers(self, local: Node, me: str) -> Outcome:
        """Forget fingers that need none, and look up the place of the next one.

        Source: Section 2.2.3, timer fix_fingers
        """
        if not self.parameters.fingers:
            return Outcome(local)
        bits, first = self.parameters.bits, self.parameters.circle.first_finger(me, head(me, local))
        if local.fingers and local.fingers[0][0] < first:
            local = replace(local, fingers=tuple(item for item in local.fingers if item[0] >= first))
        if first >= bits:
            return Outcome(local)
        finger = max(local.next, first)
        local = replace(local, next=(finger + 1) % bits)
        return self.fix_finger_request(me, local, FixFingerRequest(finger, me, me))

    def asks(self, local: Node) -> set[str]:
        """The nodes that a node asks by itself: head, predecessor, contact, and the next hops of its lookups.

        Source: Section 2.2.3
        """
        through = (*local.successors, *(name for _, name in local.fingers)) if self.parameters.fingers else ()
        pinged = (send.target for send in self.pings("", local))
        return {name for name in (usual(local), local.contact, *pinged, *through) if name is not None}

    # Messages.

    def receive(self, me: str, local: Node, message: Message) -> Outcome:
        """A member answers and learns; a joining node waits for its place; a crashed node's mailbox says so."""
        match local.status:
            case "inside":
                return self.take_part(me, local, message)
            case "outside":
                return self.wait(me, local, message)
            case "crashed":
                return bounce(me, local, message)

    def take_part(self, me: str, local: Node, message: Message) -> Outcome:
        """The outcome of a message at a member. Raises ValueError if it is no message. Source: Section 2.2.3."""
        match message:
            case StabilizeRequest(sender):
                return Outcome(local, (Send(sender, StabilizeReply(me, local.predecessor, local.successors)),))
            case StabilizeReply():
                return self.stabilize_reply(me, local, message)
            case Notify(sender):
                return Outcome(self.rectify(me, local, sender))
            case JoinRequest():
                return self.find_successor(me, local, message)
            case RouteRequest():
                return self.route_request(me, local, message)
            case RouteReply():
                return Outcome(local, delivered=(message,))
            case FixFingerRequest():
                return self.fix_finger_request(me, local, message)
            case FixFingerReply(finger, owner):
                return Outcome(self.fix_finger_reply(me, local, finger, owner))
            case Dead(node) | Outside(node):
                return Outcome(self.handle_crash(me, local, node))
            case Ping() | JoinReply():
                return Outcome(local)
        raise ValueError(f"node {me!r} has no rule for {message!r}")

    def stabilize_reply(self, me: str, local: Node, answer: StabilizeReply) -> Outcome:
        """Take the list of the head, or of a node before it; ask its predecessor if that lies between, or notify.

        Source: Section 2.2.3, STABILIZE_REPLY; Zave 2017, stabilise; decided here: the candidate is asked, not adopted
        """
        sender, between = answer.sender, self.parameters.circle.between
        first = head(me, local)
        if sender == me or not (sender == first or between(me, sender, first)):
            return Outcome(local)
        local = replace(local, successors=self.shortened(me, (sender, *answer.successors)))
        candidate = answer.predecessor
        if candidate is not None and between(me, candidate, sender):
            return self.improve(me, local, candidate)
        return Outcome(local, (Send(sender, Notify(me)),))

    def improve(self, me: str, local: Node, candidate: str) -> Outcome:
        """Ask a candidate that may be nearer than the head.

        Source: Section 2.2.3, STABILIZE_REPLY, which adopts it unasked
        """
        return Outcome(local, (Send(candidate, StabilizeRequest(me)),))

    def shortened(self, me: str, nodes: tuple[str, ...]) -> tuple[str, ...]:
        """A list that ends before the node itself, and has r entries at most.

        Source: Stoica et al. 2003, Section IV-E.3; decided here: lists are shortened, not padded
        """
        end = nodes.index(me) if me in nodes else len(nodes)
        return nodes[: min(end, self.parameters.r)]

    def rectify(self, me: str, local: Node, sender: str) -> Node:
        """Adopt the sender of a Notify as predecessor, if there is none or it is nearer.

        Source: Section 2.2.3, NOTIFY; Zave 2017, rectify
        """
        nearer = local.predecessor is None or self.parameters.circle.between(local.predecessor, sender, me)
        return replace(local, predecessor=sender) if sender != me and nearer else local

    def handle_crash(self, me: str, local: Node, node: str) -> Node:
        """Do without a node that has crashed or is outside, wherever it is listed; its joiner wants in no more.

        Source: Section 2.2.3, crash; Zave 2017, fail
        """
        if node == me:
            return local
        return replace(
            local,
            predecessor=None if local.predecessor == node else local.predecessor,
            successors=tuple(name for name in local.successors if name != node),
            fingers=tuple(finger for finger in local.fingers if finger[1] != node),
            contact=None if local.contact == node else local.contact,
        )

    # Getting in.

    def find_successor(self, me: str, local: Node, find: JoinRequest) -> Outcome:
        """Give a joiner between this node and its head its place here; route others on.

        Source: Section 2.2.3, find_successor with JOIN_CODE
        """
        joiner, circle = find.joiner, self.parameters.circle
        if joiner == me:
            return Outcome(local)
        if circle.between(me, joiner, head(me, local)):
            return Outcome(local, (Send(joiner, self.join_reply(me, local)),))
        hop = next_hop(circle, me, local, circle.id_of(joiner))
        return Outcome(local, () if hop is None else (Send(hop, JoinRequest(joiner, me)),))

    def join_reply(self, me: str, local: Node) -> JoinReply:
        """The place behind this node: its whole list, and itself if it has none.

        Source: Section 2.2.1, JOIN reply; Zave 2017, join; decided here: the whole list
        """
        return JoinReply(me, local.successors or (me,))

    def wait(self, me: str, local: Node, message: Message) -> Outcome:
        """A node outside that wants in takes its place, and gives up if its contact is gone. With `meet`, one that is
        asked as a member says that it is outside.

        A place that names no successor but the node itself is that of a lone member: the sender is the successor, too.

        Source: Section 2.2.1, JOIN reply; Zave 2017, every list has a live entry; decided here: its word
        """
        match message:
            case JoinReply(sender, successors) if local.contact is not None and sender != me:
                listed = self.shortened(me, successors) or (sender,)
                inside = Node("inside", sender, listed, peers=local.peers, watched=local.watched)
                return Outcome(inside)
            case Dead(node):
                return Outcome(self.handle_crash(me, local, node))
        asker = asker_of(message) if self.parameters.meet else None
        return Outcome(local, () if asker is None else (Send(asker, Outside(me)),))

    # Lookups.

    def route_request(self, me: str, local: Node, seek: RouteRequest) -> Outcome:
        """Answer a lookup of a key that this node owns, or send the lookup on.

        Source: Section 2.2.3, routeRequest; Stoica et al. 2003, Figure 5
        """
        circle, position = self.parameters.circle, self.parameters.circle.number(seek.key)
        if owns(circle, me, local, position):
            reply = RouteReply(seek.key, me)
            mine = seek.asker == me
            return Outcome(local, () if mine else (Send(seek.asker, reply),), (reply,) if mine else ())
        hop = next_hop(circle, me, local, position)
        return Outcome(local, () if hop is None else (Send(hop, RouteRequest(seek.key, seek.asker, me)),))

    def fix_finger_request(self, me: str, local: Node, refresh: FixFingerRequest) -> Outcome:
        """Tell the asker that this node owns its finger's place, or send the lookup on.

        Source: Section 2.2.3, find_successor with NEXT_CODE
        """
        circle, asker = self.parameters.circle, refresh.asker
        position = circle.target(asker, refresh.finger)
        if owns(circle, me, local, position):
            if asker == me:
                return Outcome(self.fix_finger_reply(me, local, refresh.finger, me))
            return Outcome(local, (Send(asker, FixFingerReply(refresh.finger, me)),))
        hop = next_hop(circle, me, local, position)
        return Outcome(local, () if hop is None else (Send(hop, FixFingerRequest(refresh.finger, asker, me)),))

    def fix_finger_reply(self, me: str, local: Node, finger: int, owner: str) -> Node:
        """Point a finger to the owner of its place, if it needs one; no node points to itself.

        Source: Section 2.2.3, FIX_FINGER_REPLY
        """
        if not self.parameters.fingers or finger < self.parameters.circle.first_finger(me, head(me, local)):
            return local
        fingers = {**dict(local.fingers), finger: owner}
        return replace(local, fingers=tuple(sorted(item for item in fingers.items() if item[1] != me)))

    # Commands.

    def obey(self, me: str, local: Node, command: object) -> Outcome:
        """The outcome of a command of the application, membership or detector. Raises ValueError for other commands.

        Source: Section 2.2.2; Section 2.2.3, init and crash
        """
        match command:
            case Join(contact):
                return Outcome(self.join(me, local, contact))
            case Leave():
                return self.leave(me, local)
            case Crash():
                return Outcome(CRASHED)
            case Suspect(node):
                return Outcome(self.handle_crash(me, local, node))
            case Peers(nodes):
                peers = tuple(sorted(set(nodes) - {me}))
                return Outcome(local if local.status == "crashed" else replace(local, peers=peers))
            case Lookup(key):
                return (
                    self.route_request(me, local, RouteRequest(key, me, me))
                    if local.status == "inside"
                    else Outcome(local)
                )
            case Watch(key):
                return Outcome(self.watch(local, {*local.watched, key}))
            case Unwatch(key):
                return Outcome(self.watch(local, {*local.watched} - {key}))
        raise ValueError(f"node {me!r} has no rule for {command!r}")

    def watch(self, local: Node, keys: set[str]) -> Node:
        """Report the next hops towards those keys to the layer above, unless the node has crashed.

        Source: Section 2.2.2, RouteDelivery; decided here: towards the keys that the application names
        """
        watched = tuple(sorted(keys))
        return local if local.status == "crashed" or watched == local.watched else replace(local, watched=watched)

    def join(self, me: str, local: Node, contact: str) -> Node:
        """Join through a contact, if the node is outside, or create a ring if the contact is the node itself.

        Source: Section 2.2.3, init; Stoica et al. 2003, Figure 6, create
        """
        if local.status != "outside":
            return local
        return replace(local, status="inside", contact=None) if contact == me else replace(local, contact=contact)

    def leave(self, me: str, local: Node) -> Outcome:
        """Crash, and notify the predecessor and the head at once. Source: Stoica et al. 2003, Section IV-E.5."""
        notified = dict.fromkeys(name for name in (local.predecessor, *local.successors[:1]) if name is not None)
        return Outcome(CRASHED, tuple(Send(name, Dead(me)) for name in notified))


def bounce(me: str, local: Node, message: Message) -> Outcome:
    """The mailbox of a crashed node reports the crash to the sender of a request.

    Source: Section 2.2.3, crash; the way of the report is decided here
    """
    asker = asker_of(message)
    return Outcome(local, () if asker is None else (Send(asker, Dead(me)),))


def asker_of(message: Message) -> str | None:
    """The node that sent a message last, if it asks or notifies the receiver, or looks something up through it."""
    match message:
        case StabilizeRequest(sender) | Ping(sender) | Notify(sender):
            return sender
        case JoinRequest(_, sender) | RouteRequest(_, _, sender) | FixFingerRequest(_, _, sender):
            return sender
    return None
