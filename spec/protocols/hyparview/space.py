"""Starts: links at both ends that connect all members, and besides any views, publications and messages."""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise

import msgspec

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, several, subset
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import every_start, started
from gomboc.spec.protocols.hyparview.environment import TOPIC
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.recovery import ids_of
from gomboc.spec.protocols.hyparview.state import (
    CRASHED,
    OUTSIDE,
    Accept,
    Broadcast,
    Dead,
    Digest,
    Disconnect,
    ForwardJoin,
    Id,
    Item,
    Keep,
    Neighbor,
    Node,
    Publish,
    Refuse,
    Request,
    Shuffle,
    ShuffleReply,
    key_of,
)
from gomboc.spec.protocols.hyparview.views import Names
from gomboc.spec.publishing.holdings import universe

ROLE = "node"
Holdings = tuple[Domain, Domain, Domain]
"""Publications, the one that was named last, and those that are new."""


class Cast(msgspec.Struct, frozen=True):
    """The members, crashed nodes and nodes outside of a start, and the links of the members at both ends."""

    members: Names
    crashed: Names
    outside: Names
    links: Mapping[str, Names]

    def known(self, me: str) -> Names:
        """The nodes that a member may know besides."""
        return tuple(name for name in (*self.members, *self.crashed) if name not in (me, *self.links[me]))


def names(nodes: int) -> Names:
    """The names of that many nodes, ascending."""
    return tuple(f"n{number:03d}" for number in range(nodes))


def linked(parameters: Parameters, members: Names) -> tuple[dict[str, Names], ...]:
    """Links that connect those members: a line, and a ring.

    Raises ValueError, in a sentence, if there are too few places.
    """
    if parameters.active == 1 and len(members) > 2:
        raise ValueError(f"active views of one node connect two members, not {len(members)}: take active from 2 on")
    return line(members), ring(parameters, members)


def line(members: Names) -> dict[str, Names]:
    """Links from each member to the next one."""
    links: dict[str, Names] = dict.fromkeys(members, ())
    for one, other in pairwise(members):
        links[one] += (other,)
        links[other] = (one, *links[other])
    return links


def ring(parameters: Parameters, members: Names) -> dict[str, Names]:
    """Links from each member to the nearest ones on either side of a ring, as many as there are places for."""
    links: dict[str, set[str]] = {name: set() for name in members}
    most = min(parameters.active // 2, (len(members) - 1) // 2)
    for at, name in enumerate(members):
        for distance in range(1, most + 1):
            other = members[(at + distance) % len(members)]
            links[name].add(other)
            links[other].add(name)
    return {name: tuple(sorted(others)) for name, others in links.items()} if most else line(members)


def casts(parameters: Parameters, size: Size) -> tuple[Cast, ...]:
    """Lines and rings of members, with all alive, and with a quarter crashed."""
    every = names(size.nodes + size.outside)
    inside, outside = every[: size.nodes], every[size.nodes :]
    gone = inside[1::4] if size.nodes >= 4 else ()
    casts = {}
    for crashed in ((), gone):
        members = tuple(name for name in inside if name not in crashed)
        for links in linked(parameters, members):
            casts[crashed, tuple(links.items())] = Cast(members, crashed, outside, links)
    return tuple(casts.values())


def space(parameters: Parameters, size: Size) -> Domain:
    """Every start of that many nodes, some of which may have crashed, and of those outside.

    Arbitrary are further active nodes, which may not know it, passive and asked ones, the publications held, and
    messages, but for those that would displace a node or end a link of the line or ring.

    Source: decided here
    """
    return Union(tuple(_starts(parameters, size, cast) for cast in casts(parameters, size)))


def _starts(parameters: Parameters, size: Size, cast: Cast) -> Domain:
    items = items_of(parameters, cast.members, size.publications)
    everybody = tuple(sorted((*cast.members, *cast.crashed, *cast.outside)))
    roles = tuple((name, ROLE) for name in everybody)
    states = [node(parameters, cast, items, name) for name in everybody]
    return every_start(roles, states, Bag(message(parameters, cast, items), size.messages))


def items_of(parameters: Parameters, members: Names, wanted: int) -> tuple[Item, ...]:
    """That many valid publications of the members."""
    publications = universe(members, wanted, parameters.publishing)
    return tuple(sorted((Item(TOPIC, publication) for publication in publications), key=key_of))


def node(parameters: Parameters, cast: Cast, items: tuple[Item, ...], me: str) -> Domain:
    """Every first state of one node."""
    if me not in cast.members:
        return OneOf((CRASHED,)) if me in cast.crashed else OneOf((OUTSIDE,))
    free = parameters.active - len(cast.links[me])
    known, held = cast.known(me), holdings(parameters, items)
    asking: list[Domain] = [_views(parameters, cast, me, None, known, free, held)]
    if free > 0:
        rest = {asked: tuple(name for name in known if name != asked) for asked in known}
        asking += [_views(parameters, cast, me, asked, rest[asked], free - 1, held) for asked in known]
    return Union(tuple(asking))


def holdings(parameters: Parameters, items: tuple[Item, ...]) -> Holdings:
    """The publications that a member may hold, the last one named in its turn, and those that no digest has named.

    The last two are any, if not all fit into a digest, and else none.
    """
    ids = ids_of(items) if len(items) > parameters.chunk else ()
    return subset(items), OneOf((None, *ids)), subset(ids)


def _views(
    parameters: Parameters,
    cast: Cast,
    me: str,
    asked: str | None,
    known: Names,
    free: int,
    held: Holdings,
) -> Domain:
    """The states of a member that asks that node: every other known node may be active or passive, the rest passive."""
    places = parameters.passive - (asked is not None)
    first = min(free, places)
    either = Table(_labelled, known[::2], OneOf(("passive", "active")), first)
    return Record(partial(_member, cast.links[me], asked), (either, subset(known[1::2], places - first), *held))


def _labelled(name: str, view: str) -> tuple[str, str]:
    return name, view


def _member(
    links: Names,
    asked: str | None,
    either: tuple[tuple[str, str], ...],
    passive: Names,
    held: tuple[Item, ...],
    told: Id | None,
    new: tuple[Id, ...],
) -> Node:
    active = tuple(sorted((*links, *(name for name, view in either if view == "active"))))
    others = (*passive, *(name for name, view in either if view == "passive"))
    known = tuple(sorted(others if asked is None else (*others, asked)))
    return Node("inside", active, known, asked, None, held, told, new)


def message(parameters: Parameters, cast: Cast, items: tuple[Item, ...]) -> Domain:
    """Every message, with its target, that displaces no node and ends no link of the line or ring."""
    known = OneOf(tuple(sorted((*cast.members, *cast.crashed))))
    hops, few = OneOf(tuple(range(parameters.arwl + 1))), subset(cast.members + cast.crashed, 2)
    kinds: list[Domain] = [Record(kind, (known,)) for kind in (Accept, Refuse, Keep)]
    kinds += [Record(lambda sender: Neighbor(sender, "low"), (known,)), Record(ForwardJoin, (known, hops, known))]
    kinds += [Record(Shuffle, (known, hops, _sorted(few), known)), Record(ShuffleReply, (_sorted(few),))]
    kinds += [Record(Dead, (OneOf(cast.crashed),))] if cast.crashed else []
    if items:
        some = subset(items, min(2, parameters.chunk))
        kinds += [Record(kind, (known, domain)) for kind, domain in ((Broadcast, OneOf(items)), (Publish, some))]
        kinds += [Record(partial(_told, kind), (known, some)) for kind in (Digest, Request)]
    ends = [
        several(OneOf((me,)), Record(Disconnect, (OneOf(cast.known(me)),))) for me in cast.members if cast.known(me)
    ]
    anybody = OneOf(tuple(sorted((*cast.members, *cast.crashed, *cast.outside))))
    return Union((several(anybody, Union(tuple(kinds))), *ends))


def _told(kind: type[Digest | Request], sender: str, items: tuple[Item, ...]) -> Digest | Request:
    return kind(sender, ids_of(items))


def _sorted(names: Table) -> Domain:
    return Record(_ascending, (names,))


def _ascending(names: Names) -> Names:
    return tuple(sorted(names))


def start(parameters: Parameters, nodes: int) -> Start:
    """A ring of that many members, each linked to as many on either side as there are places for.

    Raises ValueError if there are too few places to connect them.
    """
    _, links = linked(parameters, names(nodes))
    return started(ROLE, {name: Node("inside", active) for name, active in links.items()})


def bound(_parameters: Parameters, nodes: int) -> int:
    """The number of rounds after which a run that is not legitimate is called divergent.

    A publication goes from node to node by digests, in three rounds each; links are settled meanwhile.

    Source: decided here; measured runs are far below it
    """
    return 40 + 6 * nodes
