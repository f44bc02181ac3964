"""Failures and connections: bypassing a failed broker, taking up a connection, and closing bypasses."""

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance.asking import Asking
from gomboc.spec.delta_fault_tolerance.links import (
    anew,
    connect,
    connected,
    link,
    send,
    with_link,
    without_link,
)
from gomboc.spec.delta_fault_tolerance.state import (
    Close,
    Connect,
    Entry,
    Node,
    Status,
    Unreachable,
    Visited,
    is_joining,
)
from gomboc.spec.delta_fault_tolerance.tables import with_entry
from gomboc.spec.delta_fault_tolerance.tree import Names, distance, lies_on, path
from gomboc.spec.model import Outcome, Send


class Sessions(Asking, frozen=True):
    """The rules of connections; errata override some of them."""

    # A failure.

    def lose(self, local: Node, me: str, gone: str) -> Outcome:
        """Handle the failure of a peer; a recovering broker may have asked no other peer, and be done.

        Source: Algorithm 3
        """
        return self.part(local, me, gone).then(self.try_to_finish, me)

    def part(self, local: Node, me: str, gone: str) -> Outcome:
        """Connect past a failed peer, and send the messages that it has not confirmed to the brokers beyond.

        A joining leaf asks its parent again, unless that has not answered at all: then its question stays open.

        Source: Algorithm 3; joining is decided here
        """
        connection, asked = link(local, gone), gone in local.asking
        if connection is None or (asked and is_joining(local) and connection.theirs is None):
            return Outcome(local)
        local = replace(
            without_link(local, gone),
            asked=tuple(name for name in local.asked if name != gone),
            asking=tuple(name for name in local.asking if name != gone),
            answers=tuple(answer for answer in local.answers if answer[0] != gone or not asked),
        )
        if asked:
            past = self.ask(local, me, self.asked_instead(local, me, gone))
        else:
            past = self.open(local, me, self.beyond(local, me, gone))
        return past.then(self.bypass, me, gone)

    def part_from_outlived(self, local: Node, me: str, visited: Visited) -> Outcome:
        """Part from peers that stamped a message in a later incarnation than their stream's: they have failed since.

        A broker that is back asks its neighbours only. It knows nothing of a connection past them, and the failure
        detector's notice may come too late for that connection.

        Source: decided here
        """
        outcome = Outcome(local)
        for peer, stamp in visited:
            connection = link(local, peer)
            if stamp and connection and connection.theirs and connection.theirs[0] < stamp[0]:
                outcome = outcome.then(self.part, me, peer)
        return outcome

    def open(self, local: Node, me: str, peers: Names) -> Outcome:
        """Open connections to peers, except where the peer or a broker before it is connected.

        Source: Algorithm 3, lines 7 to 12
        """
        linked = set(connected(local))
        fresh = tuple(peer for peer in peers if not linked & {*path(me, peer)[1:]})
        for peer in fresh:
            local = anew(local, peer, None, None)
        return Outcome(local, tuple(sent for peer in fresh for sent in connect(local, me, peer)))

    def bypass(self, local: Node, me: str, gone: str) -> Outcome:
        """Send the messages that wait for a failed broker to the nearest peers beyond, in the order of arrival.

        Source: Algorithm 3, lines 19 to 27
        """
        outcome = Outcome(local)
        for entry in local.entries:
            if gone in entry.waiting:
                outcome = outcome.then(self.reroute, me, gone, entry.id)
        return outcome

    def reroute(self, local: Node, me: str, gone: str, id_: tuple[str, int, int]) -> Outcome:
        """Send one message past a failed broker. If no broker beyond is in reach, it waits, and the client is told.

        Source: Algorithm 3, lines 20 to 25; Decided here: that it waits
        """
        pending = next((candidate for candidate in local.entries if candidate.id == id_), None)
        if pending is None:
            return Outcome(local)
        entry = self.wide(local, me, pending)
        behind = tuple(name for name in entry.recipients if lies_on(gone, me, name))
        peers, _ = self.nearest(local, me, behind)
        lost = gone in behind and self.stays(local, me, entry.content, gone)
        waiting = {*entry.waiting, *peers} - (set() if lost else {gone})
        fresh = tuple(peer for peer in peers if peer not in entry.waiting)
        now = replace(entry, waiting=tuple(sorted(waiting)))
        local = with_entry(local, now)
        unreachable = (Unreachable(id_, gone),) if lost and distance(me, gone) == self.reach else ()
        return Outcome(local, self.copies(local, me, now, fresh), unreachable).then(self.settle, me, id_)

    # A peer answers.

    def take_up(self, local: Node, me: str, message: Connect) -> Outcome:
        """Take a question for a connection, or the answer to one. A peer that asks is answered, and sent all again.

        An answer to a connection that is over is refused, and `Close` goes back to the peer.

        Source: Algorithm 4; the answer is decided here
        """
        peer, connection = message.sender, link(local, message.sender)
        if message.heard is not None and connection is None:
            return Outcome(local, (Send(peer, Close(me, message.heard)),))
        if message.heard is not None and connection is not None and connection.mine != message.heard:
            return Outcome(local)
        fresh = connection is None or (message.heard is None and connection.theirs is not None)
        local = anew(local, peer, None, None) if fresh else local
        local = self.told_by(local, peer, message)
        outcome = Outcome(local)
        if message.heard is None:
            outcome = Outcome(local, connect(local, me, peer)).then(self.resend, me, peer)
        return outcome.then(self.hear_status, me, peer, message.status)

    def told_by(self, local: Node, peer: str, message: Connect) -> Node:
        """The state with a peer's status and stream from its message."""
        connection = link(local, peer)
        if connection is None:
            return local
        return with_link(local, replace(connection, status=message.status, theirs=message.stream))

    def hear_status(self, local: Node, me: str, peer: str, status: Status) -> Outcome:
        """Record a peer's status. If it is operational, close connections past it.

        Source: Algorithm 7, line 25; closing is decided here
        """
        connection = link(local, peer)
        if connection is None:
            return Outcome(local)
        local = with_link(local, replace(connection, status=status))
        if status != "operational":
            return Outcome(local)
        past = tuple(name for name in connected(local) if name != peer and lies_on(peer, me, name))
        return self.entrust(local, me, peer).then(self.ask_nearer, me, peer).then(self.close, me, past)

    def ask_nearer(self, local: Node, me: str, peer: str) -> Outcome:
        """While recovering, ask a peer that has become operational instead of the brokers past it.

        Source: Algorithm 6; that the nearer one is asked is decided here
        """
        past = {name for name in local.asking if name != peer and lies_on(peer, me, name)}
        if not past:
            return Outcome(local)
        return self.ask(self.not_asked(local, past), me, (peer,))

    def close(self, local: Node, me: str, peers: Names) -> Outcome:
        """Close connections, and tell the peers.

        Source: Section 4.1, CloseConnection; when is decided here
        """
        closings = tuple(sent for peer in peers for sent in send(local, me, peer, Close))
        for peer in peers:
            local = without_link(local, peer)
        return Outcome(local, closings)

    def be_closed(self, local: Node, me: str, peer: str) -> Outcome:
        """Handle a closed connection: a nearer peer gets the messages; if there is none, open the connection again.

        A recovering broker that has asked the peer asks it again. Otherwise it answers with `Close`: the peer may have
        closed an older connection, and still take up this broker's later question.

        Source: Section 4.1, CloseConnection; the rest is decided here
        """
        if peer in local.asking:
            return self.ask(self.not_asked(without_link(local, peer), {peer}), me, (peer,))
        if {*connected(local)} & {*path(me, peer)[:-1]}:
            return self.close(local, me, (peer,)).then(self.bypass, me, peer)
        return self.open(without_link(local, peer), me, (peer,)).then(self.resend, me, peer)

    def entrust(self, local: Node, me: str, peer: str) -> Outcome:
        """Send a peer the messages that wait for brokers past it, and wait for the peer instead.

        Source: decided here
        """
        outcome = Outcome(local)
        for entry in local.entries:
            past = {name for name in entry.waiting if name != peer and lies_on(peer, me, name)}
            if past:
                outcome = outcome.then(self.entrust_one, me, entry, peer, past)
        return outcome

    def entrust_one(self, local: Node, me: str, entry: Entry, peer: str, past: set[str]) -> Outcome:
        """Send one message to a peer, and wait for it instead of the brokers past it."""
        waiting = tuple(sorted({*entry.waiting, peer} - (past - {peer})))
        now = replace(self.wide(local, me, entry), waiting=waiting)
        return Outcome(with_entry(local, now), self.copy(local, me, now, peer))
