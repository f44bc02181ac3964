"""Starts of dissemination: nodes in a list, with any tries, and any messages in flight."""

from collections.abc import Callable

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, optional
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.dissemination.state import BLANK, Broadcast, CheckAndPublish, CheckTrie, Member, Publish
from gomboc.spec.publishing.holdings import any_publication, false_hashes, prefixes, stores, summaries, universe
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.publishing.trie import Summary

ROLE = "member"


def names(nodes: int) -> tuple[str, ...]:
    """The names of that many nodes, ascending."""
    return tuple(f"v{number:03d}" for number in range(nodes))


def inside(size: Size) -> tuple[str, ...]:
    """The nodes that are live at first; the nodes outside lie between them."""
    every = names(size.nodes + size.outside)
    outside = set(every[1::2][: size.outside])
    outside |= set([name for name in every if name not in outside][: size.outside - len(outside)])
    return tuple(name for name in every if name not in outside)


def space(size: Size, parameters: Parameters) -> Domain:
    """Every start with that many live nodes, nodes outside, messages and publications.

    A live node knows those next to it, as the layer below guarantees, and any other live ones. Arbitrary are its
    publications, their keys and signatures; false hashes; any message in any channel.
    """
    members, every = inside(size), names(size.nodes + size.outside)
    valid = universe(members, size.publications, parameters)
    right = adjacent(members)
    holding = (stores(valid, members), false_hashes(valid)) if valid else (OneOf(((),)), OneOf(((),)))
    locals_ = tuple(
        Record(_member(right[me]), (_others(members, me, right[me]), *holding)) if me in members else OneOf((BLANK,))
        for me in every
    )
    in_flight = Bag(messages(every, valid, members), size.messages) if valid else OneOf(((),))
    return Record(_started(every), (Record(_tuple, locals_), in_flight))


def _others(members: tuple[str, ...], me: str, right: tuple[str, ...]) -> Table:
    """Any live nodes, except those that are known anyway."""
    others = tuple(name for name in members if name not in (me, *right))
    return Table(_key, others, OneOf((None,)), len(others))


def _key(key: str, value: None) -> str:
    del value
    return key


def _tuple(*values: object) -> tuple[object, ...]:
    return values


def _member(right: tuple[str, ...]) -> Callable[..., Member]:
    def member(known: tuple[str, ...], held: tuple[Publication, ...], hashes: tuple[Summary, ...]) -> Member:
        return Member(True, tuple(sorted((*right, *known))), held, hashes)

    return member


def _started(every: tuple[str, ...]) -> Callable[..., Start]:
    roles = tuple((name, ROLE) for name in every)
    return lambda locals_, in_flight: Start(roles, tuple(zip(every, locals_, strict=True)), in_flight)


def messages(every: tuple[str, ...], valid: tuple[Publication, ...], members: tuple[str, ...]) -> Domain:
    """Every message that may be in flight, with its target."""
    node, tuples, publication = OneOf(every), summaries(valid), any_publication(valid, members)
    said = Union(
        (
            Record(CheckTrie, (node, tuples)),
            Record(CheckAndPublish, (node, tuples, OneOf(prefixes(valid)))),
            Record(Publish, (Bag(publication, 2),)),
            Record(Broadcast, (publication, optional(node), optional(node))),
        )
    )
    return Record(_tuple, (node, said))


def start(nodes: int) -> Start:
    """That many nodes in a list, without publications."""
    right = adjacent(names(nodes))
    return Start(
        tuple((name, ROLE) for name in right), tuple((name, Member(True, beside)) for name, beside in right.items())
    )


def bound(nodes: int) -> int:
    """Rounds after which a run that is not legitimate is called divergent.

    A publication that only the first node holds goes from one to the next, each time by a comparison down a trie.
    """
    return 60 + 20 * nodes
