"""How a publication is known to be its publisher's."""

from typing import Protocol

from gomboc.impl.publication import Publication


class Authenticator(Protocol):
    """What signs and verifies."""

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
