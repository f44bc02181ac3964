"""Audits, an extension of ours: neighbours compare digests of their tables; the one nearer to a source is right.

An audit heals rows, and a neighbour's status that is recorded wrongly: its digest says that it is operational. Both
neighbours must be operational, and the one that sends a digest must know that of the other.
"""

from hashlib import sha256

import msgspec

from gomboc.impl.protocols.delta_fault_tolerance.contents import Row, extended, order, portions
from gomboc.impl.protocols.delta_fault_tolerance.messages import Digest, Doubt, Rows
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, leads_to
from gomboc.impl.protocols.delta_fault_tolerance.recovering import rows_of_own, rows_seen_from
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables


def tell_digests(at: Variables) -> None:
    """Send each operational neighbour the digest of the rows that it should have for the sources on this side."""
    for peer in sorted(at.links):
        link = at.links[peer]
        if distance(at.me, peer) == 1 and link.status == "operational":
            at.send(peer, Digest(at.me, link.mine, digest(rows_of_this_side(at, peer))))


def compare(at: Variables, message: Digest) -> None:
    """Reply `Doubt` if the neighbour's digest differs from that of the local rows for its side.

    What has come of an earlier reply is dropped: its rest is lost.
    """
    at.recovery.answers.pop(message.sender, None)
    if digest(rows_behind(at, message.sender)) != message.digest:
        at.send(message.sender, Doubt(at.me, at.links[message.sender].mine))


def tell_rows(at: Variables, peer: str) -> None:
    """Send a neighbour that doubts the rows that it should have for this side."""
    for rows in portions(rows_of_this_side(at, peer), at.most_rows):
        at.send(peer, Rows(at.me, at.links[peer].mine, rows))


def replace(at: Variables, message: Rows) -> None:
    """Replace the rows for a neighbour's side by those that it has sent; a full message waits for the next one."""
    rows = extended(at.recovery.answers.pop(message.sender, ()), message.rows)
    if len(message.rows) == at.most_rows:
        at.recovery.answers[message.sender] = rows
        return
    for row in rows_behind(at, message.sender):
        at.table.remove(row.source, row.filter)
    for row in rows:
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
