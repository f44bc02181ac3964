"""Topics: their names, and the envelope that names the topic of a message."""

import re

import msgspec
from msgspec import Raw, Struct

from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import NAME, TopicName


class Envelope(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An undecoded message of one topic; `agreement` is a digest of the parameters that its sender shares."""

    topic: TopicName
    agreement: str
    message: Raw


_decoder = msgspec.json.Decoder(Envelope)


def is_topic(name: object) -> bool:
    """Whether a topic can have this name."""
    return isinstance(name, str) and re.fullmatch(NAME, name) is not None


def sealed(topic: str, agreement: str, message: bytes) -> bytes:
    """The envelope of a message that is JSON, as bytes."""
    return b'{"topic":"%b","agreement":"%b","message":%b}' % (topic.encode("ascii"), agreement.encode("ascii"), message)


def opened(written: bytes) -> Envelope:
    """The envelope that these bytes write; `PeerError` if they write none."""
    try:
        # The content is decoded elsewhere, by code that may count on text.
        written.decode("utf-8")
        return _decoder.decode(written)
    except (ValueError, RecursionError) as error:
        raise PeerError(f"This is not an envelope with a topic and a message: {error}.") from error
