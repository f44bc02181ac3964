"""Audits: neighbours compare digests of their tables, and a broker with differing rows is sent the right ones.

A digest also restates that its sender is operational.

Not in the paper, which masks failures and heals nothing.
"""

from collections.abc import Iterable
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Outcome
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row, Rows, place
from gomboc.spec.protocols.delta_fault_tolerance.filters import text
from gomboc.spec.protocols.delta_fault_tolerance.messages import Digest, Doubt, RowsMessage
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, direction, distance
from gomboc.spec.protocols.delta_fault_tolerance.recovery import side_for
from gomboc.spec.protocols.delta_fault_tolerance.sessions import record_status
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from gomboc.spec.protocols.delta_fault_tolerance.variables import in_order, in_parts, link, send, within_bound


def digest(rows: Iterable[Row]) -> str:
    """The digest of rows in order: 16 hex digits."""
    return sha256(msgspec.json.encode(tuple(rows))).hexdigest()[:16]


def audit(local: Node, broker: Broker, _taken: None) -> Outcome:
    """Send each operational neighbour the digest that its rows for this side should have. Source: decided here."""
    if not broker.parameters.audit or local.status != "operational":
        return Outcome(local)
    sides = ((peer, in_order(side_for(local, broker, peer))) for peer in audited(local, broker.me))
    return Outcome(
        local, tuple(sent for peer, rows in sides for sent in send(local, broker.me, peer, Digest, digest(rows)))
    )


def audited(local: Node, me: str) -> Names:
    """The neighbours that are connected and known to be operational, but for those for which messages are held back."""
    links = (link for link in local.connections if link.status == "operational" and distance(me, link.peer) == 1)
    return tuple(link.peer for link in links if link.peer not in dict(local.held))


def compare(local: Node, broker: Broker, message: Digest) -> Outcome:
    """Take the sender for operational, and reply `Doubt` if the digest differs from that of the local rows.

    Source: decided here
    """
    if not _audits(local, broker, message.sender):
        return Outcome(local)
    return take_for_operational(local, broker, message.sender).then(_doubt, broker, message)


def take_for_operational(local: Node, broker: Broker, peer: str) -> Outcome:
    """Record that a peer is operational, unless that is recorded: only operational brokers send digests.

    Source: decided here
    """
    connection = link(local, peer)
    if connection is None or connection.status == "operational":
        return Outcome(local)
    return record_status(local, broker, peer, "operational")


def _doubt(local: Node, broker: Broker, message: Digest) -> Outcome:
    if digest(on_side(local.rows, broker.me, message.sender)) == message.digest:
        return Outcome(local)
    return Outcome(local, send(local, broker.me, message.sender, Doubt))


def tell_rows(local: Node, broker: Broker, message: Doubt) -> Outcome:
    """Send the rows to a neighbour that doubts its own; each further part says which row the one before ended with.

    A neighbour for which messages are held back doubts the next digest, too.

    Source: decided here
    """
    if not _audits(local, broker, message.sender) or message.sender in dict(local.held):
        return Outcome(local)
    parts = in_parts(in_order(side_for(local, broker, message.sender)), broker.parameters.most_rows)
    ends = (None, *((rows[-1].source, rows[-1].filter) for rows in parts[:-1]))
    sends = (
        sent
        for rows, after in zip(parts, ends, strict=True)
        for sent in send(local, broker.me, message.sender, RowsMessage, rows, after)
    )
    return Outcome(local, tuple(sends))


def believe(local: Node, broker: Broker, message: RowsMessage) -> Outcome:
    """Replace the rows of a neighbour's side by those that it has sent of that side.

    A part replaces those from the end of the part before to its own last row, and the last part all behind that.

    Source: decided here
    """
    if not _audits(local, broker, message.sender):
        return Outcome(local)
    side = {place(row) for row in on_side(local.rows, broker.me, message.sender)}
    others = (row for row in local.rows if place(row) not in side or not _replaces(broker, message, place(row)))
    rows = in_order((*others, *on_side(message.rows, broker.me, message.sender)))
    return Outcome(replace(local, rows=within_bound(rows, broker.parameters.most_filters)))


def _replaces(broker: Broker, message: RowsMessage, at: tuple[str, bytes]) -> bool:
    """Whether a place in the order of rows is in the stretch of a part."""
    if message.after is not None and at <= (message.after[0], text(message.after[1])):
        return False
    is_full = len(message.rows) == broker.parameters.most_rows
    return not is_full or at <= place(message.rows[-1])


def _audits(local: Node, broker: Broker, peer: str) -> bool:
    """Whether the broker compares tables with a peer: both neighbours, and itself operational."""
    return broker.parameters.audit and local.status == "operational" and distance(broker.me, peer) == 1


def on_side(rows: Rows, me: str, peer: str) -> Rows:
    """Rows of the sources on a neighbour's side of the link to it."""
    return tuple(row for row in rows if row.source != me and direction(me, row.source) == peer)
