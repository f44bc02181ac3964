"""Publications: their type, their validity, and the limit on how many are kept.

Keys are hashes cut to m bits. The paper takes them to be collision-resistant: two publications are never meant to have
one key.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Any, TypeVar

import msgspec

from gomboc.spec.types.fields import NAME_FORM, Ascending, Holds

MOST_BITS = 256
"""The longest key, in bits: all of SHA-256."""

MOST_BYTES = 64_000
"""The bytes, at most, of the publications in one message, if it has more than one: so that it fits into 64 KiB."""

FRAME = 640
"""The bytes, at most, of a publication in JSON besides its payload."""

Item = TypeVar("Item")
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters that all nodes of a publishing system share.

    `key_bits` is the m of Section 4.2; `payload_limit` counts bytes of UTF-8; `chunk` is the most publications in one
    message; `keep` is how many of each publisher's publications are kept, the highest numbers (None: all).
    """

    key_bits: Annotated[int, msgspec.Meta(ge=1, le=MOST_BITS)]
    payload_limit: Annotated[int, msgspec.Meta(ge=0)] = 4096
    chunk: Positive = 64
    keep: Positive | None = None


def parameters_of(header: Mapping[str, Any]) -> Parameters:
    """The publication parameters in the header of a trace. Raises ValueError if they are invalid."""
    if "key_bits" not in header:
        raise ValueError(
            f"the parameter {min(header)!r} says nothing without 'key_bits'; add 'key_bits', from 1 to 256."
        )
    try:
        return msgspec.convert(dict(header), Parameters)
    except msgspec.ValidationError as error:
        raise ValueError(f"the parameters {dict(header)} make no sense: {error}.") from error


_KEY_FORM = msgspec.Meta(extra_json_schema={"pattern": f"^[01]{{1,{MOST_BITS}}}$"})


def _not_a_key(parameters: Any, text: str) -> str | None:
    bits = getattr(parameters, "key_bits", None)
    return f"{bits} bits" if bits is not None and (text.strip("01") or len(text) != bits) else None


Key = Annotated[str, Holds(_not_a_key, source="Feldmann et al., Section 4.2"), _KEY_FORM]
"""A key: as many bits as the parameters say."""


class Publication(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """A leaf of a trie: its key, publisher, number, payload, and signer.

    Source: Feldmann et al., Section 4.2 (Deviation: the number, so that the same payload can be published twice)
    """

    key: Key
    publisher: Annotated[str, NAME_FORM]
    number: Number
    payload: str
    signer: Annotated[str, NAME_FORM]


Publications = Annotated[tuple[Publication, ...], Ascending(attrgetter("key"), source="Feldmann et al., Section 4.2")]
"""Publications that a node holds, ascending by key."""


@lru_cache(maxsize=1 << 17)
def key_of(publisher: str, number: int, payload: str, bits: int) -> str:
    """The right key: the first `bits` bits of a hash of publisher, number and payload.

    Source: Feldmann et al., Section 4.2, the hash function that makes keys
    """
    content = "\0".join((publisher, str(number), payload)).encode()
    digest = sha256(b"\0" + content).digest()
    return format(int.from_bytes(digest, "big"), f"0{MOST_BITS}b")[:bits]


def published(publisher: str, number: int, payload: str, parameters: Parameters) -> Publication:
    """The publication of `publisher` under that number, with its right key and its own signature."""
    return Publication(key_of(publisher, number, payload, parameters.key_bits), publisher, number, payload, publisher)


def is_genuine(publication: Publication, parameters: Parameters) -> bool:
    """Whether the named publisher has signed it, and it is not too large; its key is not checked."""
    return publication.signer == publication.publisher and is_within_limit(publication.payload, parameters)


def is_within_limit(payload: str, parameters: Parameters) -> bool:
    """Whether a payload is not too large."""
    return len(payload.encode()) <= parameters.payload_limit


def is_valid(publication: Publication, parameters: Parameters) -> bool:
    """Whether a publication may be stored: genuine, and under its right key."""
    return is_genuine(publication, parameters) and publication.key == key_of(
        publication.publisher, publication.number, publication.payload, parameters.key_bits
    )


def top(publications: Iterable[Publication], keep: int | None) -> tuple[Publication, ...]:
    """The publications that are kept, ascending by key: of each publisher the `keep` highest by number and key.

    A publication that is left out can never come back: top(A + B) = top(top(A) + top(B)). Two under one number count
    as two, so that a publisher that uses a number twice takes no more room than others.
    """
    ordered = tuple(sorted(publications))
    if keep is None:
        return ordered
    held: dict[str, list[tuple[int, str]]] = {}
    for publication in ordered:
        held.setdefault(publication.publisher, []).append((publication.number, publication.key))
    lowest = {publisher: sorted(ranks)[-keep:][0] for publisher, ranks in held.items()}
    return tuple(item for item in ordered if (item.number, item.key) >= lowest[item.publisher])


def right_set(publications: Iterable[Publication], parameters: Parameters) -> tuple[Publication, ...]:
    """The result of an audit of a set: the genuine publications, each under its right key, limited to the kept ones.

    Of two with one right key, the one that was stored under the lower key stays.
    """
    right: dict[str, Publication] = {}
    for publication in publications:
        if is_genuine(publication, parameters):
            rekeyed = published(publication.publisher, publication.number, publication.payload, parameters)
            right.setdefault(rekeyed.key, rekeyed)
    return top(right.values(), parameters.keep)


def with_offered(
    held: tuple[Publication, ...], offered: Iterable[Publication], parameters: Parameters
) -> tuple[Publication, ...]:
    """A set with the valid ones of the publications offered to it; a stored key's publication is never replaced."""
    by_key = {publication.key: publication for publication in held}
    for publication in offered:
        if is_valid(publication, parameters):
            by_key.setdefault(publication.key, publication)
    return top(by_key.values(), parameters.keep)


def in_order(publications: Iterable[Publication]) -> tuple[Publication, ...]:
    """Publications in the order of delivery to an application: by publisher and number."""
    return tuple(sorted(publications, key=lambda item: (item.publisher, item.number, item.key)))


def size_of(publication: Publication) -> int:
    """The bytes that a publication counts for in a message: those of its payload in JSON, and `FRAME`."""
    return len(msgspec.json.encode(publication.payload)) + FRAME


def in_messages(publications: Iterable[Publication], chunk: int) -> Iterator[tuple[Publication, ...]]:
    """Those publications in order, divided into messages: each takes as many as it may of those that are left.

    A message has at most `chunk` publications, and if it has more than one, at most `MOST_BYTES`.
    """
    return divided(publications, chunk, size_of)


def first_message(publications: Iterable[Publication], chunk: int) -> tuple[Publication, ...]:
    """The publications in the first of these messages: all that one step sends to one node."""
    return next(in_messages(publications, chunk), ())


def divided(items: Iterable[Item], chunk: int, size_of_item: Callable[[Item], int]) -> Iterator[tuple[Item, ...]]:
    """The same for anything that counts for a number of bytes."""
    part: list[Item] = []
    room = MOST_BYTES
    for item in items:
        size = size_of_item(item)
        if part and (len(part) == chunk or size > room):
            yield tuple(part)
            part, room = [], MOST_BYTES
        part.append(item)
        room -= size
    if part:
        yield tuple(part)
