"""The automaton of a broker: one input at a time; and how brokers fail."""

from collections.abc import Iterable

from msgspec import Raw, Struct
from msgspec.structs import replace

from gomboc.impl.core.automaton import Commanded, Core, Failing, Input, Output, Received, SetTimer, Timeout
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import Crash, Restart
from gomboc.impl.protocols.delta_fault_tolerance import (
    auditing,
    client,
    commands,
    deliveries,
    forwarding,
    joining,
    links,
    messages,
    pacing,
    recovering,
)
from gomboc.impl.protocols.delta_fault_tolerance.contents import Joined, Rejoin, Subscription, Unsubscription
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, parent
from gomboc.impl.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.impl.protocols.delta_fault_tolerance.states import Entry, State, encode, failed
from gomboc.impl.protocols.delta_fault_tolerance.table import Table
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables, read, written


class Broker:
    """The automaton of a broker; with `audit`, it compares its table with those of its neighbours."""

    __slots__ = ("_written", "at")

    def __init__(self, me: str, parameters: Parameters, state: State) -> None:
        self.at = read(me, parameters, state)
        self._written: Raw | None = None

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step. A timeout makes a joining broker ask again, and an auditing one compare tables."""
        at = self.at
        at.outputs = []
        was_asking = bool(at.recovery.asking)
        match event:
            case Timeout():
                at.outputs.append(SetTimer(now + 1.0))
                if at.is_unannounced:
                    joining.request_again(at)
                if at.parameters.audit and at.status == "operational":
                    auditing.tell_digests(at)
            case Commanded(commands.Join()):
                if at.status == "detached":
                    self._begin()
            case Commanded(Restart()):
                if at.status == "failed":
                    at.incarnation += 1
                    self._begin()
            case _ if at.status in ("failed", "detached"):
                pass
            case Received(message):
                self._receive(message)
            case Commanded(command):
                self._obey(command)
        if was_asking and self.at is at:
            self._rejoin_if_answered()
        self._keep_bounds()
        return self.at.outputs

    def _keep_bounds(self) -> None:
        """Say that rows had no room, and keep back what is too much for one step."""
        if self.at.table.left_out:
            self.at.table.left_out = 0
            self.at.refuse(Reason.TOO_MANY_FILTERS)
        pacing.pace(self.at)

    def snapshot(self) -> Raw:
        """The whole local state as JSON; the same object as before if nothing has changed."""
        now = encode(written(self.at))
        if self._written is None or bytes(self._written) != now:
            self._written = Raw(now)
        return self._written

    def _receive(self, message: Struct) -> None:
        """Take a message that begins a stream, or is of one that goes on; no other has an effect."""
        assert isinstance(message, messages.Message), "only messages are received"
        at = self.at
        if links.is_outlived(at, message):
            return
        match message:
            case messages.JoinRequest(sender):
                if parent(sender) == at.me:
                    joining.requested(at, message, self._finish)
            case messages.Connect(sender) | messages.Recover(sender) if not joining.listens_to(at, sender):
                pass
            case messages.Connect(sender, _, _, status):
                if links.connected(at, message):
                    self._told(sender, status)
            case messages.Recover():
                recovering.answer(at, message)
            case _ if not links.is_refused(at, message):
                self._take(message)

    def _take(self, message: messages.Message) -> None:
        """Take a message of a stream that goes on."""
        at = self.at
        match message:
            case messages.Status(sender, _, status):
                at.links[sender].status = status
                if status == "recovering":
                    recovering.ask_beyond(at, sender)
                self._told(sender, status)
            case messages.Tree(sender, _, names):
                if at.is_unannounced and sender == parent(at.me):
                    joining.learn(at, names)
            case messages.Table() | messages.Stamps() | messages.Forward() if at.is_unannounced:
                pass  # Without the tree it records nothing: an answer begins with the tree, and copies come with it.
            case messages.Table(sender, _, rows):
                if sender in at.recovery.asking:
                    recovering.take_in(at, sender, rows)
            case messages.Stamps(sender, _, stamps):
                if sender in at.recovery.asking:
                    forwarding.record(at, stamps)
                    at.recovery.asking.remove(sender)
            case messages.Forward():
                self._forward(message)
            case messages.Pause(sender):
                pacing.ask_on(at, sender)
            case messages.Continue(sender):
                pacing.send_on(at, sender)
            case messages.Close(sender):
                links.closed(at, sender)
            case messages.Digest() | messages.Doubt() | messages.Rows():
                if at.parameters.audit and at.status == "operational" and distance(at.me, message.sender) == 1:
                    self._compare(message)
            case messages.Confirm(sender, _, identified):
                entry = at.entries.get(identified)
                if entry is not None and sender in entry.waiting:
                    entry.waiting.remove(sender)
                    forwarding.settle(at, entry, self._finish)

    def _compare(self, message: messages.Digest | messages.Doubt | messages.Rows) -> None:
        match message:
            case messages.Digest(sender):
                link = self.at.links[sender]
                if link.status != "operational":
                    # Only an operational broker sends digests, so this restates its status.
                    link.status = "operational"
                    self._told(sender, link.status)
                auditing.compare(self.at, message)
            case messages.Doubt(sender):
                auditing.tell_rows(self.at, sender)
            case messages.Rows():
                auditing.replace(self.at, message)

    def _obey(self, command: Struct) -> None:
        at = self.at
        match command:
            case commands.Publish(attributes):
                client.publish(at, attributes, self._finish)
            case commands.Subscribe(wanted):
                client.subscribe(at, wanted, self._finish)
            case commands.Unsubscribe(unwanted):
                client.unsubscribe(at, unwanted, self._finish)
            case commands.Suspect(node):
                if node in at.links:
                    self._bypass(node)
            case Crash():
                self._crash()

    def _forward(self, message: messages.Forward) -> None:
        """Handle a multicast message: apply it at once, in the order of arrival, and forward copies.

        Source: Algorithm 1; as printed the effect comes when it is confirmed
        """
        at = self.at
        for peer in links.outlived(at, message.visited):
            self._bypass(peer)
        # The failure was before the message: a broker that asked no other peer has its table by now.
        self._rejoin_if_answered()
        is_known = message.id[0] == at.me or message.id in at.entries
        if is_known or forwarding.is_duplicate(at, message.visited):
            forwarding.again(at, message)
            return
        forwarding.record(at, message.visited)
        entry = forwarding.admit(at, message.content, message)
        if not recovering.is_outdated(at, message.sender, message.content):
            self._take_effect(entry)
        forwarding.dispatch(at, entry, entry.recipients)
        forwarding.settle(at, entry, self._finish)

    def _take_effect(self, entry: Entry) -> None:
        """Apply the content of an entry, or keep it for later while tables are awaited.

        Source: Sections 4.6 to 4.8, update_routing_information
        """
        at, content = self.at, entry.content
        match content:
            case Subscription(source) | Unsubscription(source) | Rejoin(source) if source == at.me:
                pass  # The own client's subscriptions are not in the table.
            case Subscription() | Unsubscription() | Rejoin() if at.recovery.asking:
                at.recovery.later.append(content)
            case Subscription() | Unsubscription() | Rejoin():
                at.table.change(content, at.most_rows)
            case Joined(node) if parent(node) == at.me:
                pass  # Its parent knows it when all brokers nearby have confirmed.
            case Joined(node):
                joining.learn(at, [node])
                forwarding.widen(at, entry)
            case _:
                client.hand_over(at, entry)

    def _bypass(self, failed: str) -> None:
        """Go past a broker that has failed; while recovering, ask the brokers behind it instead.

        Source: Algorithm 3
        """
        at = self.at
        if at.is_unannounced and failed == parent(at.me):
            if at.links[failed].theirs is not None:
                links.ask(at, failed)
            return
        del at.links[failed]
        if failed in at.recovery.asking:
            recovering.ask_beyond(at, failed)
        else:
            for broker in forwarding.beyond(at, failed):
                if forwarding.nearest(at, broker) is None:
                    links.connect(at, broker)
        forwarding.bypass(at, failed, self._finish)

    def _told(self, peer: str, status: messages.Told) -> None:
        """Act on a peer's status: a peer that is operational replaces the brokers past it."""
        at = self.at
        if status == "operational":
            recovering.ask_nearer(at, peer)
            links.close_bypasses(at, peer)

    def _rejoin_if_answered(self) -> None:
        """Rejoin, unless some peer has still to answer, or this has been done."""
        at = self.at
        own = (entry for entry in at.entries.values() if entry.id[0] == at.me and isinstance(entry.content, Rejoin))
        if at.status == "recovering" and not at.recovery.asking and not any(own):
            self._rejoin()

    def _rejoin(self) -> None:
        """Build the table from the answers, and send REJOIN.

        Source: Algorithm 5, lines 11 to 18
        """
        at = self.at
        at.table = Table(recovering.learnt(at).values(), at.parameters.most_filters)
        for change in at.recovery.later:
            at.table.change(change, at.most_rows)
        at.recovery.answers.clear()
        at.recovery.later.clear()
        self._tell_filters(None)

    def _tell_filters(self, after: Filter | None) -> None:
        """Send REJOIN, or what of it comes after a filter; when all of it is confirmed, the broker is operational.

        Source: Algorithm 5, lines 19 to 22
        """
        at = self.at
        part = Rejoin(at.me, (), at.me, after)
        filters = tuple(filter(part.reaches, client.wanted(at)))[: at.most_rows]
        entry = forwarding.admit(at, replace(part, filters=filters))
        forwarding.dispatch(at, entry, entry.recipients)
        if not entry.waiting:
            entry.content = part  # No broker is there that would need the rest.
        forwarding.settle(at, entry, self._finish)

    def _finish(self, at: Variables, entry: Entry) -> None:
        """Act on the confirmation of a message from here: tell the client, become operational, or know a leaf."""
        if isinstance(entry.content, Rejoin) and entry.content.is_continued(at.most_rows):
            self._tell_filters(entry.content.filters[-1])
        elif isinstance(entry.content, Rejoin):
            at.status = "operational"
            recovering.tell_status(at)
            client.resume(at, self._finish)
        elif isinstance(entry.content, Joined):
            joining.learn(at, [entry.content.node])
        else:
            client.confirmed(at, entry)

    def _crash(self) -> None:
        """Lose everything but the incarnation, the known part of the tree, and the client's subscriptions."""
        at = self.at
        self.at = read(at.me, at.parameters, failed(written(at)))
        self.at.deliver(deliveries.Status("failed"))

    def _begin(self) -> None:
        """Begin to recover, or to join.

        Source: Algorithm 5, lines 1 to 7; Algorithm 2
        """
        at = self.at
        at.status = "recovering"
        at.deliver(deliveries.Status("recovering"))
        for peer in joining.peers_to_ask(at):
            links.ask(at, peer)
        if not at.recovery.asking:
            self._rejoin()


def _asleep(core: Core) -> bool:
    return isinstance(core, Broker) and core.at.status in ("failed", "detached")


def _watches(core: Core) -> Iterable[str]:
    """The connected peers, without an unanswered parent of a joining leaf: the leaf repeats its question anyway."""
    if not isinstance(core, Broker):
        return ()
    links, is_unannounced = core.at.links, core.at.is_unannounced
    return tuple(peer for peer in links if not (is_unannounced and links[peer].theirs is None))


def knows(core: Core, node: str) -> bool:
    """Whether a node is a broker nearby; a broker that knows no other one, and is to join, knows its parent."""
    return isinstance(core, Broker) and node in (core.at.known or (parent(core.at.me),))


def _restart(keep: bool) -> Restart:
    del keep  # A crash always leaves the same part of the state.
    return Restart()


FAILING = Failing(("broker",), Crash(), _restart, _asleep, suspect=commands.Suspect, watches=_watches)
