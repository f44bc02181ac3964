"""Topics: their names, and the envelope that names the topic of a message."""

import re
from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import NAME, TopicName

Bits = Annotated[str, Meta(pattern=r"\A[01]{1,256}\Z")]
"""A key of an item."""

Leaver = Literal["sender", "receiver"]
"""The node that leaves a topic: the sender of a message, or, if that stays, its receiver."""


class Envelope(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An undecoded message of one topic; `agreement` is a digest of the parameters that its sender shares.

    Without a message it is a note: the keys of items that its sender has refused of the receiver. `leaver` is the
    node that leaves the topic, if one of both does.
    """

    topic: TopicName
    agreement: str
    message: Raw = Raw()
    refused: tuple[Bits, ...] = ()
    leaver: Leaver | None = None


_decoder = msgspec.json.Decoder(Envelope)


def is_topic(name: object) -> bool:
    """Whether a topic can have this name."""
    return isinstance(name, str) and re.fullmatch(NAME, name) is not None


def wrong_topic(name: object) -> str | None:
    """The sentence why no topic can have this name; None if one can."""
    says = f"A topic's name is 1 to 64 characters out of letters, digits and _ . : -; {name!r} is not."
    return None if is_topic(name) else says


def sealed(topic: str, agreement: str, message: bytes, leaver: Leaver | None = None) -> bytes:
    """The envelope of a message that is JSON, as bytes."""
    named = b"" if leaver is None else b',"leaver":"%b"' % leaver.encode("ascii")
    fields = topic.encode("ascii"), agreement.encode("ascii"), message, named
    return b'{"topic":"%b","agreement":"%b","message":%b%b}' % fields


def note(topic: str, agreement: str, refused: Iterable[str]) -> bytes:
    """The envelope of a note, as bytes."""
    return msgspec.json.encode({"topic": topic, "agreement": agreement, "refused": list(refused)})


def opened(written: bytes) -> Envelope:
    """The envelope that these bytes write; `PeerError` if they write none."""
    try:
        # The content is decoded elsewhere, by code that may count on text.
        written.decode("utf-8")
        envelope = _decoder.decode(written)
        if bool(bytes(envelope.message)) == bool(envelope.refused):
            raise ValueError("it has either a message or refused keys")
        return envelope
    except (ValueError, RecursionError) as error:
        raise PeerError(f"This is not an envelope with a topic and a message: {error}.") from error
