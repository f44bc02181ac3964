"""Canonical form of states, messages and commands, as far as types do not enforce it."""

from collections.abc import Iterable, Iterator
from typing import Any

from gomboc.spec.delta_fault_tolerance.filters import ill_formed, ill_valued, text
from gomboc.spec.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.delta_fault_tolerance.state import (
    Connect,
    Connection,
    Content,
    Entry,
    Forward,
    Node,
    Publication,
    Publish,
    Rejoin,
    Rows,
    RowsMessage,
    StampsMessage,
    Status,
    StatusMessage,
    Subscribe,
    Subscription,
    Table,
    Tree,
    Unsubscribe,
    Unsubscription,
    Visited,
)
from gomboc.spec.model import Fault

STATE = "the protocol's state.py"

Wrong = Iterator[str | None]
"""Violated requirements, in words; None for each requirement that holds."""


def malformed(parameters: Parameters, value: Any) -> tuple[Fault, ...]:
    """The fault of a local state, message or command that is not in canonical form; none otherwise."""
    wrong = next(filter(None, _wrong(parameters, value)), None)
    return (Fault("canonical", "", wrong, value, STATE),) if wrong else ()


def _wrong(parameters: Parameters, value: Any) -> Wrong:
    match value:
        case Node():
            yield from _in_node(parameters, value)
        case Table(_, stream, rows) | RowsMessage(_, stream, rows):
            yield _in_stamps((stream,))
            yield from _in_rows(rows)
        case StampsMessage(_, stream, stamps):
            yield _in_stamps((stream, *(stamp for _, stamp in stamps)))
            yield _ascending("stamps", [node for node, _ in stamps])
        case Forward(_, stream, id_, content, visited, guide):
            yield _in_stamps((stream, id_[1:]))
            yield from _in_content(content)
            yield _in_visited(parameters, visited)
            yield _ascending("a guide", guide or ())
        case Connect(_, stream, heard, status):
            yield _in_stamps((stream,) if heard is None else (stream, heard))
            yield _in_statuses((status,))
        case StatusMessage(_, _, status):
            yield _in_statuses((status,))
        case Tree(_, stream, names):
            yield _in_stamps((stream,))
            yield _ascending("names", names)
        case Publish(attributes):
            yield ill_valued(attributes)
        case Subscribe(wanted) | Unsubscribe(wanted):
            yield ill_formed(wanted)


def _in_node(parameters: Parameters, local: Node) -> Wrong:
    kept = Node("failed", local.incarnation, local.known, own=local.own)
    if local.status == "failed" and local != kept:
        yield "nothing but the incarnation, the tree and the own client's subscriptions in a failed broker"
    if local.status == "detached" and local != Node("detached"):
        yield "no variables in a broker outside"
    if min(local.incarnation, local.count, local.streams) < 0:
        yield "counts from 0 on"
    for name, listed in (("known", local.known), ("asking", local.asking)):
        yield _ascending(name, listed)
    yield _ascending("own subscriptions", [text(own.filter) for own in local.own])
    yield from (ill_formed(own.filter) for own in local.own)
    yield from _in_rows(local.rows)
    yield _ascending("connections", [connection.peer for connection in local.connections])
    yield from (_in_connection(connection) for connection in local.connections)
    yield _in_statuses(connection.status for connection in local.connections)
    yield _ascending("seen", [node for node, _ in local.seen])
    yield _in_stamps(stamp for _, stamp in local.seen)
    yield from (wrong for entry in local.entries for wrong in _in_entry(parameters, entry))
    yield "each broker that has asked once" if len(set(local.asked)) < len(local.asked) else None
    yield _ascending("answers", [peer for peer, _ in local.answers])
    yield from (wrong for _, rows in local.answers for wrong in _in_rows(rows))
    yield from (wrong for operation in local.later for wrong in _in_content(operation))
    yield from map(ill_valued, local.queue)


def _in_connection(connection: Connection) -> str | None:
    return _in_stamps((connection.mine,) if connection.theirs is None else (connection.mine, connection.theirs))


def _in_entry(parameters: Parameters, entry: Entry) -> Wrong:
    yield _in_stamps((entry.stamp, entry.id[1:]))
    yield from _in_content(entry.content)
    yield _in_visited(parameters, entry.visited)
    for name, listed in (("senders", entry.senders), ("recipients", entry.recipients), ("waiting", entry.waiting)):
        yield _ascending(name, listed)


def _in_content(content: Content) -> Wrong:
    match content:
        case Publication(attributes):
            yield ill_valued(attributes)
        case Subscription(_, wanted) | Unsubscription(_, wanted):
            yield ill_formed(wanted)
        case Rejoin(_, filters):
            yield _ascending("filters", list(map(text, filters)))
            yield from map(ill_formed, filters)


def _in_rows(rows: Rows) -> Wrong:
    yield _ascending("rows", [(row.source, text(row.filter)) for row in rows])
    yield from (ill_formed(row.filter) for row in rows)


def _in_visited(parameters: Parameters, visited: Visited) -> str | None:
    if len(visited) > parameters.delta + 1:
        return f"at most {parameters.delta + 1} visited brokers"
    return _in_stamps(stamp for _, stamp in visited if stamp is not None)


def _in_stamps(stamps: Iterable[tuple[int, int]]) -> str | None:
    for incarnation, count in stamps:
        if incarnation < 0 or count < 1:
            return "stamps and streams from incarnation 0 and count 1 on"
    return None


def _in_statuses(statuses: Iterable[Status | None]) -> str | None:
    return "no broker that says that it is outside" if "detached" in statuses else None


def _ascending(name: str, listed: Iterable[Any]) -> str | None:
    values = list(listed)
    return None if values == sorted(set(values)) else f"{name} ascending, each once"
