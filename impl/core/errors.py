"""Errors by their origin: three classes, each with one exact sentence."""

from typing import TypeVar

Value = TypeVar("Value")


class UsageError(Exception):
    """The caller's error: an option, a file or a starting state that cannot be used."""


class PeerError(Exception):
    """A peer's error: another node sent a message that the protocol does not allow."""


class TransportError(Exception):
    """The transport's error: bytes that did not arrive, or did not arrive whole."""


def needed(value: Value | None, says: str) -> Value:
    """The value; `UsageError` with this sentence if there is none."""
    if value is None:
        raise UsageError(says)
    return value
