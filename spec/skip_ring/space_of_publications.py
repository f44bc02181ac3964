"""Where a ring that publishes may start from: anywhere, with any tries, right or wrong."""

from collections.abc import Callable
from itertools import count

from msgspec.structs import replace

from spec.domain import Bag, Domain, OneOf, Record, Table, Union, pair
from spec.protocol import Size, Start
from spec.publications import Parameters, Publication, published
from spec.skip_ring.space import (
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
from spec.skip_ring.state import SUPERVISOR, CheckAndPublish, CheckTrie, Publish, PublishNew, Subscriber
from spec.trie import EMPTY_HASH, Summary, hash_of_label


def universe(members: tuple[str, ...], wanted: int, parameters: Parameters) -> tuple[Publication, ...]:
    """So many valid publications, no two of which have one key; fewer if there are not so many keys.

    The members publish in turn, with the numbers 0, 1, ...
    """
    found: dict[str, Publication] = {}
    most = min(wanted, 2**parameters.key_bits) if members else 0
    for turn in count():
        if len(found) == most:
            return tuple(found.values())
        number, place = divmod(turn, len(members))
        publication = published(members[place], number, "", parameters)
        found.setdefault(publication.key, publication)
    raise AssertionError("count() does not end")


def space_with_publications(size: Size, parameters: Parameters) -> Domain:
    """Every start of that many subscribers, messages in flight, and distinct valid publications at most.

    Arbitrary are, besides what `space` says: who stores which publications, under which keys and with whose signature;
    false hashes; messages about publications; and which of the applications, up to a fourth, want to leave.

    Source: Section 1.1; Theorem 17, "stored at arbitrary subscribers"
    """
    members, known = names(size.nodes), labels(size.nodes)
    valid = universe(members, size.publications, parameters)
    if not valid:
        return space(size)
    in_ring = Record(Subscriber, subscriber_variables(known, members))
    subscriber = Record(_subscriber, (in_ring, stores(valid, members), false_hashes(valid)))
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


def _turns(length: int) -> Domain:
    """Numbers below `length`: 0 as likely as all others together."""
    rest = OneOf(tuple(range(1, length)))
    return Union((OneOf((0,)), rest)) if length > 1 else OneOf((0,))


def stores(valid: tuple[Publication, ...], members: tuple[str, ...]) -> Domain:
    """The publications of one subscriber: any keys, each above its own publication or another, with any signature."""
    keys = tuple(sorted(each.key for each in valid))
    return Table(_stored(valid, members), keys, _wrong(valid, members), len(keys))


def _wrong(valid: tuple[Publication, ...], members: tuple[str, ...]) -> Domain:
    """How many places further on the publication is that is stored under a key, and how many its signer is."""
    return pair(as_tuple, _turns(len(valid)), _turns(len(members)))


def _stored(valid: tuple[Publication, ...], members: tuple[str, ...]) -> Callable[..., Publication]:
    places = {each.key: place for place, each in enumerate(valid)}

    def stored(key: str, wrong: tuple[int, int]) -> Publication:
        publication = valid[(places[key] + wrong[0]) % len(valid)]
        signer = members[(members.index(publication.publisher) + wrong[1]) % len(members)]
        return replace(publication, key=key, signer=signer)

    return stored


def false_hashes(valid: tuple[Publication, ...]) -> Domain:
    """Up to two nodes whose hashes are false, if they are there."""
    return Table(Summary, _prefixes(valid), _hashes(valid), 2)


def _prefixes(valid: tuple[Publication, ...]) -> tuple[str, ...]:
    """The prefixes of up to three bits of the keys, and two whole keys."""
    keys = sorted(each.key for each in valid)
    return tuple(sorted({key[:length] for key in keys for length in range(4)} | set(keys[:2])))


def _hashes(valid: tuple[Publication, ...]) -> Domain:
    return OneOf((EMPTY_HASH, hash_of_label(valid[0].key)))


def _messages(valid: tuple[Publication, ...], members: tuple[str, ...]) -> Union:
    """Every message about publications, of two tuples or publications at most."""
    node, prefix = OneOf(nameable(members)), OneOf(_prefixes(valid))
    tuples = Bag(pair(Summary, prefix, _hashes(valid)), 2)
    publication = pair(_stored(valid, members), OneOf(tuple(each.key for each in valid)), _wrong(valid, members))
    return Union(
        (
            Record(CheckTrie, (node, tuples)),
            Record(CheckAndPublish, (node, tuples, prefix)),
            Record(Publish, (Bag(publication, 2),)),
            Record(PublishNew, (node, publication)),
        )
    )
