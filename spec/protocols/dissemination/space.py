"""Starts of dissemination: nodes in a list, with any tries, and any messages in flight."""

from functools import partial

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Union, optional, several
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import every_start, started
from gomboc.spec.layers import lists
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.dissemination.state import BLANK, Broadcast, Member, Passed
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.holdings import any_publication, false_hashes, prefixes, stores, summaries, universe
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.publishing.trie import Summary

ROLE = "member"


def names(nodes: int) -> tuple[str, ...]:
    """The names of that many nodes, ascending."""
    return tuple(f"v{number:03d}" for number in range(nodes))


def inside(size: Size) -> tuple[str, ...]:
    """The nodes that are live at first; the nodes outside lie between them."""
    return lists.inside(names(size.nodes + size.outside), size.outside)


def space(size: Size, parameters: Parameters) -> Domain:
    """Every start with that many live nodes, nodes outside, messages and publications.

    A live node knows those next to it, as the layer below guarantees, and any other live ones. Arbitrary are its
    publications, their keys and signatures; false hashes; what it has passed on; any message in any channel.
    """
    members, every = inside(size), names(size.nodes + size.outside)
    valid = universe(members, size.publications, parameters)
    holding = (stores(valid, members), false_hashes(valid), passed(valid)) if valid else (OneOf(((),)),) * 3
    states = [
        Record(partial(_member, members, me), (lists.also_known(members, me), *holding))
        if me in members
        else OneOf((BLANK,))
        for me in every
    ]
    in_flight = Bag(messages(every, valid, members, parameters), size.messages) if valid else OneOf(((),))
    return every_start(tuple((name, ROLE) for name in every), states, in_flight)


def _member(
    members: tuple[str, ...],
    me: str,
    known: tuple[str, ...],
    held: tuple[Publication, ...],
    hashes: tuple[Summary, ...],
    passed_on: tuple[Passed, ...],
) -> Member:
    return Member(True, lists.with_adjacent(members, me, known), held, hashes, passed_on)


def passed(valid: tuple[Publication, ...]) -> Domain:
    """The broadcasts that a node may believe to have passed on: none, or one to all nodes."""
    return OneOf(((), *((Passed(publication.key, None, None),) for publication in valid)))


def messages(
    every: tuple[str, ...], valid: tuple[Publication, ...], members: tuple[str, ...], parameters: Parameters
) -> Domain:
    """Every message that may be in flight, with its target."""
    node, tuples, publication = OneOf(every), summaries(valid), any_publication(valid, members)
    said = Union(
        (
            Record(CheckTrie, (node, tuples)),
            Record(CheckAndPublish, (node, tuples, OneOf(prefixes(valid)))),
            Record(Publish, (Bag(publication, min(2, parameters.chunk)),)),
            Record(Broadcast, (publication, optional(node), optional(node))),
        )
    )
    return several(node, said)


def start(nodes: int) -> Start:
    """That many nodes in a list, without publications."""
    return started(ROLE, {name: Member(True, beside) for name, beside in adjacent(names(nodes)).items()})


def bound(nodes: int) -> int:
    """Rounds after which a run that is not legitimate is called divergent.

    A publication that only the first node holds goes from one to the next, each time by a comparison down a trie.
    """
    return 60 + 20 * nodes
