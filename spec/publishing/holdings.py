"""Domains of the first holdings of nodes: any publications under any keys with any signature, and false hashes."""

from collections.abc import Callable
from itertools import count

from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, Domain, OneOf, Table, Union, pair
from gomboc.spec.publishing.publications import Parameters, Publication, published
from gomboc.spec.publishing.trie import EMPTY_HASH, Summary, hash_of_label


def universe(members: tuple[str, ...], wanted: int, parameters: Parameters) -> tuple[Publication, ...]:
    """`wanted` valid publications with distinct keys; fewer if there are fewer keys.

    The members publish in turn, with the numbers 0, 1, ...
    """
    by_key: dict[str, Publication] = {}
    most = min(wanted, 2**parameters.key_bits) if members else 0
    for turn in count():
        if len(by_key) == most:
            return tuple(by_key.values())
        number, index = divmod(turn, len(members))
        publication = published(members[index], number, "", parameters)
        by_key.setdefault(publication.key, publication)
    raise AssertionError("count() does not end")


def _turns(length: int) -> Domain:
    """Numbers below `length`: 0 as likely as all others together."""
    rest = OneOf(tuple(range(1, length)))
    return Union((OneOf((0,)), rest)) if length > 1 else OneOf((0,))


def stores(valid: tuple[Publication, ...], members: tuple[str, ...], others: tuple[str, ...] = ()) -> Domain:
    """The publications of one node: any keys, each above its own publication or another, with any signature.

    `others` publish no publication in `valid`, but may be named as publisher and as signer.
    """
    known, signers = (*valid, *_further(valid, others)), (*members, *others)
    keys = tuple(sorted(publication.key for publication in valid))
    return Table(_stored(known, signers), keys, _wrong(known, signers), len(keys))


def _further(valid: tuple[Publication, ...], others: tuple[str, ...]) -> tuple[Publication, ...]:
    """One publication of each of the others, with a right key of its own; none where no key is left.

    Two publications with one right key could keep two tries apart for ever.
    """
    parameters = Parameters(len(valid[0].key))
    by_key = {publication.key: publication for publication in valid}
    for name in others:
        numbered = (published(name, number, "", parameters) for number in count())
        if len(by_key) < 2**parameters.key_bits:
            free = next(publication for publication in numbered if publication.key not in by_key)
            by_key[free.key] = free
    return tuple(by_key.values())[len(valid) :]


def _wrong(known: tuple[Publication, ...], signers: tuple[str, ...]) -> Domain:
    """Two offsets: from a key's own publication to the stored one, and from its publisher to its signer."""
    return pair(_pair, _turns(len(known)), _turns(len(signers)))


def _stored(known: tuple[Publication, ...], signers: tuple[str, ...]) -> Callable[..., Publication]:
    indices = {entry.key: index for index, entry in enumerate(known)}

    def stored(key: str, wrong: tuple[int, int]) -> Publication:
        publication = known[(indices[key] + wrong[0]) % len(known)]
        signer = signers[(signers.index(publication.publisher) + wrong[1]) % len(signers)]
        return replace(publication, key=key, signer=signer)

    return stored


def false_hashes(valid: tuple[Publication, ...]) -> Domain:
    """False hashes for up to two trie nodes, if the trie has these nodes."""
    return Table(Summary, prefixes(valid), hashes(valid), 2)


def prefixes(valid: tuple[Publication, ...]) -> tuple[str, ...]:
    """The prefixes of up to three bits of the keys, and two whole keys."""
    keys = sorted(publication.key for publication in valid)
    return tuple(sorted({key[:length] for key in keys for length in range(4)} | set(keys[:2])))


def hashes(valid: tuple[Publication, ...]) -> Domain:
    """Hashes that a node may be said to have: that of the empty trie, and that of a leaf."""
    return OneOf((EMPTY_HASH, hash_of_label(valid[0].key)))


def any_publication(valid: tuple[Publication, ...], members: tuple[str, ...], others: tuple[str, ...] = ()) -> Domain:
    """A publication in `valid`, or one that `stores` adds, under any key of `valid`, with any signature."""
    known, signers = (*valid, *_further(valid, others)), (*members, *others)
    keys = OneOf(tuple(publication.key for publication in valid))
    return pair(_stored(known, signers), keys, _wrong(known, signers))


def summaries(valid: tuple[Publication, ...]) -> Domain:
    """Up to two nodes of a trie, with hashes that are hardly ever right."""
    return Bag(pair(Summary, OneOf(prefixes(valid)), hashes(valid)), 2)


def _pair(*values: object) -> tuple[object, ...]:
    return values
