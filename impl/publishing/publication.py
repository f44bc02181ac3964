"""Publications as a protocol carries them, and as an application sees them."""

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from gomboc.impl.core.names import Name
from gomboc.impl.publishing import payloads
from gomboc.impl.publishing.trie import Key

Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A publisher gives each number to one publication."""

Signature = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.:+/=-]{1,256}\Z")]
"""A signature as the authenticator writes it; the ideal one writes the name of the signer."""


class PublicationId(Struct, frozen=True, order=True):
    """Identity of a publication in its topic: no publisher uses a number twice there."""

    publisher: str
    number: int


class Publication(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """A published text: `key` is a hash of the content, `signature` proves the publisher.

    The text carries the application's payload. The authenticator decides the form of a signature; the ideal one writes
    the name of the signer.
    """

    key: Key
    publisher: Name
    number: Number
    text: str
    signature: Signature

    @property
    def id(self) -> PublicationId:
        """Publisher and number."""
        return PublicationId(self.publisher, self.number)

    @property
    def payload(self) -> str | bytes:
        """The payload as it was published: text or bytes."""
        return payloads.read(self.text).value

    @property
    def body(self) -> bytes:
        """The payload as bytes; text in UTF-8."""
        payload = self.payload
        return payload.encode() if isinstance(payload, str) else payload

    @property
    def content_type(self) -> str:
        """The content type of the payload."""
        return payloads.read(self.text).content_type

    def order(self) -> tuple[str, int, str]:
        """Sort key of deliveries: each publisher's publications come in the order of their numbers."""
        return self.publisher, self.number, self.key


def content(publisher: str, number: int, text: str) -> bytes:
    """The bytes that are signed, and from which a key is derived; no two publications have the same.

    Source: Feldmann et al., Section 4.2, "a pair (v.id, p)"
    """
    # Neither a name nor a decimal number contains a zero byte, so the first two separate the three.
    return b"%b\x00%d\x00%b" % (publisher.encode(), number, text.encode())


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
    return sorted(publications, key=by_number)


def by_number(publication: Publication) -> tuple[int, str, str]:
    """Sort key of history: by number, then by publisher."""
    return publication.number, publication.publisher, publication.key
