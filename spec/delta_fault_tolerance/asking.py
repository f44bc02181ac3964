"""Questions of a recovering broker: the peers that it asks, how it uses their answers, and how it rejoins."""

from msgspec.structs import replace

from gomboc.spec.delta_fault_tolerance.filters import text
from gomboc.spec.delta_fault_tolerance.links import (
    anew,
    recover,
)
from gomboc.spec.delta_fault_tolerance.multicast import Multicast
from gomboc.spec.delta_fault_tolerance.state import (
    Entry,
    Node,
    Rejoin,
    Row,
    Rows,
    StampsMessage,
    Table,
    is_joining,
)
from gomboc.spec.delta_fault_tolerance.tables import applied, in_order, wanted_by
from gomboc.spec.delta_fault_tolerance.tree import Names, path
from gomboc.spec.model import Outcome


class Asking(Multicast, frozen=True):
    """The rules of a broker that asks for tables; errata override some of them."""

    # Asking peers.

    def ask(self, local: Node, me: str, peers: Names) -> Outcome:
        """Ask peers for their tables, unless they have been asked; each connection begins anew.

        Source: Algorithm 6, lines 2 to 8
        """
        fresh = tuple(peer for peer in peers if peer not in local.asking)
        for peer in fresh:
            local = anew(local, peer, None, None)
        local = replace(local, asking=tuple(sorted({*local.asking, *fresh})))
        outcome = Outcome(local, tuple(sent for peer in fresh for sent in recover(local, me, peer)))
        for peer in fresh:
            outcome = outcome.then(self.resend, me, peer)
        return outcome

    def not_asked(self, local: Node, peers: set[str]) -> Node:
        """The state without the questions to these peers and without their answers."""
        asking = tuple(name for name in local.asking if name not in peers)
        answers = tuple(answer for answer in local.answers if answer[0] not in peers)
        return replace(local, asking=asking, answers=answers)

    def go_past(self, local: Node, me: str, peer: str) -> Outcome:
        """Ask the brokers beyond a peer that is still asking itself.

        Source: Section 6.2, "we must either arrive at an OPERATIONAL synchronization point"
        """
        if peer not in local.asking:
            return Outcome(local)
        local = self.not_asked(local, {peer})
        return self.ask(local, me, self.asked_instead(local, me, peer)).then(self.try_to_finish, me)

    def asked_instead(self, local: Node, me: str, peer: str) -> Names:
        """The brokers to ask in place of a peer: those beyond it; for a joining broker, its parent again.

        Source: Algorithm 6; joining is decided here
        """
        return (peer,) if is_joining(local) else self.beyond(local, me, peer)

    # Taking answers.

    def take_table(self, local: Node, message: Table) -> Outcome:
        """Store the rows of a peer that was asked.

        Source: Algorithm 6, lines 11 to 14
        """
        if message.sender not in local.asking:
            return Outcome(local)
        others = [answer for answer in local.answers if answer[0] != message.sender]
        return Outcome(replace(local, answers=tuple(sorted((*others, (message.sender, message.rows))))))

    def take_stamps(self, local: Node, me: str, message: StampsMessage) -> Outcome:
        """Take the stamps of a peer that was asked: the last part of its answer.

        Source: Algorithm 6, line 15
        """
        if message.sender not in local.asking:
            return Outcome(local)
        asking = tuple(name for name in local.asking if name != message.sender)
        local = replace(local, asking=asking, seen=self.updated(local.seen, message.stamps))
        return self.try_to_finish(local, me)

    def try_to_finish(self, local: Node, me: str) -> Outcome:
        """Once no question is open, put the table together and send REJOIN.

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
        """The rows of all answers: for each source, those of peers on the path to it, if any such peer answered.

        Source: Algorithm 6, line 14; the choice among answers is decided here
        """
        answers = dict(local.answers)
        merged: dict[tuple[str, bytes], Row] = {}
        for peer, rows in answers.items():
            for row in rows:
                way = {*path(me, row.source)} & {*answers}
                if peer in way or not way:
                    merged[row.source, text(row.filter)] = row
        return in_order(merged.values())


def _is_rejoining(me: str, entry: Entry) -> bool:
    """Whether an entry is the broker's own REJOIN."""
    return isinstance(entry.content, Rejoin) and entry.id[0] == me
