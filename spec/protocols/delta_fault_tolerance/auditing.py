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
from gomboc.spec.protocols.delta_fault_tolerance.contents import Row, Rows
from gomboc.spec.protocols.delta_fault_tolerance.messages import Digest, Doubt, RowsMessage
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, direction, distance
from gomboc.spec.protocols.delta_fault_tolerance.recovery import side_for, with_answer
from gomboc.spec.protocols.delta_fault_tolerance.sessions import record_status
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from gomboc.spec.protocols.delta_fault_tolerance.variables import gone_on, in_order, in_parts, link, send


def digest(rows: Iterable[Row]) -> str:
    """The digest of rows in order: 16 hex digits."""
    return sha256(msgspec.json.encode(tuple(rows))).hexdigest()[:16]


def audit(local: Node, broker: Broker, taken: None) -> Outcome:
    """Send each operational neighbour the digest that its rows for this side should have. Source: decided here."""
    del taken
    if not broker.parameters.audit or local.status != "operational":
        return Outcome(local)
    sides = ((peer, in_order(side_for(local, broker, peer))) for peer in audited(local, broker.me))
    return Outcome(
        local, tuple(sent for peer, rows in sides for sent in send(local, broker.me, peer, Digest, digest(rows)))
    )


def audited(local: Node, me: str) -> Names:
    """The neighbours that are connected, and known to be operational."""
    links = (link for link in local.connections if link.status == "operational" and distance(me, link.peer) == 1)
    return tuple(link.peer for link in links)


def compare(local: Node, broker: Broker, message: Digest) -> Outcome:
    """Take the sender for operational, and reply `Doubt` if the digest differs from that of the local rows.

    The first parts of rows whose last part has not come are forgotten: it will not come any more.

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
    local = with_answer(local, message.sender, None)
    if digest(on_side(local.rows, broker.me, message.sender)) == message.digest:
        return Outcome(local)
    return Outcome(local, send(local, broker.me, message.sender, Doubt))


def tell_rows(local: Node, broker: Broker, message: Doubt) -> Outcome:
    """Send the rows to a neighbour that doubts its own. Source: decided here."""
    if not _audits(local, broker, message.sender):
        return Outcome(local)
    parts = in_parts(in_order(side_for(local, broker, message.sender)), broker.parameters.most_rows)
    sends = (sent for rows in parts for sent in send(local, broker.me, message.sender, RowsMessage, rows))
    return Outcome(local, tuple(sends))


def believe(local: Node, broker: Broker, message: RowsMessage) -> Outcome:
    """Replace the rows of a neighbour's side by those that it has sent of that side, once all parts have come.

    Source: decided here
    """
    if not _audits(local, broker, message.sender):
        return Outcome(local)
    rows = gone_on(dict(local.answers).get(message.sender, ()), message.rows)
    if len(message.rows) == broker.parameters.most_rows:
        return Outcome(with_answer(local, message.sender, rows))
    side = on_side(local.rows, broker.me, message.sender)
    others = dict.fromkeys(row for row in local.rows if row not in side)
    local = replace(local, rows=in_order((*others, *on_side(rows, broker.me, message.sender))))
    return Outcome(with_answer(local, message.sender, None))


def _audits(local: Node, broker: Broker, peer: str) -> bool:
    """Whether the broker compares tables with a peer: both neighbours, and itself operational."""
    return broker.parameters.audit and local.status == "operational" and distance(broker.me, peer) == 1


def on_side(rows: Rows, me: str, peer: str) -> Rows:
    """Rows of the sources on a neighbour's side of the link to it."""
    return tuple(row for row in rows if row.source != me and direction(me, row.source) == peer)
