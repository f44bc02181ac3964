"""Publications: what they are made of, their keys, who signed them, and why one is refused."""

from hashlib import sha256
from typing import Literal, Protocol

from msgspec import Struct

from impl.skip_ring.forms import Key, Name, Number, Signature
from impl.skip_ring.parameters import Parameters

Reason = Literal["key_mismatch", "too_large", "forged", "expired"]
"""Why a publication is not accepted: its key is not that of its content; its payload is above the limit; its publisher
has not signed it; so many later ones of its publisher are kept that this one is not."""

_KEY = b"\x00"


class Publication(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """What `publisher` said under this number; `signature` is what an authenticator wrote of it."""

    key: Key
    publisher: Name
    number: Number
    payload: str
    signature: Signature

    def order(self) -> tuple[str, int, str]:
        """What deliveries are sorted by: each publisher's publications come in the order of their numbers."""
        return self.publisher, self.number, self.key


class Authenticator(Protocol):
    """How a publication is known to be its publisher's."""

    def sign(self, publisher: str, content: bytes) -> str:
        """The signature of this content by this publisher, which has to be this very node."""

    def signer(self, publication: Publication) -> str | None:
        """The node that has signed the publication's content; None if the signature is nobody's."""


class Ideal:
    """The authenticator of models and traces: a signature is the name of who signed, and nobody writes another's."""

    def sign(self, publisher: str, content: bytes) -> str:
        """The publisher's name."""
        del content
        return publisher

    def signer(self, publication: Publication) -> str | None:
        """The name that stands there."""
        return publication.signature


IDEAL = Ideal()


def content(publisher: str, number: int, payload: str) -> bytes:
    """What is signed, and what a key is derived from; no two publications have the same.

    Source: Section 4.2, "a pair (v.id, p)"
    """
    # Neither a name nor a decimal number contains a zero byte, so the first two separate the three.
    return b"%b\x00%d\x00%b" % (publisher.encode(), number, payload.encode())


def key_of(publisher: str, number: int, payload: str, bits: int) -> str:
    """The right key: so many of the first bits of a hash of the content, as text.

    Source: Section 4.2, the hash function h_m
    """
    digest = sha256(_KEY + content(publisher, number, payload)).digest()
    return f"{int.from_bytes(digest) >> (8 * len(digest) - bits):0{bits}b}"


def fault(publication: Publication, parameters: Parameters, authenticator: Authenticator) -> Reason | None:
    """Why the publication is not valid; None if it is."""
    if is_too_large(publication.payload, parameters):
        return "too_large"
    publisher, number, payload = publication.publisher, publication.number, publication.payload
    if publication.key != key_of(publisher, number, payload, parameters.key_bits):
        return "key_mismatch"
    return None if authenticator.signer(publication) == publisher else "forged"


def is_too_large(payload: str, parameters: Parameters) -> bool:
    """Whether a payload has more bytes than it may."""
    # A character has at most four bytes, so most payloads need not be encoded to know.
    return 4 * len(payload) > parameters.payload_limit and len(payload.encode()) > parameters.payload_limit
