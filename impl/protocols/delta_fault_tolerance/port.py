"""The port for applications, which subscribe by filters. A system begins with a tree of brokers; leaves join later."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Raw

from gomboc.impl.core.automaton import Core
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import check_of, convert
from gomboc.impl.core.vocabulary import encode as encode_json
from gomboc.impl.protocols.delta_fault_tolerance import client, commands, deliveries
from gomboc.impl.protocols.delta_fault_tolerance.commands import Join
from gomboc.impl.protocols.delta_fault_tolerance.contents import Id
from gomboc.impl.protocols.delta_fault_tolerance.core import Broker, knows
from gomboc.impl.protocols.delta_fault_tolerance.filters import Attributes, Predicate, text, too_long, wrong_filter
from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter as Predicates
from gomboc.impl.protocols.delta_fault_tolerance.names import distance, is_name, parent
from gomboc.impl.protocols.delta_fault_tolerance.parameters import read
from gomboc.impl.protocols.delta_fault_tolerance.states import DETACHED, Link, State, encode, failed
from gomboc.impl.publishing.port import (
    Command,
    Confirmed,
    Content,
    Filter,
    Matched,
    Port,
    Ready,
    SetOut,
    Subscribed,
    Told,
    Truth,
    Unreachable,
    Value,
)
from gomboc.impl.publishing.publication import PublicationId

_COUNTS = 2**32
"""An application sees the start of a publisher, times this, plus the count of its publications since."""


def begin(parameters: Mapping[str, object], name: str, names: Sequence[str]) -> object:
    """The state of a broker of a new tree, connected to its neighbours; without `names`, of a broker outside.

    Raises `UsageError` if the names form no tree, or the broker is not in it.
    """
    if not names:
        return msgspec.to_builtins(DETACHED)
    _require_tree(names)
    if name not in names:
        raise UsageError(f"{name!r} is not in the tree; its brokers are: {', '.join(sorted(names))}.")
    known = tuple(sorted(other for other in names if 0 < distance(name, other) <= read(parameters).delta + 1))
    neighbours = [other for other in known if distance(name, other) == 1]
    connections = tuple(Link(other, "operational", (0, 1), (0, 1)) for other in neighbours)
    return msgspec.to_builtins(
        State("operational", 0, known, streams=min(1, len(connections)), connections=connections)
    )


def _require_tree(names: Sequence[str]) -> None:
    for name in names:
        if not is_name(name):
            raise UsageError(f"{name!r} is no name of a broker: write a path in the tree, such as 'a.b.c'.")
    roots = sorted(name for name in set(names) if "." not in name)
    if len(roots) != 1:
        raise UsageError(f"A tree has one root, a name without a dot, and not {len(roots)}: {', '.join(names)}.")
    for name in sorted(names):
        parent = name.rpartition(".")[0]
        if parent and parent not in names:
            raise UsageError(f"{name!r} has the parent {parent!r}, which is not in the tree.")


def kept(snapshot: Raw) -> object:
    """The part of a written state that survives a crash."""
    left: object = msgspec.json.decode(encode(failed(msgspec.json.decode(snapshot, type=State))))
    return left


def restored(kept: object) -> Mapping[Filter, bool]:
    """The client's filters, and whether each was confirmed. Raises `UsageError` if no crash leaves this state."""
    try:
        state = msgspec.convert(kept, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"No crash leaves this state: {error}; give the value that was kept.") from error
    if state.status != "failed":
        raise UsageError(f"A crash leaves no broker that is {state.status}: give the value that was kept of it.")
    return {
        shown(subscription.filter): subscription.phase == "subscribed"
        for subscription in state.own
        if subscription.phase != "unsubscribing"
    }


def wanted(argument: object) -> Filter:
    """A filter from predicates in any order. Raises `UsageError` for an invalid filter."""
    refusal, written = "This is not a filter", _each_plain(argument)
    return shown(
        _in_order(
            convert(written, tuple[Predicate, ...], refusal, lambda predicates: wrong_filter(_in_order(predicates)))
        )
    )


def _in_order(predicates: Iterable[Predicate]) -> Predicates:
    return tuple(sorted(set(predicates), key=lambda predicate: text((predicate,))))


def shown(predicates: Predicates) -> Filter:
    """A filter in the form for applications."""
    return tuple((predicate.attribute, predicate.operator, predicate.value) for predicate in predicates)


def _each_plain(argument: object) -> object:
    """Predicates with their values in written form."""
    if not isinstance(argument, Iterable) or isinstance(argument, str | bytes | Mapping):
        return argument
    return [
        (*predicate[:2], *map(_plain, predicate[2:])) if isinstance(predicate, tuple | list) else predicate
        for predicate in argument
    ]


def _plain(value: object) -> object:
    """A value in written form: a boolean by itself, and a whole number without a fraction."""
    if isinstance(value, bool):
        return Truth(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def attributes(argument: object) -> Mapping[str, Value | Truth]:
    """The attributes of a publication, by name. Raises `UsageError` for invalid attributes, or none at all."""
    if not isinstance(argument, Mapping) or not argument:
        raise UsageError(
            "A publication has at least one attribute: give a mapping from names to numbers, texts or booleans."
        )
    pairs = sorted(((name, _plain(value)) for name, value in argument.items()), key=lambda pair: str(pair[0]))
    return dict(convert(pairs, Attributes, "These are not attributes", check_of(Attributes)))


def told(content: object) -> Told | None:
    """A delivery in the form for a node; None if it is of no interest there."""
    match content:
        case deliveries.Published(identified):
            return SetOut(_id(identified))
        case deliveries.Confirmed(identified):
            return Confirmed(_id(identified))
        case deliveries.Publication(identified, pairs, filters):
            attributes = {name: value.value if isinstance(value, Truth) else value for name, value in pairs}
            return Matched(_id(identified), attributes, tuple(map(shown, filters)))
        case deliveries.Subscribed(predicates):
            return Subscribed(shown(predicates))
        case deliveries.Status(status):
            return Ready(status == "operational")
        case deliveries.Unreachable(identified, node):
            return Unreachable(_id(identified), node)
    return None


def unfit(core: Core, command: Command) -> tuple[Reason, str] | None:
    """Why a command of a client is refused: it is longer than the parameters allow, or has one filter too many."""
    assert isinstance(core, Broker), "a node has a broker"
    bounds = core.at.parameters
    if bounds.most_bytes is None and bounds.most_filters is None:
        return None
    match commands.decode(encode_json(command)):
        case commands.Publish(attributes):
            if wrong := too_long(attributes, bounds.attribute_bytes()):
                return Reason.TOO_LARGE, f"This publication is too large: {wrong}."
        case commands.Subscribe(wanted):
            if wrong := too_long(wanted, bounds.filter_bytes()):
                return Reason.TOO_LARGE, f"This filter is too large: {wrong}."
            if wanted not in core.at.own and not client.has_room(core.at):
                has = f"{core.at.me} has {bounds.most_filters} filters"
                return Reason.TOO_MANY_FILTERS, f"{has}, and no room for one more until an end is confirmed."
    return None


def _id(identified: Id) -> PublicationId:
    source, incarnation, count = identified
    return PublicationId(source, incarnation * _COUNTS + count)


PORT = Port(
    member="broker",
    # Applications face peers that they do not trust; None for each is the paper's reading.
    usual={"most_rows": 64, "most_bytes": 64_000, "most_filters": 1_000},
    agreed=read,
    content=Content(
        begin=begin,
        join=Join(),
        contact=parent,
        kept=kept,
        restored=restored,
        knows=knows,
        unfit=unfit,
        filter=wanted,
        attributes=attributes,
        subscribe=lambda predicates: {"kind": "Subscribe", "filter": predicates},
        unsubscribe=lambda predicates: {"kind": "Unsubscribe", "filter": predicates},
        publish=lambda attributes: {"kind": "Publish", "attributes": sorted(attributes.items())},
        told=told,
    ),
)
