"""Keys of publications, and reasons to refuse a publication."""

from hashlib import sha256

from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication, content

_KEY = b"\x00"


def key_of(publisher: str, number: int, payload: str, bits: int) -> str:
    """The right key: so many of the first bits of a hash of the content, as text.

    Source: Feldmann et al., Section 4.2, the hash function h_m
    """
    digest = sha256(_KEY + content(publisher, number, payload)).digest()
    return f"{int.from_bytes(digest) >> (8 * len(digest) - bits):0{bits}b}"


def fault(publication: Publication, limits: Limits, authenticator: Authenticator) -> Reason | None:
    """The reason why the publication is invalid; None if it is valid."""
    if is_too_large(publication.text, limits):
        return Reason.TOO_LARGE
    publisher, number, payload = publication.publisher, publication.number, publication.text
    if publication.key != key_of(publisher, number, payload, limits.key_bits):
        return Reason.KEY_MISMATCH
    return None if authenticator.signer(publication) == publisher else Reason.FORGED


def is_too_large(payload: str, limits: Limits) -> bool:
    """Whether a payload has more bytes than it may."""
    # A character has at most four bytes, so most payloads need not be encoded to know.
    return 4 * len(payload) > limits.payload_limit and len(payload.encode()) > limits.payload_limit
