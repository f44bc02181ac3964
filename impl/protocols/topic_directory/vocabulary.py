"""Messages, commands and deliveries; values that are not canonical are refused here, before a core sees them."""

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import PeerError, UsageError
from gomboc.impl.core.names import Name
from gomboc.impl.core.neighbourhood import Moved, Stayed, are_in_order


class Said(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of messages and commands."""


class Say(Said, frozen=True):
    """For the node in charge of the topic: `contact` takes part in it."""

    topic: Name
    contact: Name


class Meet(Said, frozen=True):
    """The receiver has announced itself; `contact` takes part, too, and is less than the receiver."""

    topic: Name
    contact: Name


class Ask(Said, frozen=True):
    """`asker` has the receiver as the topic's contact, and asks whether it still takes part."""

    topic: Name
    asker: Name


class Deny(Said, frozen=True):
    """`node` takes no part in the topic."""

    topic: Name
    node: Name


class Enter(Said, frozen=True):
    """Belong to the directory."""


class Announce(Said, frozen=True):
    """Announce in every period that this node takes part."""

    topic: Name


class Retract(Said, frozen=True):
    """Stop announcing it."""

    topic: Name


class Crash(Said, frozen=True):
    """Lose everything."""


Message = Say | Meet | Ask | Deny
Command = Enter | Announce | Retract | Crash | Moved | Stayed

_messages = msgspec.json.Decoder(Message)
_commands = msgspec.json.Decoder(Command)


def decode(written: bytes) -> Message:
    """Decode a message; `PeerError` if the bytes are none."""
    try:
        message: Message = _messages.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of the directory: {error}.") from error
    return message


def decode_command(written: bytes) -> Command:
    """Decode a command; `UsageError` if the bytes are none."""
    try:
        command: Command = _commands.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of the directory: {error}.") from error
    if isinstance(command, Moved | Stayed) and not are_in_order(command.neighbours):
        raise UsageError("This is not a command of the directory: its neighbours do not ascend.")
    return command


encode = msgspec.json.Encoder().encode
