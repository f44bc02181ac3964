"""Two nodes and few publications, explored to their end: the starts. The results are in `models.toml`.

All claims are settled for any number of messages in flight.
"""

from itertools import chain, combinations, product

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import read_models
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.dissemination import configured
from gomboc.spec.protocols.dissemination.space import names
from gomboc.spec.protocols.dissemination.state import Broadcast, Member
from gomboc.spec.publishing.exchange import CheckAndPublish, Publish
from gomboc.spec.publishing.holdings import universe
from gomboc.spec.publishing.publications import Publication, parameters_of
from gomboc.spec.publishing.trie import EMPTY_HASH, Summary

PARAMETERS = {"key_bits": 2}
PREFIXES = ("", "0", "1")


def pair(publications: int, in_flight: int, most: int) -> Instance:
    """Two nodes that know each other, and hold any of that many publications or of one that is forged.

    The hash of the empty label may be false. At first, any of these publications are handed over or broadcast, or some
    prefix is asked for: at most `in_flight` messages.
    """
    right = adjacent(names(2))
    valid = universe(names(2), publications, parameters_of(PARAMETERS))
    known = (*valid, forged(valid[0]))
    said = (
        *(Publish((publication,)) for publication in known),
        *(Broadcast(publication, None, None) for publication in known),
        *(CheckAndPublish(sender, (), prefix) for sender, prefix in product(right, PREFIXES)),
    )
    states = {me: holding(beside, known) for me, beside in right.items()}
    return instance_of(configured(PARAMETERS), states, OneOf(tuple(product(right, said))), in_flight, most)


def forged(publication: Publication) -> Publication:
    """The publication with the signature of the other node."""
    (other,) = set(names(2)) - {publication.signer}
    return replace(publication, signer=other)


def holding(neighbours: tuple[str, ...], known: tuple[Publication, ...]) -> Domain:
    """A node with those neighbours and any of those publications, one under each key, maybe with a false hash."""
    every = chain.from_iterable(combinations(known, size) for size in range(len(known) + 1))
    held = [tuple(sorted(some)) for some in every if len({publication.key for publication in some}) == len(some)]
    hashes = ((), (Summary("", EMPTY_HASH),))
    return OneOf(tuple(Member(True, neighbours, *publication) for publication in product(held, hashes)))


MODELS = read_models(
    __name__,
    {
        "one": pair(1, 1, 10),
        "two": pair(2, 1, 6),
    },
)
