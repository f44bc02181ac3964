"""Commands to a node: from its application, from the layer below, and from outside."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
from msgspec import Struct

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.names import Name
from gomboc.impl.protocols.chord.circle import Circle


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all commands."""


class Join(Command, frozen=True):
    """Join the ring through this contact; a node that is its own contact begins a ring of its own."""

    contact: Name


class Leave(Command, frozen=True):
    """The node crashes, and gives notice."""


class Crash(Command, frozen=True):
    """The node crashes, and is never there again."""


class Suspect(Command, frozen=True):
    """The failure detector says that this node has crashed."""

    node: Name


class Peers(Command, frozen=True):
    """The membership names these nodes, ascending; the node itself may be one of them."""

    nodes: tuple[Name, ...]


class Lookup(Command, frozen=True):
    """Find the owner of this key, for the application."""

    key: str


Any = Join | Leave | Crash | Suspect | Peers | Lookup

_decoder = msgspec.json.Decoder(Any)


def decoder(circle: Circle) -> Callable[[bytes], Any]:
    """Decoder of commands to nodes on this circle; it raises `UsageError` for invalid bytes."""

    def decode(written: bytes) -> Any:
        try:
            command: Any = _decoder.decode(written)
        except msgspec.DecodeError as error:
            raise UsageError(f"This is not a command of Chord: {error}.") from error
        wrong = _wrong(command, circle)
        if wrong is not None:
            raise UsageError(f"This is not a command of Chord: {wrong}.")
        return command

    return decode


def _wrong(command: Any, circle: Circle) -> str | None:
    match command:
        case Lookup(key):
            return circle.wrong_key(key)
        case Join(node) | Suspect(node):
            return circle.wrong_names([node])
        case Peers(nodes):
            return circle.wrong_names(nodes) or _disorder(nodes)
        case Leave() | Crash():
            return None


def _disorder(names: tuple[str, ...]) -> str | None:
    for former, latter in pairwise(names):
        if former >= latter:
            return f"its node {latter!r} comes after {former!r}"
    return None
