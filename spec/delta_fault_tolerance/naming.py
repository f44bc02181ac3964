"""Broker names in states, messages and commands."""

from typing import Any

from gomboc.spec.delta_fault_tolerance.state import (
    Confirm,
    Content,
    Down,
    Entry,
    Forward,
    InStream,
    Joined,
    Node,
    Rejoin,
    Rows,
    RowsMessage,
    StampsMessage,
    Subscription,
    Table,
    Tree,
    Unsubscription,
)
from gomboc.spec.delta_fault_tolerance.tree import Names


def named(value: Any) -> Names:
    """Every broker to which a state, message or command refers, maybe more than once."""
    match value:
        case Node():
            return (*value.known, *_in_node(value))
        case Table(sender, _, rows) | RowsMessage(sender, _, rows):
            return (sender, *_in_rows(rows))
        case StampsMessage(sender, _, stamps):
            return (sender, *(node for node, _ in stamps))
        case Forward(sender, _, id_, content, visited, guide):
            return (sender, id_[0], *_in_content(content), *(node for node, _ in visited), *(guide or ()))
        case Confirm(sender, _, id_):
            return sender, id_[0]
        case Tree(sender, _, names):
            return sender, *names
        case InStream(sender):
            return (sender,)
        case Down(node):
            return (node,)
    return ()


def _in_node(local: Node) -> Names:
    entries = (name for entry in local.entries for name in _in_entry(entry))
    answers = (name for peer, rows in local.answers for name in (peer, *_in_rows(rows)))
    later = (name for operation in local.later for name in _in_content(operation))
    links = (connection.peer for connection in local.connections)
    seen = (node for node, _ in local.seen)
    return (*_in_rows(local.rows), *links, *seen, *entries, *local.asking, *local.asked, *answers, *later)


def _in_entry(entry: Entry) -> Names:
    visited = (node for node, _ in entry.visited)
    return (entry.id[0], *_in_content(entry.content), *visited, *entry.senders, *entry.recipients, *entry.waiting)


def _in_rows(rows: Rows) -> Names:
    return tuple(name for row in rows for name in (row.source, row.via))


def _in_content(content: Content) -> Names:
    match content:
        case Subscription(source, _, via) | Rejoin(source, _, via):
            return source, via
        case Unsubscription(source):
            return (source,)
        case Joined(node):
            return (node,)
    return ()
