"""The port: applications say by filters what they want. A system begins with a tree of brokers; leaves join later."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Raw

from gomboc.impl.delta_fault_tolerance import deliveries
from gomboc.impl.delta_fault_tolerance.contents import Id
from gomboc.impl.delta_fault_tolerance.filters import Attributes, Predicate, text, wrong_attributes, wrong_filter
from gomboc.impl.delta_fault_tolerance.filters import Filter as Predicates
from gomboc.impl.delta_fault_tolerance.names import distance, is_name, parent
from gomboc.impl.delta_fault_tolerance.parameters import read
from gomboc.impl.delta_fault_tolerance.states import DETACHED, Connected, State, encode, failed
from gomboc.impl.errors import UsageError
from gomboc.impl.port import (
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
from gomboc.impl.publication import MOST_PER_INCARNATION, PublicationId


def begin(parameters: Mapping[str, object], name: str, names: Sequence[str]) -> object:
    """The state of a broker of a new tree, connected to its neighbours; or of one that is outside, if none is named.

    Raises `UsageError` if these names are no tree, or this one is not in it.
    """
    if not names:
        return msgspec.to_builtins(DETACHED)
    _require_tree(names)
    if name not in names:
        raise UsageError(f"{name!r} is not in the tree; its brokers are: {', '.join(sorted(names))}.")
    known = tuple(sorted(each for each in names if 0 < distance(name, each) <= read(parameters).delta + 1))
    neighbours = [each for each in known if distance(name, each) == 1]
    connections = tuple(Connected(each, "operational", (0, 1), (0, 1)) for each in neighbours)
    return msgspec.to_builtins(
        State("operational", 0, known, streams=min(1, len(connections)), connections=connections)
    )


def _require_tree(names: Sequence[str]) -> None:
    for each in names:
        if not is_name(each):
            raise UsageError(f"{each!r} is no name of a broker: write a path in the tree, such as 'a.b.c'.")
    roots = sorted(each for each in set(names) if "." not in each)
    if len(roots) != 1:
        raise UsageError(
            f"A tree has exactly one root, a name without a dot, and not {len(roots)}: {', '.join(names)}."
        )
    for each in sorted(names):
        parent = each.rpartition(".")[0]
        if parent and parent not in names:
            raise UsageError(f"{each!r} hangs on {parent!r}, which is not in the tree.")


def kept(snapshot: Raw) -> object:
    """What survives of a state that a trace writes."""
    left: object = msgspec.json.decode(encode(failed(msgspec.json.decode(snapshot, type=State))))
    return left


def restored(kept: object) -> Mapping[Filter, bool]:
    """The client's filters, and whether each was confirmed; `UsageError` if no crash leaves this."""
    try:
        state = msgspec.convert(kept, State)
    except msgspec.ValidationError as error:
        raise UsageError(f"No crash leaves this: {error}; give a kept state.") from error
    if state.status != "failed":
        raise UsageError(f"A crash leaves no broker that is {state.status}: give the kept state of a crashed one.")
    return {shown(each.filter): each.phase == "subscribed" for each in state.own if each.phase != "unsubscribing"}


def wanted(given: object) -> Filter:
    """A filter from predicates in any order; `UsageError` for what is none."""
    try:
        predicates = msgspec.convert(_each_plain(given), tuple[Predicate, ...])
    except (msgspec.ValidationError, TypeError) as error:
        raise UsageError(f"This is not a filter: {error}.") from error
    predicates = tuple(sorted(set(predicates), key=lambda each: text((each,))))
    wrong = wrong_filter(predicates)
    if wrong is not None:
        raise UsageError(f"This is not a filter: {wrong}.")
    return shown(predicates)


def shown(predicates: Predicates) -> Filter:
    """A filter as applications see it."""
    return tuple((each.attribute, each.operator, each.value) for each in predicates)


def _each_plain(given: object) -> object:
    """Predicates with their values as they are written."""
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
        return given
    return [(*each[:2], *map(_plain, each[2:])) if isinstance(each, tuple | list) else each for each in given]


def _plain(value: object) -> object:
    """A value as it is written: a boolean by itself, and a whole number without a fraction."""
    if isinstance(value, bool):
        return Truth(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def attributes(given: object) -> Mapping[str, Value | Truth]:
    """The attributes of a publication, by name; `UsageError` for what are none, and if there are none."""
    if not isinstance(given, Mapping) or not given:
        raise UsageError(
            "A publication has at least one attribute: give a mapping from names to numbers, texts or booleans."
        )
    try:
        pairs = msgspec.convert(sorted((name, _plain(value)) for name, value in given.items()), Attributes)
    except (msgspec.ValidationError, TypeError) as error:
        raise UsageError(f"These are not attributes: {error}.") from error
    wrong = wrong_attributes(pairs)
    if wrong is not None:
        raise UsageError(f"These are not attributes: {wrong}.")
    return dict(pairs)


def told(content: object) -> Told | None:
    """What a delivery tells a node."""
    match content:
        case deliveries.Published(identified):
            return SetOut(_id(identified))
        case deliveries.Confirmed(identified):
            return Confirmed(_id(identified))
        case deliveries.Publication(identified, pairs, filters):
            attributes = {name: each.value if isinstance(each, Truth) else each for name, each in pairs}
            return Matched(_id(identified), attributes, tuple(map(shown, filters)))
        case deliveries.Subscribed(predicates):
            return Subscribed(shown(predicates))
        case deliveries.Status(status):
            return Ready(status == "operational")
        case deliveries.Unreachable(identified, node):
            return Unreachable(_id(identified), node)
    return None


def _id(identified: Id) -> PublicationId:
    source, incarnation, count = identified
    return PublicationId(source, incarnation * MOST_PER_INCARNATION + count)


def _subscribe(predicates: Filter) -> Command:
    return {"kind": "Subscribe", "filter": predicates}


def _unsubscribe(predicates: Filter) -> Command:
    return {"kind": "Unsubscribe", "filter": predicates}


def _publish(attributes: Mapping[str, Value | Truth]) -> Command:
    return {"kind": "Publish", "attributes": sorted(attributes.items())}


def _agreed(parameters: Mapping[str, object]) -> object:
    return msgspec.to_builtins(read(parameters))


PORT = Port(
    member="broker",
    agreed=_agreed,
    content=Content(
        begin, {"kind": "Join"}, parent, kept, restored, wanted, attributes, _subscribe, _unsubscribe, _publish, told
    ),
)
