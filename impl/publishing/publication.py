"""Publications as an application sees them, and their numbers."""

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import Name
from gomboc.impl.publishing.trie import Key

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A publisher gives each number to one publication."""

Signature = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.:+/=-]{1,256}\Z")]
"""A signature as the authenticator writes it; the ideal one writes the name of the signer."""

MOST_INCARNATIONS = 2**21
"""A number is below 2^53, so that every language can read it: 21 bits for the incarnation, 32 for the counter."""
MOST_PER_INCARNATION = 2**32


class PublicationId(Struct, frozen=True, order=True):
    """Identity of a publication: no publisher uses a number twice, in any topic."""

    publisher: str
    number: int


class Publication(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A published text: `payload` is the text, `key` a hash of the content, `signature` proves the publisher.

    The authenticator decides the form of a signature; the ideal one writes the name of the signer.
    """

    key: Key
    publisher: Name
    number: Number
    payload: str
    signature: Signature

    @property
    def id(self) -> PublicationId:
        """Publisher and number."""
        return PublicationId(self.publisher, self.number)

    def order(self) -> tuple[str, int, str]:
        """Sort key of deliveries: each publisher's publications come in the order of their numbers."""
        return self.publisher, self.number, self.key


def content(publisher: str, number: int, payload: str) -> bytes:
    """The bytes that are signed, and from which a key is derived; no two publications have the same.

    Source: Feldmann et al., Section 4.2, "a pair (v.id, p)"
    """
    # Neither a name nor a decimal number contains a zero byte, so the first two separate the three.
    return b"%b\x00%d\x00%b" % (publisher.encode(), number, payload.encode())


class _Held(Struct, frozen=True):
    publications: tuple[Publication, ...] = ()


_decoder = msgspec.json.Decoder(_Held)


def handed_over(content: object) -> Publication:
    """The publication that a core hands to the application."""
    return content if isinstance(content, Publication) else msgspec.convert(content, Publication)


def held(snapshot: Raw) -> tuple[Publication, ...]:
    """The publications in a member's state, ascending by number, and then by publisher."""
    return tuple(in_order(_decoder.decode(snapshot).publications))


def in_order(publications: Iterable[Publication]) -> list[Publication]:
    """The same, ascending by number and then by publisher: the numbers of one publisher ascend."""
    return sorted(publications, key=lambda publication: (publication.number, publication.publisher))


class Numbers:
    """Gives out the numbers of one publisher, ascending.

    `incarnation` is from 0 to 2^21 - 1, and greater each time that the publisher starts anew; so no number comes twice,
    even if everything else is forgotten. Raises `UsageError` for another one.
    """

    def __init__(self, incarnation: int) -> None:
        if not 0 <= incarnation < MOST_INCARNATIONS:
            raise UsageError(f"An incarnation is from 0 to {MOST_INCARNATIONS - 1}, not {incarnation}.")
        self._first = incarnation * MOST_PER_INCARNATION
        self.given = 0

    def next(self) -> int | None:
        """The next number; None if this incarnation has none left."""
        if self.given == MOST_PER_INCARNATION:
            return None
        self.given += 1
        return self._first + self.given - 1
