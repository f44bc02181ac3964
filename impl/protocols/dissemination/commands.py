"""Commands of the application, crashes, and deliveries of the layer below."""

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.neighbourhood import Moved, Stayed, are_in_order
from gomboc.impl.publishing.publication import Number


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of the commands of the application."""


class Subscribe(Command, frozen=True):
    """Take part."""


class Unsubscribe(Command, frozen=True, omit_defaults=True):
    """Take part no longer; with `forget`, hold nothing any more."""

    forget: bool = False


class Issue(Command, frozen=True):
    """Publish this under this number, which was not used before."""

    number: Number
    payload: str


class Crash(Command, frozen=True):
    """Lose everything."""


Any = Subscribe | Unsubscribe | Issue | Crash | Moved | Stayed

_decoder = msgspec.json.Decoder(Any)


def decode(written: bytes) -> Any:
    """Decode a command; `UsageError` if the bytes are none."""
    try:
        command: Any = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of dissemination: {error}.") from error
    if isinstance(command, Moved | Stayed) and not are_in_order(command.neighbours):
        raise UsageError("This is not a command of dissemination: its neighbours do not ascend.")
    return command
