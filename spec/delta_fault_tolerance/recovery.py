"""Crash and recovery: the state that a crash leaves, and the answers to a recovering broker."""

from collections.abc import Iterator

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance.links import (
    anew,
    connect,
    link,
    send,
    with_link,
    without_sender,
)
from gomboc.spec.delta_fault_tolerance.sessions import Sessions
from gomboc.spec.delta_fault_tolerance.state import (
    Entry,
    Joined,
    JoinRequest,
    Node,
    Own,
    Recover,
    Row,
    Stamps,
    StampsMessage,
    StatusMessage,
    StatusTold,
    Table,
    Tree,
)
from gomboc.spec.delta_fault_tolerance.tables import in_order, wanted_by, with_entry
from gomboc.spec.delta_fault_tolerance.tree import Names, distance, lies_on, parent, within
from gomboc.spec.model import Outcome


class Recovery(Sessions, frozen=True):
    """The rules of crash and recovery; errata override some of them."""

    def crash(self, local: Node) -> Outcome:
        """Lose everything but the incarnation, the tree nearby, and the own client's subscriptions.

        Source: Section 4.1, "all the data internal to the node's process"
        """
        if local.status == "failed":
            return Outcome(local)
        own = tuple(Own(subscription.filter, subscription.phase, None) for subscription in local.own)
        failed = Node("failed", local.incarnation, local.known, own=own)
        return Outcome(failed, (), (StatusTold("failed"),))

    def restart(self, local: Node, me: str) -> Outcome:
        """Begin to recover: ask the neighbours.

        Source: Algorithm 5, lines 1 to 7
        """
        if local.status != "failed":
            return Outcome(local)
        local = replace(local, status="recovering", incarnation=local.incarnation + 1)
        asked = self.ask(local, me, self.neighbours(local, me))
        return replace(asked, delivered=(StatusTold("recovering"),)).then(self.try_to_finish, me)

    def neighbours(self, local: Node, me: str) -> Names:
        """The neighbours; for a broker that has not received the tree, its parent.

        Source: Section 4.4; Algorithm 2
        """
        above = parent(me)
        return (above,) if above and not local.known else within(local.known, me, 1)

    # Answering.

    def answer(self, local: Node, me: str, message: Recover | JoinRequest) -> Outcome:
        """Answer a recovering peer with the own status, the table, messages on the way to it or past it, and stamps.

        A broker that is still asking has no table to send. A joining leaf gets the tree first.

        Source: Algorithm 7; the test for having a table is decided here
        """
        peer = message.sender
        local = self.asked_by(without_sender(local, peer), message)
        outcome = Outcome(local, connect(local, me, peer))
        if local.asking:
            return outcome.then(self.hand_over, me, peer).then(self.decline, me, peer)
        if isinstance(message, JoinRequest):
            outcome = outcome.then(self.tell_tree, me, peer)
        answered = outcome.then(self.tell_table, me, peer).then(self.hand_over, me, peer)
        return answered.then(self.tell_stamps, me, peer)

    def tell_tree(self, local: Node, me: str, peer: str) -> Outcome:
        """Send a leaf the brokers within delta + 1 of it, with the leaves that are joining here: nodes, not links.

        The message J of another joining leaf may be on its way already, and pass this one.

        Source: Algorithm 2, PAR_TOP; Lemma 6
        """
        marked = (entry.content.node for entry in local.entries if isinstance(entry.content, Joined))
        near = within(frozenset((me, *local.known, *marked)), peer, self.reach)
        return Outcome(local, send(local, me, peer, Tree, near))

    def asked_by(self, local: Node, message: Recover | JoinRequest) -> Node:
        """The state after a question is heard: in a new stream, unless the broker's own question is not answered.

        Two questions that cross are answered in the stream of the other one: both peers would refuse new streams.

        Source: decided here
        """
        connection = link(local, message.sender)
        if connection is None or connection.theirs is not None:
            return anew(local, message.sender, "recovering", message.stream)
        return with_link(local, replace(connection, status="recovering", theirs=message.stream))

    def decline(self, local: Node, me: str, peer: str) -> Outcome:
        """While still asking, tell the peer that this broker recovers, so that neither waits for the other.

        Source: decided here
        """
        return Outcome(local, send(local, me, peer, StatusMessage, local.status)).then(self.go_past, me, peer)

    def hand_over(self, local: Node, me: str, peer: str) -> Outcome:
        """Send a recovering peer every message that waits for it, or for brokers past it, and wait for it instead.

        Before stamps are sent, it also gets messages that wait for a broker between: later they would be duplicates.

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
        """Send a further copy of a message, without waiting for its confirmation."""
        now = self.wide(local, me, entry)
        return Outcome(with_entry(local, now), self.copy(local, me, now, peer))

    def tell_table(self, local: Node, me: str, peer: str) -> Outcome:
        """Send a recovering broker the rows of sources on this side of it, and those exactly known here.

        Source: Algorithm 7, line 14
        """
        rows = in_order(self.rows_for(local, me, peer))
        return Outcome(local, send(local, me, peer, Table, rows))

    def rows_for(self, local: Node, me: str, peer: str) -> Iterator[Row]:
        """The rows for a recovering peer, with `via` as seen from it."""
        yield from self.side_for(local, me, peer)
        for row in local.rows:
            behind = row.source not in (me, peer) and not self.leads_away(me, row.source, peer)
            if behind and self.is_exact(row):
                yield Row(row.source, row.filter, self.seen_from(me, peer, row.via))

    def side_for(self, local: Node, me: str, peer: str) -> Iterator[Row]:
        """The rows that a peer should have of the sources on this side of it.

        Source: Algorithm 7, line 14
        """
        yield from (Row(me, wanted, me) for wanted in wanted_by(local))
        for row in local.rows:
            if row.source != me and self.leads_away(me, row.source, peer):
                yield Row(row.source, row.filter, self.seen_from(me, peer, row.via))

    def is_exact(self, row: Row) -> bool:
        """Whether a row names its source itself as `via`, so that the source's position is known.

        Source: decided here
        """
        return row.via == row.source

    def tell_stamps(self, local: Node, me: str, peer: str) -> Outcome:
        """Send the recorded stamps of brokers on this side, last on the link: earlier messages are no duplicates then.

        Source: decided here
        """
        recorded = [pair for pair in local.seen if self.leads_away(me, pair[0], peer)]
        mine = [(me, (local.incarnation, local.count))] if local.count else []
        near: Stamps = tuple(sorted(pair for pair in (*recorded, *mine) if distance(pair[0], peer) <= self.reach))
        return Outcome(local, send(local, me, peer, StampsMessage, near))
