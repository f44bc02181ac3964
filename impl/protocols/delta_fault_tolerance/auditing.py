"""Audits, an extension of ours: neighbours compare digests of their tables; the one nearer to a source is right.

An audit heals rows, and a neighbour's status that is recorded wrongly: its digest says that it is operational. Both
neighbours must be operational, and the one that sends a digest must know that of the other.
"""

from hashlib import sha256

import msgspec

from gomboc.impl.protocols.delta_fault_tolerance.contents import Row, order, portions
from gomboc.impl.protocols.delta_fault_tolerance.messages import Digest, Doubt, Rows
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, leads_to
from gomboc.impl.protocols.delta_fault_tolerance.recovering import rows_of_own, rows_seen_from
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables


def tell_digests(at: Variables) -> None:
    """Send each operational neighbour the digest of the rows that it should have for the sources on this side.

    It is none for a neighbour that has still to ask for messages.
    """
    for peer in sorted(at.links):
        link = at.links[peer]
        if distance(at.me, peer) == 1 and link.status == "operational" and peer not in at.held:
            at.send(peer, Digest(at.me, link.mine, digest(rows_of_this_side(at, peer))))


def compare(at: Variables, message: Digest) -> None:
    """Reply `Doubt` if the neighbour's digest differs from that of the local rows for its side."""
    if digest(rows_behind(at, message.sender)) != message.digest:
        at.send(message.sender, Doubt(at.me, at.links[message.sender].mine))


def tell_rows(at: Variables, peer: str) -> None:
    """Send a neighbour that doubts the rows that it should have for this side; not if messages wait for it."""
    if peer in at.held:
        return
    after = None
    for rows in portions(rows_of_this_side(at, peer), at.most_rows):
        at.send(peer, Rows(at.me, at.links[peer].mine, rows, after))
        after = (rows[-1].source, rows[-1].filter) if rows else None


def replace(at: Variables, message: Rows) -> None:
    """Replace the rows for a neighbour's side, between the ends of a message, by those that it has sent."""
    for row in rows_behind(at, message.sender):
        if message.replaces(row, at.most_rows):
            at.table.remove(row.source, row.filter)
    for row in message.rows:
        if leads_to(at.me, message.sender, row.source):
            at.table.add(row)


def rows_of_this_side(at: Variables, peer: str) -> tuple[Row, ...]:
    """The rows that a neighbour should have of all sources that are not behind it."""
    ours = (row for row in at.table.rows() if row.source != at.me and not leads_to(at.me, peer, row.source))
    return tuple(sorted((*rows_of_own(at), *rows_seen_from(at, peer, ours)), key=order))


def rows_behind(at: Variables, peer: str) -> tuple[Row, ...]:
    """The local rows of a neighbour's client, and of sources behind it."""
    return tuple(row for row in at.table.rows() if leads_to(at.me, peer, row.source))


def digest(rows: tuple[Row, ...]) -> str:
    """16 hexadecimal digits of a hash of rows."""
    return sha256(msgspec.json.encode(rows)).hexdigest()[:16]
