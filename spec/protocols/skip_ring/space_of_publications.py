"""Starts of a ring that publishes: arbitrary, with any tries, right or wrong."""

from collections.abc import Callable

from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, pair
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.protocols.skip_ring.space import (
    addressed,
    as_tuple,
    labels,
    nameable,
    named,
    names,
    ring_messages,
    roles,
    space,
    subscriber_variables,
    supervisors,
)
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    CheckAndPublish,
    CheckTrie,
    Publish,
    PublishNew,
    Subscriber,
)
from gomboc.spec.publishing.holdings import any_publication, false_hashes, prefixes, stores, summaries, universe
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.publishing.trie import Summary


def space_with_publications(size: Size, parameters: Parameters) -> Domain:
    """Every start of that many subscribers, messages in flight, and distinct valid publications at most.

    Arbitrary are, in addition to `space`: the publications stored at each node, their keys and their signers, even the
    supervisor; false hashes; messages about publications; and the applications, up to a fourth of them, that want to
    leave.

    Source: Section 1.1; Theorem 17, "stored at arbitrary subscribers"
    """
    members, known = names(size.nodes), labels(size.nodes)
    valid = universe(members, size.publications, parameters)
    if not valid:
        return space(size)
    in_ring = Record(Subscriber, subscriber_variables(known, members))
    subscriber = Record(_subscriber, (in_ring, stores(valid, members, (SUPERVISOR,)), false_hashes(valid)))
    messages = Union((*ring_messages(known, members).domains, *_messages(valid, members).domains))
    channel = pair(addressed, OneOf((SUPERVISOR, *members)), messages)
    leavers = Table(_key, members, OneOf((None,)), max(1, size.nodes // 4))
    locals_ = Record(as_tuple, (supervisors(known, members), *(subscriber for _ in members)))
    return Record(_started(members), (locals_, leavers, Bag(channel, size.messages)))


def _key(key: str, value: None) -> str:
    del value
    return key


def _subscriber(ring: Subscriber, publications: tuple[Publication, ...], hashes: tuple[Summary, ...]) -> Subscriber:
    return replace(ring, publications=publications, hashes=hashes)


def _started(members: tuple[str, ...]) -> Callable[..., Start]:
    def started(
        values: tuple[object, ...], leavers: tuple[str, ...], in_flight: tuple[tuple[str, object], ...]
    ) -> Start:
        locals_ = tuple(
            (node, replace(local, wants=False) if node in leavers else local)  # type: ignore[type-var]
            for node, local in named(values, members)
        )
        return Start(roles(len(members)), locals_, in_flight)

    return started


def _messages(valid: tuple[Publication, ...], members: tuple[str, ...]) -> Union:
    """Every message about publications, of two tuples or publications at most."""
    node, tuples = OneOf(nameable(members)), summaries(valid)
    publication = any_publication(valid, members, (SUPERVISOR,))
    return Union(
        (
            Record(CheckTrie, (node, tuples)),
            Record(CheckAndPublish, (node, tuples, OneOf(prefixes(valid)))),
            Record(Publish, (Bag(publication, 2),)),
            Record(PublishNew, (node, publication)),
        )
    )
