"""Signatures that prove the publisher: Ed25519, with a public key of each node that all nodes know.

Needs the extra `sign`. A signature covers the topic too, so a publication cannot be moved to another topic.
"""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from gomboc.impl.api.overlays import Overlay
from gomboc.impl.api.signers import Signer
from gomboc.impl.core.errors import UsageError
from gomboc.impl.publishing.publication import Publication, content

NO_TOPIC = ""
"""The topic of an authenticator from which those of topics are made."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A node's name, its private key, and the public keys of all publishers, each of 32 bytes.

    Raises `UsageError` for an invalid key, and for a private key that does not belong to the name.
    """

    name: str
    private_key: bytes
    public_keys: Mapping[str, bytes]

    def __post_init__(self) -> None:
        """Read every key once, so that no bad one is found later."""
        for name, key in self.public_keys.items():
            if len(key) != 32:
                raise UsageError(f"The public key of {name} has to have 32 bytes, not {len(key)}.")
        if len(self.private_key) != 32:
            raise UsageError(f"The private key of {self.name} has to have 32 bytes, not {len(self.private_key)}.")
        if public_key(self.private_key) != self.public_keys.get(self.name):
            raise UsageError(f"The private key of {self.name} does not belong to its public key.")


def public_key(private_key: bytes) -> bytes:
    """The public key that belongs to a private one."""
    return Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw()


class Ed25519:
    """The authenticator of one node in one topic."""

    def __init__(self, identity: Identity, topic: str) -> None:
        self._identity = identity
        self._name = identity.name
        self._private = Ed25519PrivateKey.from_private_bytes(identity.private_key)
        self._public = identity.public_keys
        self._topic = topic.encode("ascii")

    def sign(self, publisher: str, content: bytes) -> str:
        """The signature, in Base64; `UsageError` for another publisher than this very node."""
        if publisher != self._name:
            raise UsageError(f"{self._name} cannot sign for {publisher}.")
        return b64encode(self._private.sign(self._signed(content))).decode("ascii")

    def signer(self, publication: Publication) -> str | None:
        """The publisher, if this is its signature; None otherwise, and for a publisher without a public key."""
        publisher, signed = publication.publisher, self._content(publication)
        if publisher not in self._public:
            return None
        key = Ed25519PublicKey.from_public_bytes(self._public[publisher])
        try:
            key.verify(_from_text(publication.signature), signed)
        except (InvalidSignature, ValueError):
            return None
        return publisher

    def of_topic(self, topic: str) -> "Ed25519":
        """The authenticator of the same node in another topic."""
        return Ed25519(self._identity, topic)

    def _content(self, publication: Publication) -> bytes:
        return self._signed(content(publication.publisher, publication.number, publication.text))

    def _signed(self, content: bytes) -> bytes:
        # No topic contains a zero byte.
        return self._topic + b"\x00" + content


def _from_text(signature: str) -> bytes:
    """The bytes of a signature; ValueError if this is not the one way to write them."""
    written = b64decode(signature)
    if b64encode(written).decode("ascii") != signature:
        raise ValueError(signature)
    return written


def signed_overlay(overlay: Overlay, identity: Identity) -> Overlay:
    """The same overlay, as the node with this identity runs it. `UsageError` if it has no publications to sign."""
    if overlay.port.authenticated is None:
        raise UsageError(f"{overlay.implementation.name} has no publications to be signed.")
    beneath = overlay.beneath
    if beneath is not None and beneath.beside is not None:
        # What the upper layer has broadcast is of its topics, and signed for them.
        beneath = replace(beneath, beside=signed_overlay(beneath.beside, identity))
    return replace(overlay, authenticator=Ed25519(identity, NO_TOPIC), beneath=beneath)


def signer_for_traces(identity: Identity) -> Signer:
    """Signer of publications, for a recording; any identity with all public keys will do."""
    # A recording names the signers of all that is held in each step, and holds these publications itself.
    return cache(lambda topic, publication: Ed25519(identity, topic).signer(publication))
