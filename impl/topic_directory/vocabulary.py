"""Messages, commands, and what is delivered; what is not canonical is refused here, before a core sees it."""

import msgspec
from msgspec import Struct

from gomboc.impl.errors import PeerError, UsageError
from gomboc.impl.names import Name
from gomboc.impl.neighbourhood import Moved, Stayed, are_in_order


class Said(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What all of them have in common."""


class Say(Said, frozen=True):
    """Whoever looks after this topic should know that this node takes part in it."""

    topic: Name
    contact: Name


class Meet(Said, frozen=True):
    """You have said that you take part: so does this node, and it is less than you."""

    topic: Name
    contact: Name


class Ask(Said, frozen=True):
    """Do you still take part? I have you for the topic's contact."""

    topic: Name
    asker: Name


class Deny(Said, frozen=True):
    """I take no part."""

    topic: Name
    node: Name


class Enter(Said, frozen=True):
    """Belong to the directory."""


class Announce(Said, frozen=True):
    """Say that this node takes part, in every period."""

    topic: Name


class Retract(Said, frozen=True):
    """Say so no more."""

    topic: Name


class Crash(Said, frozen=True):
    """Lose everything."""


Message = Say | Meet | Ask | Deny
Command = Enter | Announce | Retract | Crash | Moved | Stayed

_messages = msgspec.json.Decoder(Message)
_commands = msgspec.json.Decoder(Command)


def decode(written: bytes) -> Message:
    """The message that these bytes write; `PeerError` if they write none."""
    try:
        message: Message = _messages.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of the directory: {error}.") from error
    return message


def decode_command(written: bytes) -> Command:
    """The command that these bytes write; `UsageError` if they write none."""
    try:
        command: Command = _commands.decode(written)
    except msgspec.DecodeError as error:
        raise UsageError(f"This is not a command of the directory: {error}.") from error
    if isinstance(command, Moved | Stayed) and not are_in_order(command.neighbours):
        raise UsageError("This is not a command of the directory: its neighbours do not ascend.")
    return command


encode = msgspec.json.Encoder().encode
