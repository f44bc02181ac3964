"""What an application may ask of a node, what the layer below tells it, and what befalls it from outside."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
from msgspec import Struct

from gomboc.impl.chord.circle import Circle
from gomboc.impl.errors import UsageError
from gomboc.impl.names import Name


class Command(Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What every command is."""


class Join(Command, frozen=True):
    """The node wants in, and asks this contact; through itself, it begins a ring of its own."""

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
    """The application wants to know who owns this key."""

    key: str


Any = Join | Leave | Crash | Suspect | Peers | Lookup

_decoder = msgspec.json.Decoder(Any)


def decoder(circle: Circle) -> Callable[[bytes], Any]:
    """What reads the commands to nodes on this circle, and raises `UsageError` for bytes that write none."""

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
