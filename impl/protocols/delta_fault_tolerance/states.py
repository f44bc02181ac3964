"""Local states in the form of traces."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.protocols.delta_fault_tolerance.contents import Any as Content
from gomboc.impl.protocols.delta_fault_tolerance.contents import Change, Id, Number, Stamp, Visited, wrong_content
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter, text, wrong_attributes, wrong_filter
from gomboc.impl.protocols.delta_fault_tolerance.messages import Told
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, distance, parent, path
from gomboc.impl.protocols.delta_fault_tolerance.rows import Row, wrong_rows

Phase = Literal["subscribing", "subscribed", "unsubscribing"]

Standing = Literal["detached", "operational", "recovering", "failed"]
"""The status of a broker. A detached broker is outside of the tree: it has never joined."""


class Own(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A subscription of the own client; `id` is that of the message that ends the phase when it is confirmed."""

    filter: Filter
    phase: Phase
    id: Id | None


class Connected(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A connection: the status that the peer has sent, the stream to it, and the stream from it."""

    peer: Name
    status: Told | None
    mine: Stamp
    theirs: Stamp | None


class Pending(Struct, frozen=True, forbid_unknown_fields=True):
    """A multicast message that is not confirmed yet."""

    id: Id
    content: Content
    stamp: Stamp
    visited: Visited
    senders: tuple[Name, ...]
    recipients: tuple[Name, ...]
    waiting: tuple[Name, ...]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a broker; the page of the protocol's traces explains each."""

    status: Standing
    incarnation: Number
    known: tuple[Name, ...] = ()
    count: Number = 0
    streams: Number = 0
    own: tuple[Own, ...] = ()
    rows: tuple[Row, ...] = ()
    connections: tuple[Connected, ...] = ()
    seen: tuple[tuple[Name, Stamp], ...] = ()
    entries: tuple[Pending, ...] = ()
    asking: tuple[Name, ...] = ()
    asked: tuple[Name, ...] = ()
    answers: tuple[tuple[Name, tuple[Row, ...]], ...] = ()
    later: tuple[Change, ...] = ()
    queue: tuple[Attributes, ...] = ()


ALONE = State(status="operational", incarnation=0)
"""The state of a broker that knows no other one."""

DETACHED = State(status="detached", incarnation=0)
"""The state of a broker outside."""


def failed(state: State) -> State:
    """The state after a crash: the incarnation, the known part of the tree, and the client's subscriptions."""
    own = tuple(Own(subscription.filter, subscription.phase, None) for subscription in state.own)
    return State("failed", state.incarnation, state.known, own=own)


def load(me: str, value: object, delta: int) -> State:
    """The state of a broker from a JSON value. Raises `UsageError` for an invalid one."""
    try:
        state = msgspec.convert(value, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"This is not a state of delta-fault-tolerance: {error}.") from error
    for wrong in _wrongs(me, state, delta):
        raise UsageError(f"This is not a state of delta-fault-tolerance for {me!r}: {wrong}.")
    return state


def _wrongs(me: str, state: State, delta: int) -> Iterator[str]:
    yield from _wrong_names(me, state, delta)
    if state.status == "failed" and state != failed(state):
        yield "a broker that has failed keeps only its incarnation, the brokers that it knows, and its subscriptions"
    if state.status == "detached" and state != DETACHED:
        yield "a broker that is detached has no other variables"
    for wrong in (
        *map(wrong_filter, (own.filter for own in state.own)),
        *map(wrong_content, (*state.later, *(entry.content for entry in state.entries))),
        *map(wrong_attributes, state.queue),
        *map(wrong_rows, (state.rows, *(rows for _, rows in state.answers))),
    ):
        if wrong is not None:
            yield wrong
    yield from _disorders(state)


def _wrong_names(me: str, state: State, delta: int) -> Iterator[str]:
    for name in state.known:
        if name == me:
            yield "it knows itself"
        elif distance(me, name) > delta + 1:
            yield f"it knows {name!r}, which is farther than {delta + 1} links"
        elif not {*path(me, name)} <= {me, *state.known}:
            yield f"it knows {name!r}, and not the brokers on the path to it"
    for connection in state.connections:
        if connection.peer not in state.known and (state.known or parent(me) is None):
            yield f"it is connected to {connection.peer!r}, which it does not know"


def _disorders(state: State) -> Iterator[str]:
    for what, ordered in (
        ("name", state.known),
        ("subscription", [text(own.filter) for own in state.own]),
        ("connection", [connection.peer for connection in state.connections]),
        ("stamp", [name for name, _ in state.seen]),
        ("name", state.asking),
        ("answer", [name for name, _ in state.answers]),
    ):
        yield from _disorder(what, ordered)


def _disorder(what: str, ordered: Sequence[str]) -> Iterator[str]:
    for former, latter in pairwise(ordered):
        if former >= latter:
            yield f"its {what} {latter!r} comes after {former!r}"


encode = msgspec.json.Encoder().encode
