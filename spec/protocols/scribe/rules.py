"""Scribe: the rules of a node in the tree of one topic. Each timeout repeats all that neighbours must know.

Sections are those of the report that this follows.
"""

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Outcome, Received, Send, Timeout
from gomboc.spec.layers.routing import Routed, StillRouted
from gomboc.spec.protocols.scribe.parameters import Parameters
from gomboc.spec.protocols.scribe.state import (
    BROADCAST,
    CRASHED,
    TREE,
    Acknowledge,
    Child,
    Dead,
    Depart,
    Heard,
    Heartbeat,
    Issue,
    Keys,
    Leave,
    Message,
    Method,
    MethodReply,
    MethodRequest,
    Node,
    Publish,
    Request,
    Spread,
    Submit,
    Subscribe,
    Subscribed,
    Unsubscribed,
    WantIn,
    WantOut,
    acknowledge,
    bounced,
    id_of,
    in_tree,
    is_idle,
    keys_of,
    method_of,
    subscribers,
    top_ids,
    undelivered,
    without_child,
    without_publications,
)
from gomboc.spec.publishing import answers
from gomboc.spec.publishing.publications import (
    Publication,
    first_message,
    in_messages,
    is_valid,
    is_within_limit,
    published,
    right_set,
    with_offered,
)
from gomboc.spec.types.kinds import Crash, Suspect


class Rules(msgspec.Struct, frozen=True):
    """The rules with these parameters; errata override some of them."""

    parameters: Parameters = Parameters()

    def react(self, me: str, local: Node, taken: Input, choice: Choice) -> Outcome:
        """The outcome of one step of node `me`. Raises ValueError for an input that has no rule."""
        if local.crashed:
            return Outcome(local, bounced(me, taken))
        match taken:
            case Timeout():
                return self.timeout(me, local)
            case Received(message):
                outcome = self.receive(me, local, message)
                return answers.with_one(outcome, Publish, choice) if isinstance(message, Request) else outcome
            case Commanded(command):
                return self.obey(me, local, command)

    def choices(self, me: str, local: Node, taken: Input) -> tuple[Choice, ...]:
        """The results of a step's coin: of what a neighbour asks for one message is sent. Source: ours."""
        match taken:
            case Received(Request() as message) if not local.crashed:
                return answers.choices(answers.parts(self.receive(me, local, message), Publish))
        return CERTAIN

    # Periodic actions.

    def timeout(self, me: str, local: Node) -> Outcome:
        """Repair the variables, leave a parent that is none, and repeat all that neighbours must know.

        Source: Rowstron et al. 2001, Section III-D, heartbeats; that everything is restated is ours
        """
        local = self.repair(me, local)
        outcome = self.deliver(local, local.publications).then(self.revoke, me)
        return outcome.then(self.restate, me).then(self.advance).then(self.retry, me)

    def repair(self, me: str, local: Node) -> Node:
        """The node without faults in itself: publications, pending keys, edges to itself, the method.

        Source: ours; variables may hold anything at first
        """
        held = right_set(local.publications, self.parameters)
        own = {item.key for item in held if item.publisher == me}
        waits = self.parameters.high is not None or is_idle(me, local)
        local = replace(
            local,
            parent=None if local.parent == me else local.parent,
            children=tuple(child for child in local.children if child.node != me),
            publications=held,
            pending=tuple(key for key in local.pending if key in own) if waits else (),
        )
        return replace(local, method=method_of(self.parameters, me, local))

    def revoke(self, local: Node, me: str) -> Outcome:
        """Leave a parent that is no next hop, or needed no more. Source: Section 2.4.3, ScribeMessage(UNSUB)."""
        if local.parent is None or (in_tree(me, local) and local.parent == local.next):
            return Outcome(local)
        return Outcome(replace(local, parent=None), (Send(local.parent, Leave(me)),))

    def restate(self, local: Node, me: str) -> Outcome:
        """Subscribe to the next hop, which is the parent then, and send heartbeats to the children.

        Source: Section 2.4.3, RouteDelivery(SUB); Rowstron et al. 2001, Section III-D
        """
        beats = self.heartbeats(me, local)
        if not in_tree(me, local) or local.next is None or local.next == me:
            return Outcome(local, beats)
        asks = Send(local.next, Subscribe(me, subscribers(local), self.digest(local)[0]))
        return Outcome(replace(local, parent=local.next), (asks, *beats))

    def heartbeats(self, me: str, local: Node) -> tuple[Send, ...]:
        """One heartbeat for each child. Source: Rowstron et al. 2001, Section III-D."""
        keys = self.digest(local)[0]
        return tuple(Send(child.node, Heartbeat(me, keys)) for child in local.children)

    def digest(self, local: Node) -> tuple[Keys, Keys, str | None]:
        """The keys that this period's messages name, and those that are new and told after it. Source: ours."""
        return answers.next_part(keys_of(local), local.new, local.told, self.parameters.chunk)

    def advance(self, local: Node) -> Outcome:
        """Name the next keys in the next period. Source: ours."""
        _, new, last = self.digest(local)
        return Outcome(replace(local, new=new, told=last))

    def retry(self, local: Node, me: str) -> Outcome:
        """Send pending publications again, or ask again for the method. Source: ours; the report sends once."""
        if not local.pending:
            return Outcome(local)
        if self.parameters.high is not None:
            return self.method_request(local, me, me)
        return self.submit(local, local.pending)

    # The edges of the tree.

    def receive(self, me: str, local: Node, message: Message) -> Outcome:
        """The outcome of a message. Raises ValueError if it is no message. Source: Section 2.4.3."""
        if getattr(message, "sender", None) == me:
            return Outcome(local)
        match message:
            case Subscribe(sender, count, keys):
                return self.subscribe(me, local, Child(sender, count), keys)
            case Leave(sender):
                return Outcome(without_child(local, sender))
            case Heartbeat(sender, keys):
                return self.heartbeat(me, local, sender, keys)
            case Request(sender, keys):
                return self.answer(me, local, sender, keys)
            case Publish(sender, publications):
                return self.publish(me, local, sender, publications)
            case Submit(publication):
                return self.take_submitted(me, local, publication)
            case Acknowledge(key):
                return Outcome(acknowledge(me, local, key))
            case MethodRequest(asker):
                return self.method_request(local, me, asker)
            case MethodReply(method):
                return self.method_reply(local, me, method)
            case Dead(node):
                return Outcome(self.handle_crash(local, node))
        raise ValueError(f"node {me!r} has no rule for {message!r}")

    def subscribe(self, me: str, local: Node, child: Child, keys: Keys) -> Outcome:
        """Add or renew a child, and ask it for the publications that are lacked here.

        Source: Section 2.4.3, RouteDelivery(SUB), addChildren
        """
        others = without_child(local, child.node).children
        local = replace(local, children=tuple(sorted((*others, child))))
        return Outcome(local, self.request(me, local, child.node, keys))

    def heartbeat(self, me: str, local: Node, sender: str, keys: Keys) -> Outcome:
        """Ask the parent for what is lacked here. Leave a sender that is no parent; leave the parent without a need.

        A leaver forgets publications of which its next hop says that it holds them. The owner forgets nothing.

        Source: Rowstron et al. 2001, Section III-D; the questions, and that a leaver hands over first, are ours
        """
        if not in_tree(me, local) or sender != local.next:
            return Outcome(local, (Send(sender, Leave(me)),))
        if is_idle(me, local):
            local = without_publications(local, keys)
            stays = in_tree(me, local)
            return Outcome(local) if stays else Outcome(replace(local, parent=None), (Send(sender, Leave(me)),))
        return Outcome(local, self.request(me, local, sender, keys) if subscribers(local) else ())

    def request(self, me: str, local: Node, sender: str, keys: Keys) -> tuple[Send, ...]:
        """A question for those publications of a neighbour that are not held here. Source: ours."""
        lacked = tuple(sorted({*keys} - {*keys_of(local)}))
        return (Send(sender, Request(me, lacked)),) if lacked else ()

    def answer(self, me: str, local: Node, sender: str, keys: Keys) -> Outcome:
        """What a neighbour in the tree asks for, in messages of which the coin draws one. Source: ours."""
        asker = sender == local.next or sender in (child.node for child in local.children)
        wanted = (item for item in local.publications if item.key in keys and asker and in_tree(me, local))
        messages = in_messages(wanted, self.parameters.chunk)
        return Outcome(local, tuple(Send(sender, Publish(me, some)) for some in messages))

    def handle_crash(self, local: Node, node: str) -> Node:
        """The node without a child or parent that has crashed. Its next hop is for the layer below to replace.

        Source: ours; the report's Scribe hears of no crash
        """
        return replace(without_child(local, node), parent=None if local.parent == node else local.parent)

    # Publications.

    def deliver(self, local: Node, items: tuple[Publication, ...]) -> Outcome:
        """Deliver those of some publications that the application of a subscriber has not got.

        Source: Section 2.4.3, MessageDelivery
        """
        due = undelivered(local, items, self.parameters.keep) if local.wants else ()
        if not due:
            return Outcome(local)
        ids = (*local.delivered, *map(id_of, due))
        return Outcome(replace(local, delivered=top_ids(ids, self.parameters.keep)), (), due)

    def take_in(self, local: Node, offered: tuple[Publication, ...]) -> Outcome:
        """Hold the valid ones of some publications, and deliver new ones. Source: Section 2.4.3, MessageDelivery."""
        publications = with_offered(local.publications, offered, self.parameters)
        held, before = {item.key for item in publications}, keys_of(local)
        pending = tuple(key for key in local.pending if key in held)
        news = tuple(item for item in publications if item.key not in before)
        unnamed = (item.key for item in news if len(publications) > self.parameters.chunk)
        new = tuple(sorted({*local.new, *unnamed}))
        return self.deliver(replace(local, publications=publications, pending=pending, new=new), news)

    def flood(self, local: Node, me: str, offered: tuple[Publication, ...], source: str | None) -> Outcome:
        """Hold publications, and send those that were new along the tree, not back to the source.

        Source: Section 2.4.3, ScribeMessage(PUB)
        """
        before = keys_of(local)
        taken = self.take_in(local, offered)
        news = tuple(item for item in taken.local.publications if item.key not in before)
        return Outcome(taken.local, self.along(taken.local, me, news, source), taken.delivered)

    def along(self, local: Node, me: str, news: tuple[Publication, ...], source: str | None = None) -> tuple[Send, ...]:
        """Messages with those publications to the next hop and the children, but for the source.

        Children without subscribers get none. What does not fit into one message is asked for in later periods.
        """
        targets = dict.fromkeys((*self.above(local), *(child.node for child in local.children if child.count)))
        part = first_message(news, self.parameters.chunk)
        return tuple(Send(target, Publish(me, part)) for target in targets if part and target not in (source, me))

    def above(self, local: Node) -> tuple[str, ...]:
        """The next hop, if there is one."""
        return () if local.next is None else (local.next,)

    def publish(self, me: str, local: Node, sender: str, publications: tuple[Publication, ...]) -> Outcome:
        """Take publications from a neighbour, and say which have expired; outside the tree, ignore them.

        Source: Section 2.4.3, ScribeMessage(PUB)
        """
        if not in_tree(me, local):
            return Outcome(local)
        taken = self.flood(local, me, publications, sender)
        old = {item.key for item in publications if is_valid(item, self.parameters)} - {*keys_of(taken.local)}
        return replace(taken, sends=(*taken.sends, *(Send(sender, Acknowledge(key)) for key in sorted(old))))

    def take_submitted(self, me: str, local: Node, item: Publication) -> Outcome:
        """Take a publication into the tree, or send it on to the owner.

        Source: Section 2.4.3, RouteDelivery(PUB); the acknowledgement is ours
        """
        if not in_tree(me, local):
            return Outcome(local, tuple(Send(hop, Submit(item)) for hop in self.above(local)))
        # An own one that has come back is held here, and not dropped.
        local = replace(local, pending=tuple(key for key in local.pending if key != item.key))
        known = item.publisher != me and is_valid(item, self.parameters)
        replies = (Send(item.publisher, Acknowledge(item.key)),) if known else ()
        taken = self.flood(local, me, (item,), None)
        return replace(taken, sends=(*taken.sends, *replies))

    def issue(self, me: str, local: Node, command: Issue) -> Outcome:
        """Publish: along the tree, or by messages to the tree; with a switch, as the owner says.

        Source: Section 2.4.3, DisseminateMessageRequest(PUB)
        """
        item = published(me, command.number, command.payload, self.parameters)
        if not is_within_limit(command.payload, self.parameters) or item.key in keys_of(local):
            return Outcome(local)
        if self.parameters.high is None and in_tree(me, local):
            return self.flood(local, me, (item,), None)
        taken = self.take_in(local, (item,))
        if item.key not in keys_of(taken.local):
            return taken
        pending = tuple(sorted({*taken.local.pending, item.key}))
        waiting = replace(taken, local=replace(taken.local, pending=pending))
        if self.parameters.high is None:
            return waiting.then(self.submit, (item.key,))
        return waiting.then(self.method_request, me, me)

    def submit(self, local: Node, keys: Keys) -> Outcome:
        """Send publications that are pending towards the tree, no more at a time than a message with several may have.

        Source: Section 2.4.3, "Send(ROUTE_REQUEST, SUB, m)", read as a publication
        """
        items = first_message((item for item in local.publications if item.key in keys), self.parameters.chunk)
        return Outcome(local, tuple(Send(hop, Submit(item)) for hop in self.above(local) for item in items))

    # The switch.

    def method_request(self, local: Node, me: str, asker: str) -> Outcome:
        """Answer a question for the method, or send it on. Source: Section 3.1.1."""
        if self.parameters.high is None:
            return Outcome(local)
        if local.next != me:
            return Outcome(local, tuple(Send(hop, MethodRequest(asker)) for hop in self.above(local)))
        if asker == me:
            return self.method_reply(local, me, local.method)
        return Outcome(local, (Send(asker, MethodReply(local.method)),))

    def method_reply(self, local: Node, me: str, method: Method) -> Outcome:
        """Publish pending publications by that method. From then on a broadcast is up to the layer that broadcasts.

        There are no more of them than a message may have; for the others the owner is asked again.

        Source: Section 3.1.1
        """
        if self.parameters.high is None or not local.pending:
            return Outcome(local)
        pending = (item for item in local.publications if item.key in local.pending)
        waiting = first_message(pending, self.parameters.chunk)
        inside = in_tree(me, local)
        if method == TREE and not inside:
            return self.submit(local, local.pending)
        keys = {item.key for item in waiting}
        left = tuple(item for item in local.publications if inside or item.key not in keys)
        done = replace(local, pending=tuple(key for key in local.pending if key not in keys), publications=left)
        if method == BROADCAST:
            return Outcome(done, (), tuple(map(Spread, waiting)))
        return Outcome(done, self.along(local, me, waiting))

    def heard(self, me: str, local: Node, item: Publication) -> Outcome:
        """Hold a broadcast publication in the tree; outside it is of no use. Source: Section 3; recovery is ours."""
        if self.parameters.high is None or not in_tree(me, local):
            return Outcome(local)
        return self.take_in(local, (item,))

    # Commands.

    def obey(self, me: str, local: Node, command: object) -> Outcome:
        """The outcome of a command. Raises ValueError for other commands. Source: Section 2.4.2."""
        match command:
            case WantIn():
                return Outcome(replace(local, wants=True), (), (Subscribed(),)).then(self.deliver, local.publications)
            case WantOut(forget):
                delivered = () if forget else local.delivered
                return Outcome(replace(local, wants=False, delivered=delivered), (), (Unsubscribed(forget),))
            case Issue():
                return self.issue(me, local, command)
            case Routed(hop) | StillRouted(hop):
                return Outcome(replace(local, next=hop))
            case Heard(publication):
                return self.heard(me, local, publication)
            case Depart():
                return self.depart(me, local)
            case Crash():
                return Outcome(CRASHED)
            case Suspect(node) if node != me:
                return Outcome(self.handle_crash(local, node))
        raise ValueError(f"node {me!r} has no rule for {command!r}")

    def depart(self, me: str, local: Node) -> Outcome:
        """Crash, after parent and children have been told. Publications are handed over before, by a leaver.

        Source: ours
        """
        told = [Send(local.parent, Leave(me))] if local.parent is not None else []
        told += [Send(child.node, Dead(me)) for child in local.children]
        return Outcome(CRASHED, tuple(send for send in told if send.target != me))
