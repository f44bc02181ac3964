"""Whose fault it is: three errors, each with one exact sentence."""


class UsageError(Exception):
    """Yours: an option, a file or a starting state that cannot be used."""


class PeerError(Exception):
    """Theirs: another node said something that the protocol does not allow."""


class TransportError(Exception):
    """The wire's: bytes that did not arrive, or did not arrive whole."""
