"""Local states in the form of traces."""

from functools import partial
from typing import Annotated, Literal

import msgspec
from msgspec import Struct

from gomboc.impl.core.vocabulary import Fault, ascending, check_of, convert, first, surplus
from gomboc.impl.protocols.delta_fault_tolerance.contents import (
    Change,
    Contents,
    Id,
    Number,
    Rows,
    Stamp,
    Stamped,
    Visited,
)
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Filter, text
from gomboc.impl.protocols.delta_fault_tolerance.messages import Any, Told
from gomboc.impl.protocols.delta_fault_tolerance.names import Name, Names, distance, parent, path
from gomboc.impl.protocols.delta_fault_tolerance.parameters import Parameters

Phase = Literal["subscribing", "subscribed", "unsubscribing"]

Standing = Literal["detached", "operational", "recovering", "failed"]
"""The status of a broker. A detached broker is outside of the tree: it has never joined."""


class Own(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A subscription of the own client; `id` is that of the message that ends the phase when it is confirmed."""

    filter: Filter
    phase: Phase
    id: Id | None


def by_filter(own: Own) -> str:
    """The key by which the client's subscriptions are sorted."""
    return text(own.filter)


class Link(Struct, array_like=True, forbid_unknown_fields=True):
    """A connection: the status that the peer has sent, the stream to it, and the stream from it."""

    peer: Name
    status: Told | None
    mine: Stamp
    theirs: Stamp | None


def _peer(link: Link) -> str:
    return link.peer


class Entry(Struct, forbid_unknown_fields=True):
    """A multicast message that is not confirmed yet, with its senders, its recipients, and the peers to confirm it."""

    id: Id
    content: Contents
    stamp: Stamp
    visited: Visited
    senders: set[Name]
    recipients: set[Name]
    waiting: set[Name]


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """The variables of a broker; the page of the protocol's traces explains each."""

    status: Standing
    incarnation: Number
    known: Names = ()
    count: Number = 0
    streams: Number = 0
    own: Annotated[tuple[Own, ...], ascending("subscription", by_filter)] = ()
    rows: Rows = ()
    connections: Annotated[tuple[Link, ...], ascending("connection", _peer)] = ()
    seen: Stamped = ()
    entries: tuple[Entry, ...] = ()
    asking: Names = ()
    asked: tuple[Name, ...] = ()
    answers: Annotated[tuple[tuple[Name, Rows], ...], ascending("answer", first)] = ()
    later: tuple[Change, ...] = ()
    queue: tuple[Attributes, ...] = ()
    held: Annotated[tuple[tuple[Name, tuple[Any, ...]], ...], ascending("peer with held messages", first)] = ()

    def fault(self, parameters: Parameters | None) -> Fault:
        """The fault of variables that no step fills under these parameters."""
        most = parameters.most_filters if parameters else None
        if wrong := surplus("its client has {} filters", len(self.own), most):
            return wrong
        if self.held and (parameters is None or parameters.most_bytes is None):
            return "it holds messages back, and steps have no bound here"
        return None


ALONE = State(status="operational", incarnation=0)
"""The state of a broker that knows no other one."""

DETACHED = State(status="detached", incarnation=0)
"""The state of a broker outside."""


def failed(state: State) -> State:
    """The state after a crash: the incarnation, the known part of the tree, and the client's subscriptions."""
    own = tuple(msgspec.structs.replace(subscription, id=None) for subscription in state.own)
    return State("failed", state.incarnation, state.known, own=own)


def load(me: str, value: object, parameters: Parameters) -> State:
    """The state of a broker from a JSON value. Raises `UsageError` for an invalid one."""
    refusal, wrong_here = "This is not a state of delta-fault-tolerance", partial(_wrong, me, parameters.delta)
    return convert(value, State, refusal, wrong_here, check_of(State, parameters), whose=f" for {me!r}")


def _wrong(me: str, delta: int, state: State) -> Fault:
    """The fault of a state that is well-formed."""
    for name in state.known:
        if name == me:
            return "it knows itself"
        if distance(me, name) > delta + 1:
            return f"it knows {name!r}, which is farther than {delta + 1} links"
        if not {*path(me, name)} <= {me, *state.known}:
            return f"it knows {name!r}, and not the brokers on the path to it"
    for link in state.connections:
        if link.peer not in state.known and (state.known or parent(me) is None):
            return f"it is connected to {link.peer!r}, which it does not know"
    if state.status == "failed" and state != failed(state):
        return "a broker that has failed keeps only its incarnation, the brokers that it knows, and its subscriptions"
    if state.status == "detached" and state != DETACHED:
        return "a broker that is detached has no other variables"
    return None


encode = msgspec.json.Encoder(order="deterministic").encode
"""Encoder of states, in which sets ascend."""
