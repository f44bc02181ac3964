"""What nodes may hold at first: any publications, under any keys, with anybody's signature; and false hashes."""

from collections.abc import Callable
from itertools import count

from msgspec.structs import replace

from gomboc.spec.domain import Bag, Domain, OneOf, Table, Union, pair
from gomboc.spec.publications import Parameters, Publication, published
from gomboc.spec.trie import EMPTY_HASH, Summary, hash_of_label


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


def _turns(length: int) -> Domain:
    """Numbers below `length`: 0 as likely as all others together."""
    rest = OneOf(tuple(range(1, length)))
    return Union((OneOf((0,)), rest)) if length > 1 else OneOf((0,))


def stores(valid: tuple[Publication, ...], members: tuple[str, ...], others: tuple[str, ...] = ()) -> Domain:
    """The publications of one node: any keys, each above its own publication or another, with any signature.

    `others` publish nothing that counts among `valid`, but may be named as publisher and as signer.
    """
    known, signers = (*valid, *_further(valid, others)), (*members, *others)
    keys = tuple(sorted(each.key for each in valid))
    return Table(_stored(known, signers), keys, _wrong(known, signers), len(keys))


def _further(valid: tuple[Publication, ...], others: tuple[str, ...]) -> tuple[Publication, ...]:
    """One publication of each of the others, with a right key of its own; none where no key is left.

    Two publications with one right key could keep two tries apart for ever.
    """
    parameters = Parameters(len(valid[0].key))
    found = {each.key: each for each in valid}
    for name in others:
        numbered = (published(name, number, "", parameters) for number in count())
        if len(found) < 2**parameters.key_bits:
            free = next(each for each in numbered if each.key not in found)
            found[free.key] = free
    return tuple(found.values())[len(valid) :]


def _wrong(known: tuple[Publication, ...], signers: tuple[str, ...]) -> Domain:
    """How many places further on the publication is that is stored under a key, and how many its signer is."""
    return pair(_pair, _turns(len(known)), _turns(len(signers)))


def _stored(known: tuple[Publication, ...], signers: tuple[str, ...]) -> Callable[..., Publication]:
    places = {each.key: place for place, each in enumerate(known)}

    def stored(key: str, wrong: tuple[int, int]) -> Publication:
        publication = known[(places[key] + wrong[0]) % len(known)]
        signer = signers[(signers.index(publication.publisher) + wrong[1]) % len(signers)]
        return replace(publication, key=key, signer=signer)

    return stored


def false_hashes(valid: tuple[Publication, ...]) -> Domain:
    """Up to two nodes whose hashes are false, if they are there."""
    return Table(Summary, prefixes(valid), hashes(valid), 2)


def prefixes(valid: tuple[Publication, ...]) -> tuple[str, ...]:
    """The prefixes of up to three bits of the keys, and two whole keys."""
    keys = sorted(each.key for each in valid)
    return tuple(sorted({key[:length] for key in keys for length in range(4)} | set(keys[:2])))


def hashes(valid: tuple[Publication, ...]) -> Domain:
    """Hashes that a node may be said to have: that of the empty trie, and that of a leaf."""
    return OneOf((EMPTY_HASH, hash_of_label(valid[0].key)))


def any_publication(valid: tuple[Publication, ...], members: tuple[str, ...], others: tuple[str, ...] = ()) -> Domain:
    """One of those publications, or of those that `stores` adds, under any key of theirs, with anybody's signature."""
    known, signers = (*valid, *_further(valid, others)), (*members, *others)
    keys = OneOf(tuple(each.key for each in valid))
    return pair(_stored(known, signers), keys, _wrong(known, signers))


def summaries(valid: tuple[Publication, ...]) -> Domain:
    """Up to two nodes of a trie, with hashes that are hardly ever right."""
    return Bag(pair(Summary, OneOf(prefixes(valid)), hashes(valid)), 2)


def _pair(*values: object) -> tuple[object, ...]:
    return values
