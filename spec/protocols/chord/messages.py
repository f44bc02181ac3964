"""The messages that may be in flight at a start: true ones, or any."""

from math import ceil, log2

from gomboc.spec.core.domain import Domain, OneOf, Record, Union, optional
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import (
    Dead,
    FixFingerReply,
    FixFingerRequest,
    JoinReply,
    JoinRequest,
    Message,
    Notify,
    Outside,
    Ping,
    RouteReply,
    RouteRequest,
    StabilizeReply,
    StabilizeRequest,
)

Names = tuple[str, ...]


def true_message(parameters: Parameters, members: Names, crashed: Names, outside: Names) -> Domain:
    """Every message, with its target, that preserves the invariant: questions, answers of members, and lookups.

    A node that is asked about, or that is given a place, has become a member meanwhile.

    Source: Zave 2017, the inductive invariant; the messages are decided here
    """
    anybody = OneOf(tuple(sorted((*members, *crashed, *outside))))
    sender = OneOf(members)
    kinds: list[Domain] = [Record(kind, (sender,)) for kind in (StabilizeRequest, Ping, Notify)]
    kinds += [Record(Dead, (OneOf(crashed),))] if crashed else []
    kinds += [Record(JoinRequest, (sender, sender)), Record(JoinReply, (sender, _short(parameters, members)))]
    return Record(_addressed, (anybody, Union((*kinds, *lookups(parameters, members, members)))))


def any_message(parameters: Parameters, members: Names, crashed: Names, outside: Names) -> Domain:
    """Every message, with its target, except a false report that a member has crashed or is outside.

    Source: decided here
    """
    everybody = tuple(sorted((*members, *crashed, *outside)))
    anybody = OneOf(everybody)
    kinds: list[Domain] = [Record(kind, (anybody,)) for kind in (StabilizeRequest, Ping, Notify)]
    kinds += [Record(Dead, (OneOf(crashed),))] if crashed else []
    kinds += [Record(Outside, (OneOf(outside),))] if outside else []
    kinds.append(Record(JoinRequest, (anybody, anybody)))
    kinds += [_answer(parameters, name, tuple(other for other in everybody if other != name)) for name in everybody]
    kinds += [Record(JoinReply, (anybody, _short(parameters, everybody)))]
    return Record(_addressed, (anybody, Union((*kinds, *lookups(parameters, everybody, everybody)))))


def _answer(parameters: Parameters, sender: str, others: Names) -> Domain:
    return Record(
        lambda predecessor, listed: StabilizeReply(sender, predecessor, listed),
        (optional(OneOf(others)), _short(parameters, others)),
    )


def _short(parameters: Parameters, names: Names) -> Domain:
    """Every list of at most two of those names."""

    def two(first: int, second: int) -> Names:
        return names[first], (names[:first] + names[first + 1 :])[second]

    lists: list[Domain] = [OneOf(((), *((name,) for name in names)))]
    if parameters.r > 1 and len(names) > 1:
        lists.append(Record(two, (OneOf(tuple(range(len(names)))), OneOf(tuple(range(len(names) - 1))))))
    return Union(tuple(lists))


def lookups(parameters: Parameters, askers: Names, owners: Names) -> tuple[Domain, ...]:
    """Every lookup of a few places and fingers, and every answer to one, true or not: no rule trusts these."""
    asker, owner = OneOf(askers), OneOf(owners)
    keys = OneOf(keys_of(parameters))
    domains: tuple[Domain, ...] = (Record(RouteRequest, (keys, asker, asker)), Record(RouteReply, (keys, owner)))
    if not parameters.fingers:
        return domains
    fingers = OneOf(tuple(range(max(0, parameters.bits - ceil(log2(len(owners) + 1)) - 1), parameters.bits)))
    return (*domains, Record(FixFingerRequest, (fingers, asker, asker)), Record(FixFingerReply, (fingers, owner)))


def keys_of(parameters: Parameters) -> tuple[str, ...]:
    """Eight keys at most, all around the circle."""
    return tuple(dict.fromkeys(parameters.circle.key(parameters.circle.size() * eighth // 8) for eighth in range(8)))


def _addressed(target: str, message: Message) -> tuple[str, Message]:
    return target, message
