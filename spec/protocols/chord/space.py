"""Starts of Chord: any state that has the invariant, or, with `meet`, any state at all; true messages, or any."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from math import ceil, log2

import msgspec

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, optional, several
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import every_start, started
from gomboc.spec.protocols.chord.legitimacy import anchor, right_state
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import (
    CRASHED,
    Dead,
    Fingers,
    FixFingerReply,
    FixFingerRequest,
    JoinReply,
    JoinRequest,
    Node,
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
    return several(anybody, Union((*kinds, *lookups(parameters, members, members))))


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
    return several(anybody, Union((*kinds, *lookups(parameters, everybody, everybody))))


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


ROLE = "node"

FURTHEST = 3
"""The most false fingers that a node starts with."""


class Cast(msgspec.Struct, frozen=True):
    """The roles at a start: members, crashed nodes and nodes outside; `base` are members that no list skips."""

    members: Names
    crashed: Names
    outside: Names
    base: Names

    def inside(self) -> Names:
        """All nodes that are or were members, in order."""
        return tuple(sorted((*self.members, *self.crashed)))


@cache
def names_of(circle: Circle, nodes: int) -> Names:
    """That many names with different ids. Raises ValueError if there are not so many ids."""
    if nodes > circle.size():
        raise ValueError(f"a circle of 2^{circle.bits} ids has none for {nodes} nodes: take more bits")
    names: dict[int, str] = {}
    for number in count():
        if len(names) == nodes:
            return tuple(names.values())
        name = f"n{number:03d}"
        names.setdefault(circle.id_of(name), name)
    raise AssertionError("numbers do not end")


def casts(parameters: Parameters, size: Size) -> tuple[Cast, ...]:
    """The casts in which all are alive, and in which a quarter has crashed if that leaves more than r + 1.

    Source: Zave 2017, the stable base; its members are decided here
    """
    names = names_of(parameters.circle, size.nodes + size.outside)
    inside, outside = names[: size.nodes], names[size.nodes :]
    gone = inside[-(size.nodes // 4) :] if size.nodes - size.nodes // 4 > parameters.r + 1 and size.nodes >= 4 else ()
    return tuple(_cast(parameters, inside, crashed, outside) for crashed in dict.fromkeys(((), gone)))


def _cast(parameters: Parameters, inside: Names, crashed: Names, outside: Names) -> Cast:
    members = inside[: len(inside) - len(crashed)]
    return Cast(members, crashed, outside, members[: max(parameters.r + 1, len(members) // 4)])


def space(parameters: Parameters, size: Size) -> Domain:
    """Every start of that many nodes, some of which may have crashed, and of those outside.

    Without `meet`: each list skips no member of a base of at least r + 1 members and has a live entry; predecessors and
    fingers are members or crashed, and messages in flight are true. With `meet` all values are allowed, and nodes
    outside are named as members; but there is no false report that a member has crashed or is outside.

    Source: Zave 2017, the inductive invariant; that its states are a product is decided here
    """
    return Union(tuple(_starts(parameters, size, cast) for cast in casts(parameters, size)))


def _starts(parameters: Parameters, size: Size, cast: Cast) -> Domain:
    everybody = tuple(sorted((*cast.inside(), *cast.outside)))
    message = (any_message if parameters.meet else true_message)(parameters, cast.members, cast.crashed, cast.outside)
    roles = tuple((name, ROLE) for name in everybody)
    return every_start(roles, [node(parameters, cast, name) for name in everybody], Bag(message, size.messages))


def node(parameters: Parameters, cast: Cast, me: str) -> Domain:
    """Every first state of one node."""
    if me in cast.crashed:
        return OneOf((CRASHED,))
    if me in cast.outside:
        return _outside(parameters, cast, me) if parameters.meet else OneOf((Node(),))
    anybody = (*cast.inside(), *cast.outside) if parameters.meet else cast.inside()
    others = tuple(sorted(name for name in anybody if name != me))
    lists = any_list(parameters, others) if parameters.meet else OneOf(tuple(steady_lists(parameters, cast, me)))
    fingers, following = any_fingers(parameters, others)
    peers = OneOf(_peers(parameters, cast, me)) if parameters.meet else OneOf(((),))
    return Record(_member, (optional(OneOf(others)), lists, fingers, following, peers))


def _outside(parameters: Parameters, cast: Cast, me: str) -> Domain:
    """Every first state of a node outside with `meet`: it may want in, and the membership may name nodes to it."""

    def build(contact: str | None, peers: Names) -> Node:
        return Node(contact=contact, peers=peers)

    return Record(build, (optional(OneOf(cast.members)), OneOf(_peers(parameters, cast, me))))


def _member(predecessor: str | None, successors: Names, fingers: Fingers, following: int, peers: Names) -> Node:
    return Node("inside", predecessor, successors, fingers, following, None, peers)


def steady_lists(parameters: Parameters, cast: Cast, me: str) -> Iterator[Names]:
    """The lists of a member that skip no node of the base and have a live entry; of a lone member, the empty one."""
    ahead = _clockwise(parameters, me, tuple(name for name in cast.inside() if name != me))
    alone = cast.members == (me,)
    base, live = frozenset(cast.base), frozenset(cast.members)
    return (
        entries
        for entries in _skipping_none(ahead, base, parameters.r)
        if live & set(entries) or (alone and not entries)
    )


def _clockwise(parameters: Parameters, me: str, names: Names) -> Names:
    return tuple(sorted(names, key=lambda name: parameters.circle.distance(me, name)))


def _skipping_none(ahead: Names, base: frozenset[str], most: int) -> Iterator[Names]:
    """Every list of at most so many of those names, in order, that skips no node of the base."""
    yield ()
    if not most:
        return
    for index, name in enumerate(ahead):
        yield from ((name, *rest) for rest in _skipping_none(ahead[index + 1 :], base, most - 1))
        if name in base:
            return


def any_list(parameters: Parameters, others: Names) -> Domain:
    """Every list of at most r different names, in any order."""
    lengths = range(min(parameters.r, len(others)) + 1)

    def build(*places: int) -> Names:
        left = list(others)
        return tuple(left.pop(index) for index in places)

    return Union(
        tuple(Record(build, tuple(OneOf(tuple(range(len(others) - k))) for k in range(length))) for length in lengths)
    )


def any_fingers(parameters: Parameters, others: Names) -> tuple[Domain, Domain]:
    """Some fingers to any nodes, and the next one to refresh; few are beyond the needs of a ring of that size."""
    if not parameters.fingers:
        return OneOf(((),)), OneOf((0,))
    numbers = tuple(range(max(0, parameters.bits - ceil(log2(len(others) + 1)) - 2), parameters.bits))
    fingers = Table(lambda number, name: (number, name), numbers, OneOf(others), min(FURTHEST, len(numbers)))
    return fingers, OneOf(tuple(dict.fromkeys((0, *numbers))))


def _peers(parameters: Parameters, cast: Cast, me: str) -> tuple[Names, ...]:
    """The peers that the membership may name to a node: all nodes, all members, or its right head and two others.

    A node outside that may get in and be its right head is named, too.
    """
    everybody = tuple(sorted({*cast.inside(), *cast.outside} - {me}))
    members = tuple(sorted({*cast.members} - {me}))
    heads = tuple(_heads(parameters, cast, me))
    few = tuple(sorted({*heads, *members[:1], *members[-1:]}))
    return tuple(dict.fromkeys((everybody, tuple(sorted({*heads, *members})), few)))


def _heads(parameters: Parameters, cast: Cast, me: str) -> Iterator[str]:
    """The next member clockwise, and the nodes outside before it."""
    for name in _clockwise(parameters, me, tuple(name for name in (*cast.members, *cast.outside) if name != me)):
        yield name
        if name in cast.members:
            return


def start(parameters: Parameters, nodes: int) -> Start:
    """The ideal ring of that many nodes, with nothing in flight."""
    members = anchor(parameters, dict.fromkeys(names_of(parameters.circle, nodes), True))
    return started(ROLE, {name: right_state(parameters, members, name) for name in members})


def bound(parameters: Parameters, nodes: int) -> int:
    """The number of rounds after which a run that is not legitimate is called divergent.

    Lists become right one entry after another, and then fingers, one in a round. With hashed names, few fingers lie
    beyond the head. With numbers all may, so that one is refreshed each `bits` - 1 rounds: a second time if the first
    lookup was lost, or came to a wrong owner.

    Source: decided here; measured runs are far below it
    """
    lists = 40 + 4 * nodes + 10 * ceil(log2(max(nodes, 1)))
    return lists + (2 * (parameters.bits - 1) if parameters.fingers and parameters.ids == "number" else 0)
