"""Authentication of publications: signing, and finding the signer."""

from typing import Protocol

from gomboc.impl.publishing.publication import Publication


class Authenticator(Protocol):
    """Signs content and verifies signatures."""

    def sign(self, publisher: str, content: bytes) -> str:
        """The publisher's signature of this content; the publisher has to be this very node."""

    def signer(self, publication: Publication) -> str | None:
        """The node that signed the publication's content; None if the signature belongs to no node."""

    def of_topic(self, topic: str) -> "Authenticator":
        """The authenticator of the same node in this topic, where one instance has all of them."""


class Ideal:
    """Authenticator of models and traces: a signature is the signer's name, and no node writes another node's name."""

    def sign(self, publisher: str, content: bytes) -> str:
        """The publisher's name."""
        del content
        return publisher

    def signer(self, publication: Publication) -> str | None:
        """The name in the signature field."""
        return publication.signature

    def of_topic(self, topic: str) -> "Ideal":
        """Itself: it signs in every topic alike."""
        del topic
        return self


IDEAL = Ideal()
