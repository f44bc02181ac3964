"""Recovery: asking for tables, answering, taking them over, and rejoining."""

from collections.abc import Iterator

from msgspec.structs import replace

from spec.delta_fault_tolerance.filters import Filter, text
from spec.delta_fault_tolerance.forwarding import applied, in_order
from spec.delta_fault_tolerance.links import anew, connect, connected, link, send, with_link, without_sender
from spec.delta_fault_tolerance.sessions import Sessions
from spec.delta_fault_tolerance.state import (
    Content,
    Entry,
    Node,
    Own,
    Recover,
    Rejoin,
    Row,
    Rows,
    Stamps,
    StampsMessage,
    StatusMessage,
    StatusTold,
    Table,
)
from spec.delta_fault_tolerance.tree import distance, lies_on, path, within
from spec.model import Outcome


def wanted_by(local: Node) -> tuple[Filter, ...]:
    """What the own client has subscribed to, and not begun to end."""
    return tuple(own.filter for own in local.own if own.phase != "unsubscribing")


def _is_rejoining(me: str, entry: Entry) -> bool:
    """Whether that is one's own REJOIN."""
    return isinstance(entry.content, Rejoin) and entry.id[0] == me


class Recovery(Sessions, frozen=True):
    """The rules of crash and recovery; errata override some of them."""

    def crash(self, local: Node) -> Outcome:
        """Everything is lost but the incarnation, the tree nearby, and what the own client has subscribed to.

        Source: Section 4.1, "all the data internal to the node's process"
        """
        if local.status == "failed":
            return Outcome(local)
        own = tuple(Own(each.filter, each.phase, None) for each in local.own)
        failed = Node("failed", local.incarnation, local.known, own=own)
        return Outcome(failed, (), (StatusTold("failed"),))

    def restart(self, local: Node, me: str) -> Outcome:
        """A broker is back: it asks its neighbours.

        Source: Algorithm 5, lines 1 to 7
        """
        if local.status != "failed":
            return Outcome(local)
        local = replace(local, status="recovering", incarnation=local.incarnation + 1)
        asked = self.ask(local, me, within(local.known, me, 1))
        return replace(asked, delivered=(StatusTold("recovering"),)).then(self.try_to_finish, me)

    # Who is asked.

    def answer(self, local: Node, me: str, message: Recover) -> Outcome:
        """A peer recovers: the own status, the table, what is on the way to it or past it, and stamps.

        Who is still asking has no table to tell.

        Source: Algorithm 7; who has a table is decided here
        """
        peer = message.sender
        local = self.asked_by(without_sender(local, peer), message)
        outcome = Outcome(local, (connect(local, me, peer),))
        if local.asking:
            return outcome.then(self.hand_over, me, peer).then(self.decline, me, peer)
        told = outcome.then(self.tell_table, me, peer).then(self.hand_over, me, peer)
        return told.then(self.tell_stamps, me, peer)

    def asked_by(self, local: Node, message: Recover) -> Node:
        """The state in which that question is heard, in a new stream, unless one's own question is not answered.

        Two questions that cross are answered each in the stream of the other: new ones would be taken by neither.

        Source: decided here
        """
        found = link(local, message.sender)
        if found is None or found.theirs is not None:
            return anew(local, message.sender, "recovering", message.stream)
        return with_link(local, replace(found, status="recovering", theirs=message.stream))

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """Who is still asking says that it recovers, so that nobody waits for it; and it does not wait for the other.

        Source: decided here
        """
        return Outcome(local, (send(local, me, peer, StatusMessage, local.status),)).then(self.go_past, me, peer)

    def go_past(self, local: Node, me: str, peer: str) -> Outcome:
        """Who was asked is still asking as well: those beyond it are asked instead.

        Source: Section 6.2, "we must either arrive at an OPERATIONAL synchronization point"
        """
        if peer not in local.asking:
            return Outcome(local)
        local = self.not_asked(local, {peer})
        return self.ask(local, me, self.beyond(local, me, peer)).then(self.try_to_finish, me)

    def hand_over(self, local: Node, me: str, peer: str) -> Outcome:
        """Everything that waits for a peer that recovers, or for brokers past it, is sent to it and waits for it.

        Before stamps are told, what waits for a broker between is sent to it as well, or it would be a duplicate.

        Source: Algorithm 7, lines 8 to 11 and 21 to 23
        """
        outcome = Outcome(local)
        for entry in local.entries:
            past = {name for name in entry.waiting if lies_on(peer, me, name)}
            before = {name for name in entry.waiting if name != peer and lies_on(name, me, peer)}
            if past:
                outcome = outcome.then(self.entrust_one, me, entry, peer, past)
            elif before and not local.asking and any(lies_on(peer, me, name) for name in entry.recipients):
                outcome = outcome.then(self.copy_one, me, entry, peer)
        return outcome

    def copy_one(self, local: Node, me: str, entry: Entry, peer: str) -> Outcome:
        """A further copy of a message, for which nothing is waited."""
        now = self.wide(local, me, entry)
        return Outcome(self.with_entry(local, now), (self.copy(local, me, now, peer),))

    def tell_table(self, local: Node, me: str, peer: str) -> Outcome:
        """The rows that a broker that recovers is to have of who is on this side of it, or exactly known here.

        Source: Algorithm 7, line 14
        """
        rows = in_order(self.rows_for(local, me, peer))
        return Outcome(local, (send(local, me, peer, Table, rows),))

    def rows_for(self, local: Node, me: str, peer: str) -> Iterator[Row]:
        """Those rows, as they are for the peer."""
        yield from (Row(me, wanted, me) for wanted in wanted_by(local))
        for row in local.rows:
            on_this_side = self.leads_away(me, row.source, peer)
            if row.source != peer and (on_this_side or self.is_exact(row)):
                yield Row(row.source, row.filter, self.seen_from(me, peer, row.via))

    def is_exact(self, row: Row) -> bool:
        """Whether a row also says where its source is.

        Source: decided here
        """
        return row.via == row.source

    def tell_stamps(self, local: Node, me: str, peer: str) -> Outcome:
        """What is recorded of who is on this side, last on the link: what came before is no duplicate.

        Source: decided here
        """
        recorded = [each for each in local.seen if self.leads_away(me, each[0], peer)]
        mine = [(me, (local.incarnation, local.count))] if local.count else []
        near: Stamps = tuple(sorted(each for each in (*recorded, *mine) if distance(each[0], peer) <= self.reach))
        return Outcome(local, (send(local, me, peer, StampsMessage, near),))

    # Who asks.

    def take_table(self, local: Node, message: Table) -> Outcome:
        """The rows of a peer that was asked.

        Source: Algorithm 6, lines 11 to 14
        """
        if message.sender not in local.asking:
            return Outcome(local)
        others = [each for each in local.answers if each[0] != message.sender]
        return Outcome(replace(local, answers=tuple(sorted((*others, (message.sender, message.rows))))))

    def take_stamps(self, local: Node, me: str, message: StampsMessage) -> Outcome:
        """A peer that was asked has said everything.

        Source: Algorithm 6, line 15
        """
        if message.sender not in local.asking:
            return Outcome(local)
        asking = tuple(name for name in local.asking if name != message.sender)
        local = replace(local, asking=asking, seen=self.updated(local.seen, message.stamps))
        return self.try_to_finish(local, me)

    def try_to_finish(self, local: Node, me: str) -> Outcome:
        """Once nobody is asked any more, the table is put together, and REJOIN sets out.

        Source: Algorithm 5, lines 8 to 22
        """
        rejoining = any(_is_rejoining(me, entry) for entry in local.entries)
        if local.status != "recovering" or local.asking or rejoining:
            return Outcome(local)
        rows = self.united(local, me)
        for operation in local.later:
            rows = applied(rows, operation)
        local = replace(local, rows=rows, answers=(), later=())
        return self.issue(local, me, Rejoin(me, wanted_by(local), me))

    def united(self, local: Node, me: str) -> Rows:
        """The rows of all who were asked: of each source, those of who is on the way to it, if anybody is.

        Source: Algorithm 6, line 14; who is believed is decided here
        """
        told = dict(local.answers)
        found: dict[tuple[str, bytes], Row] = {}
        for peer, rows in told.items():
            for row in rows:
                way = {*path(me, row.source)} & {*told}
                if peer in way or not way:
                    found[row.source, text(row.filter)] = row
        return in_order(found.values())

    def become_operational(self, local: Node, me: str) -> Outcome:
        """REJOIN is confirmed: whoever is connected hears it, and the client is served.

        Source: Algorithm 5, lines 15 to 23
        """
        local = replace(local, status="operational")
        told = tuple(send(local, me, peer, StatusMessage, "operational") for peer in connected(local))
        outcome = Outcome(local, told, (StatusTold("operational"),))
        return outcome.then(self.say_again, me)

    def say_again(self, local: Node, me: str) -> Outcome:
        """What the client has asked for meanwhile; the client's own rule says it."""
        raise NotImplementedError

    def issue(self, local: Node, me: str, content: Content) -> Outcome:
        """A message of one's own sets out.

        Source: Section 4.1, m_id
        """
        id_ = me, local.incarnation, local.count + 1
        recipients = self.recipients(local, me, content, None, None)
        return self.arrive(local, me, id_, content).then(self.enter, me, id_, content, (), (), recipients)
