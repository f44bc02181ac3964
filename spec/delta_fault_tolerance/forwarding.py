"""Reliable forwarding: who receives a multicast message, whom it goes to, and when it is confirmed."""

from collections.abc import Iterable
from functools import partial

import msgspec
from msgspec.structs import replace

from spec.delta_fault_tolerance.filters import Attributes, Filter, matches, text
from spec.delta_fault_tolerance.links import connected, link, send
from spec.delta_fault_tolerance.parameters import Parameters
from spec.delta_fault_tolerance.state import (
    Confirm,
    Confirmed,
    Content,
    Delivered,
    Entry,
    Forward,
    Id,
    Node,
    Operation,
    Own,
    Publication,
    Rejoin,
    Row,
    Rows,
    Stamps,
    Subscribed,
    Subscription,
    Unreachable,
    Unsubscribed,
    Unsubscription,
    Visited,
)
from spec.delta_fault_tolerance.tree import Names, direction, distance, lies_on, path
from spec.model import Outcome, Send


class Forwarding(msgspec.Struct, frozen=True):
    """The rules of forwarding; errata override some of them."""

    given: Parameters = Parameters()

    @property
    def reach(self) -> int:
        """How far a broker knows the tree: delta + 1."""
        return self.given.delta + 1

    # Who receives a message.

    def recipients(self, local: Node, me: str, content: Content, hop: str | None, guide: Names | None) -> Names:
        """Who is to have a message: away from the hop that it came from, or as its guide says to who recovers.

        Source: Section 4.7, RCPT^SUB, and Section 4.8, RCPT^PUB; Section 6.1
        """
        if guide is not None and local.status != "operational":
            return tuple(name for name in guide if name != me)
        named = self.all_recipients(local, content)
        return tuple(sorted({name for name in named if name != me and self.leads_away(me, name, hop)}))

    def leads_away(self, me: str, name: str, hop: str | None) -> bool:
        """Whether the way to a recipient leads away from the hop that a message came from.

        Source: Section 4.1, "excluding the sender of m"
        """
        return hop is None or direction(me, name) != direction(me, hop)

    def all_recipients(self, local: Node, content: Content) -> Iterable[str]:
        """Who is to have a message, in any direction."""
        match content:
            case Publication(attributes):
                return (row.via for row in local.rows if matches(attributes, row.filter))
        return local.known

    def nearest(self, local: Node, me: str, targets: Iterable[str]) -> tuple[Names, Names]:
        """The nearest peers on the ways to some brokers, and those of the brokers on whose way there is none.

        Source: Algorithm 1, line 15
        """
        peers = set(connected(local))
        found = {target: next((each for each in path(me, target)[1:] if each in peers), None) for target in targets}
        return (
            tuple(sorted({peer for peer in found.values() if peer is not None})),
            tuple(sorted(target for target, peer in found.items() if peer is None)),
        )

    def widened(self, local: Node, me: str, recipients: Names) -> Names:
        """Those recipients, and the neighbours beyond each that is not known to be operational, as far as it goes.

        Whoever has named a recipient may have been farther away from it, and know nobody beyond.

        Source: decided here
        """
        found, fresh = {*recipients}, [*recipients]
        while fresh:
            name = fresh.pop()
            if not self.is_there(local, me, name):
                later = {*self.beyond(local, me, name)} - found
                found |= later
                fresh += sorted(later)
        return tuple(sorted(found))

    def is_there(self, local: Node, me: str, name: str) -> bool:
        """Whether a recipient is known to be operational, or somebody before it is left to find out."""
        peer = next((each for each in map(partial(link, local), path(me, name)[1:]) if each is not None), None)
        return peer is not None and (peer.peer != name or peer.status == "operational")

    def beyond(self, local: Node, me: str, gone: str) -> Names:
        """The neighbours of a broker that are farther away than it.

        Source: Algorithm 3, line 5
        """
        return tuple(name for name in local.known if distance(name, gone) == 1 and lies_on(gone, me, name))

    # A message arrives, or sets out.

    def forward(self, local: Node, me: str, message: Forward) -> Outcome:
        """A multicast message has arrived.

        Source: Algorithm 1, lines 1 to 18
        """
        if self.is_duplicate(local, message.visited):
            return self.repeated(local, me, message)
        local = replace(local, seen=self.updated(local.seen, message.visited))
        content, id_ = message.content, message.id
        recipients = self.recipients(local, me, content, message.sender, message.guide)
        return self.arrive(local, me, id_, content).then(
            self.enter, me, id_, content, message.visited, (message.sender,), recipients
        )

    def repeated(self, local: Node, me: str, message: Forward) -> Outcome:
        """A duplicate is confirmed with the first copy, or at once if that has been.

        Source: Algorithm 1, lines 2 to 8
        """
        pending = next((entry for entry in local.entries if entry.id == message.id), None)
        if pending is None:
            return Outcome(local, (send(local, me, message.sender, Confirm, message.id),))
        senders = tuple(sorted({*pending.senders, message.sender}))
        return Outcome(_exchanged(local, replace(pending, senders=senders)))

    def is_duplicate(self, local: Node, visited: Visited) -> bool:
        """Whether any stamp of a message is not newer than what is recorded of that broker.

        Source: Section 5, isDuplicate
        """
        seen = dict(local.seen)
        return any(stamp is not None and node in seen and stamp <= seen[node] for node, stamp in visited)

    def updated(self, seen: Stamps, visited: Iterable[tuple[str, tuple[int, int] | None]]) -> Stamps:
        """What is recorded of others, after those stamps.

        Source: Section 5, update
        """
        recorded = dict(seen)
        for node, stamp in visited:
            if stamp is not None:
                recorded[node] = max(stamp, recorded.get(node, stamp))
        return tuple(sorted(recorded.items()))

    def arrive(self, local: Node, me: str, id_: Id, content: Content) -> Outcome:
        """A message is delivered, and its subscription stored, in the order of arrival.

        Source: Algorithm 1, line 26, and Lemma 3
        """
        match content:
            case Publication(attributes):
                return Outcome(local, (), self.for_client(local, id_, attributes))
            case Subscription() | Unsubscription() | Rejoin():
                return Outcome(self.stored(local, me, content))

    def for_client(self, local: Node, id_: Id, attributes: Attributes) -> tuple[Delivered, ...]:
        """What the own client is handed of a publication.

        Source: Section 4.8, update_routing_information
        """
        wanted = tuple(
            each.filter for each in local.own if each.phase != "unsubscribing" and matches(attributes, each.filter)
        )
        return (Delivered(id_, attributes, wanted),) if wanted else ()

    def stored(self, local: Node, me: str, operation: Operation) -> Node:
        """The table after a subscription, its end or a rejoining; who still waits for tables applies it afterwards.

        Source: Section 4.7, update_routing_information, and Section 6.1
        """
        if operation.source == me:
            return local
        if local.status == "recovering" and local.asking:
            return replace(local, later=(*local.later, operation))
        return replace(local, rows=applied(local.rows, operation))

    def enter(
        self, local: Node, me: str, id_: Id, content: Content, visited: Visited, senders: Names, recipients: Names
    ) -> Outcome:
        """A message is in the list, sent on, and confirmed if nothing is waited for.

        Source: Algorithm 1, lines 10 to 18
        """
        local = replace(local, count=local.count + 1)
        stamp = local.incarnation, local.count
        recipients = self.widened(local, me, recipients)
        peers, nobody = self.nearest(local, me, recipients)
        lost = tuple(name for name in nobody if distance(me, name) == self.reach)
        entry = Entry(id_, content, stamp, visited, senders, recipients, tuple(sorted({*peers, *lost})))
        local = replace(local, entries=(*local.entries, entry))
        told = tuple(Unreachable(id_, name) for name in lost)
        return Outcome(local, self.copies(local, me, entry, peers), told).then(self.settle, me, id_)

    def copies(self, local: Node, me: str, entry: Entry, peers: Names) -> tuple[Send, ...]:
        """The copies of a message for those peers; who is not known to be operational is guided.

        Source: Section 4.4, make_copy_send, and Section 6
        """
        return tuple(self.copy(local, me, entry, peer) for peer in peers)

    def copy(self, local: Node, me: str, entry: Entry, peer: str) -> Send:
        """The copy of a message for one peer."""
        found = link(local, peer)
        assert found is not None, "copies go to peers"
        behind = tuple(name for name in entry.recipients if lies_on(peer, me, name))
        guide = None if found.status == "operational" else behind
        content = entry.content
        if isinstance(content, Subscription | Rejoin):
            content = replace(content, via=self.seen_from(me, peer, content.via))
        visited = self.appended(entry.visited, ((me, entry.stamp), *((each, None) for each in path(me, peer)[1:-1])))
        return send(local, me, peer, Forward, entry.id, content, visited, guide)

    def appended(self, visited: Visited, further: Visited) -> Visited:
        """The last delta + 1 of those that a message has visited.

        Source: Section 5, append
        """
        return (*visited, *further)[-self.reach :]

    def seen_from(self, me: str, other: str, via: str) -> str:
        """Which broker on the way to `via`, at most delta + 1 away, it is known by at another one.

        Source: Section 4.7, make_copy_send, "P(N, s.from)[...]"
        """
        del me
        return path(other, via)[: self.reach + 1][-1]

    # Confirmations.

    def confirm(self, local: Node, me: str, message: Confirm) -> Outcome:
        """A peer, and all behind it, have a message.

        Source: Algorithm 1, lines 19 to 24
        """
        entry = next((each for each in local.entries if each.id == message.id), None)
        if entry is None or message.sender not in entry.waiting:
            return Outcome(local)
        waiting = tuple(name for name in entry.waiting if name != message.sender)
        return self.settle(_exchanged(local, replace(entry, waiting=waiting)), me, entry.id)

    def settle(self, local: Node, me: str, id_: Id) -> Outcome:
        """A message for which nothing is waited for any more is confirmed to its senders, or to the own client.

        Source: Algorithm 1, lines 27 to 31
        """
        entry = next((each for each in local.entries if each.id == id_), None)
        if entry is None or entry.waiting:
            return Outcome(local)
        local = replace(local, entries=tuple(each for each in local.entries if each.id != id_))
        told = tuple(send(local, me, peer, Confirm, id_) for peer in entry.senders)
        outcome = Outcome(local, told)
        return outcome.then(self.completed, me, entry) if id_[0] == me else outcome

    def completed(self, local: Node, me: str, entry: Entry) -> Outcome:
        """A message of one's own is confirmed.

        Source: Section 1, "an explicit confirmation mechanism"
        """
        match entry.content:
            case Publication():
                return Outcome(local, (), (Confirmed(entry.id),))
            case Rejoin():
                return self.become_operational(local, me)
        return self.client_is_confirmed(local, entry.id)

    def client_is_confirmed(self, local: Node, id_: Id) -> Outcome:
        """The subscription, or its end, that this message has told is known everywhere."""
        own = next((each for each in local.own if each.id == id_), None)
        if own is None:
            return Outcome(local)
        if own.phase == "unsubscribing":
            return Outcome(with_own(local, own.filter, None), (), (Unsubscribed(own.filter),))
        now = Own(own.filter, "subscribed", None)
        return Outcome(with_own(local, own.filter, now), (), (Subscribed(own.filter),))

    def become_operational(self, local: Node, me: str) -> Outcome:
        """What follows the confirmation of one's own REJOIN; recovery says it."""
        raise NotImplementedError


def _exchanged(local: Node, entry: Entry) -> Node:
    return replace(local, entries=tuple(entry if each.id == entry.id else each for each in local.entries))


def with_own(local: Node, wanted: Filter, own: Own | None) -> Node:
    """The state in which that is known of the own client's subscription to a filter; None: it has none."""
    others = [each for each in local.own if each.filter != wanted]
    now = others if own is None else [*others, own]
    return replace(local, own=tuple(sorted(now, key=lambda each: text(each.filter))))


def applied(rows: Rows, operation: Operation) -> Rows:
    """A table after a subscription, its end, or a rejoining, which says all subscriptions of its source."""
    match operation:
        case Subscription(source, wanted, via):
            return in_order((*_without(rows, source, (wanted,)), Row(source, wanted, via)))
        case Unsubscription(source, wanted):
            return in_order(_without(rows, source, (wanted,)))
        case Rejoin(source, filters, via):
            others = _without(rows, source, None)
            return in_order((*others, *(Row(source, each, via) for each in filters)))


def _without(rows: Rows, source: str, filters: tuple[Filter, ...] | None) -> Rows:
    """Rows without those of a source, all of them or those of some filters."""
    return tuple(row for row in rows if row.source != source or (filters is not None and row.filter not in filters))


def in_order(rows: Iterable[Row]) -> Rows:
    """Rows as a table has them: ascending."""
    return tuple(sorted(rows, key=lambda row: (row.source, text(row.filter))))
