"""Failures and connections: bypassing who has failed, taking up a connection, and closing bypasses."""

from msgspec.structs import replace

from spec.delta_fault_tolerance.forwarding import Forwarding
from spec.delta_fault_tolerance.links import anew, connect, connected, link, recover, send, with_link, without_link
from spec.delta_fault_tolerance.state import Close, Connect, Connection, Entry, Node, Status, Unreachable
from spec.delta_fault_tolerance.tree import Names, distance, lies_on, path
from spec.model import Outcome


class Sessions(Forwarding, frozen=True):
    """The rules of connections; errata override some of them."""

    # A failure.

    def lose(self, local: Node, me: str, gone: str) -> Outcome:
        """A peer has failed: connect past it, and send what it has not confirmed to those beyond.

        Source: Algorithm 3
        """
        if link(local, gone) is None:
            return Outcome(local)
        asked = gone in local.asking
        local = replace(
            without_link(local, gone),
            asked=tuple(name for name in local.asked if name != gone),
            asking=tuple(name for name in local.asking if name != gone),
            answers=tuple(each for each in local.answers if each[0] != gone or not asked),
        )
        beyond = self.beyond(local, me, gone)
        past = self.ask(local, me, beyond) if asked else self.open(local, me, beyond)
        return past.then(self.bypass, me, gone).then(self.try_to_finish, me)

    def beyond(self, local: Node, me: str, gone: str) -> Names:
        """The neighbours of a broker that are farther away than it.

        Source: Algorithm 3, line 5
        """
        return tuple(name for name in local.known if distance(name, gone) == 1 and lies_on(gone, me, name))

    def open(self, local: Node, me: str, peers: Names) -> Outcome:
        """Connections to those peers to whom there are none, unless somebody nearer is connected.

        Source: Algorithm 3, lines 7 to 12
        """
        linked = set(connected(local))
        fresh = tuple(peer for peer in peers if not linked & {*path(me, peer)[1:]})
        for peer in fresh:
            local = anew(local, peer, None, None)
        return Outcome(local, tuple(connect(local, me, peer) for peer in fresh))

    def ask(self, local: Node, me: str, peers: Names) -> Outcome:
        """Ask those peers for their tables, unless they have been asked.

        Source: Algorithm 6, lines 2 to 8
        """
        fresh = tuple(peer for peer in peers if peer not in local.asking)
        for peer in fresh:
            local = anew(local, peer, None, None)
        local = replace(local, asking=tuple(sorted({*local.asking, *fresh})))
        return Outcome(local, tuple(recover(local, me, peer) for peer in fresh))

    def bypass(self, local: Node, me: str, gone: str) -> Outcome:
        """What waits for who has failed goes to the nearest peers beyond, in the order of arrival.

        Source: Algorithm 3, lines 19 to 27
        """
        outcome = Outcome(local)
        for entry in local.entries:
            if gone in entry.waiting:
                outcome = outcome.then(self.reroute, me, gone, entry.id)
        return outcome

    def reroute(self, local: Node, me: str, gone: str, id_: tuple[str, int, int]) -> Outcome:
        """One message goes past who has failed. If nobody may be there any more, it waits, and that is told.

        Source: Algorithm 3, lines 20 to 25; Decided here: that it waits
        """
        entry = next(each for each in local.entries if each.id == id_)
        behind = tuple(name for name in entry.recipients if lies_on(gone, me, name))
        peers, _ = self.nearest(local, me, behind)
        lost = gone in behind and distance(me, gone) == self.reach
        waiting = {*entry.waiting, *peers} - (set() if lost else {gone})
        fresh = tuple(peer for peer in peers if peer not in entry.waiting)
        now = replace(entry, waiting=tuple(sorted(waiting)))
        local = self.with_entry(local, now)
        told = (Unreachable(id_, gone),) if lost else ()
        return Outcome(local, self.copies(local, me, now, fresh), told).then(self.settle, me, id_)

    # A peer is there.

    def take_up(self, local: Node, me: str, message: Connect) -> Outcome:
        """A connection has been asked for, or answered. Who has forgotten one is answered, and sent all again.

        Source: Algorithm 4; the answer is decided here
        """
        peer, found = message.sender, link(local, message.sender)
        if found is None or (found.theirs is not None and message.heard is None):
            local = anew(local, peer, message.status, message.stream)
            outcome = Outcome(local, (connect(local, me, peer),)).then(self.resend, me, peer)
        else:
            outcome = Outcome(with_link(local, Connection(peer, message.status, found.mine, message.stream)))
        return outcome.then(self.hear_status, me, peer, message.status)

    def resend(self, local: Node, me: str, peer: str) -> Outcome:
        """Everything that waits for a peer, again.

        Source: decided here
        """
        waiting = (entry for entry in local.entries if peer in entry.waiting)
        return Outcome(local, tuple(self.copy(local, me, entry, peer) for entry in waiting))

    def hear_status(self, local: Node, me: str, peer: str, status: Status) -> Outcome:
        """A peer has told its status. If it is operational, connections past it are closed.

        Source: Algorithm 7, line 25; that they are closed is decided here
        """
        found = link(local, peer)
        if found is None:
            return Outcome(local)
        local = with_link(local, replace(found, status=status))
        if status != "operational":
            return Outcome(local)
        past = tuple(name for name in connected(local) if name != peer and lies_on(peer, me, name))
        return self.entrust(local, me, peer).then(self.close, me, past)

    def close(self, local: Node, me: str, peers: Names) -> Outcome:
        """Connections to those peers are closed, and they hear it.

        Source: Section 4.1, CloseConnection; when is decided here
        """
        told = tuple(send(local, me, peer, Close) for peer in peers)
        for peer in peers:
            local = without_link(local, peer)
        return Outcome(local, told)

    def be_closed(self, local: Node, me: str, peer: str) -> Outcome:
        """A peer has closed a connection: what still waits for it goes to who is nearer.

        Source: Section 4.1, CloseConnection; the rest is decided here
        """
        return self.bypass(without_link(local, peer), me, peer)

    def entrust(self, local: Node, me: str, peer: str) -> Outcome:
        """What waits for brokers past a peer, or for an earlier life of it, is sent to it instead.

        Source: Algorithm 7, lines 8 to 11 and 21 to 23
        """
        entries: list[Entry] = []
        taken: list[Entry] = []
        for entry in local.entries:
            past = {name for name in entry.waiting if name != peer and lies_on(peer, me, name)}
            now = replace(entry, waiting=tuple(sorted({*entry.waiting, peer} - past))) if past else entry
            entries.append(now)
            taken += [now] if past else []
        local = replace(local, entries=tuple(entries))
        return Outcome(local, tuple(self.copy(local, me, entry, peer) for entry in taken))

    def with_entry(self, local: Node, entry: Entry) -> Node:
        """The state with an entry as it is now."""
        return replace(local, entries=tuple(entry if each.id == entry.id else each for each in local.entries))

    def try_to_finish(self, local: Node, me: str) -> Outcome:
        """Whoever recovers goes on once nobody is asked any more; recovery says how."""
        raise NotImplementedError
