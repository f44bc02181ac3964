"""The messages of Chord, with the checks before a core receives them."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from gomboc.impl.chord.circle import Circle
from gomboc.impl.chord.states import Index, wrong_successors
from gomboc.impl.counting import counted
from gomboc.impl.errors import PeerError
from gomboc.impl.names import Name


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all messages."""


class StabilizeRequest(Message, frozen=True):
    """I am `sender`; tell me your state."""

    sender: Name


class StabilizeReply(Message, frozen=True):
    """I am `sender`, and this is my state."""

    sender: Name
    predecessor: Name | None
    successors: tuple[Name, ...]


class Ping(Message, frozen=True):
    """I am `sender`; are you there?"""

    sender: Name


class Notify(Message, frozen=True):
    """I am `sender`, and hold myself to be your predecessor."""

    sender: Name


class JoinRequest(Message, frozen=True):
    """This joiner asks for its place; I am `sender`, and pass it on or am the joiner."""

    joiner: Name
    sender: Name


class JoinReply(Message, frozen=True):
    """I am `sender` and your predecessor, and these are your successors."""

    sender: Name
    successors: tuple[Name, ...]


class RouteRequest(Message, frozen=True):
    """The asker looks for the owner of this key; I am `sender`, and pass it on or am the asker."""

    key: str
    asker: Name
    sender: Name


class RouteReply(Message, frozen=True):
    """The owner of this key is this node."""

    key: str
    owner: Name


class FixFingerRequest(Message, frozen=True):
    """The asker looks for the successor of its id + 2^finger; I am `sender`, and pass it on or am the asker."""

    finger: Index
    asker: Name
    sender: Name


class FixFingerReply(Message, frozen=True):
    """The owner of your id + 2^finger is this node."""

    finger: Index
    owner: Name


class Dead(Message, frozen=True):
    """This node has crashed, or leaves."""

    node: Name


class Outside(Message, frozen=True):
    """I am this node, was asked as a member, and am none."""

    node: Name


Any = (
    StabilizeRequest
    | StabilizeReply
    | Ping
    | Notify
    | JoinRequest
    | JoinReply
    | RouteRequest
    | RouteReply
    | FixFingerRequest
    | FixFingerReply
    | Dead
    | Outside
)

_decoder = msgspec.json.Decoder(Any)


def decoder(circle: Circle, most: int) -> Callable[[bytes], Any]:
    """Decoder of messages of nodes on this circle, with so many successors; it raises `PeerError` for invalid bytes."""

    def decode(written: bytes) -> Any:
        try:
            message: Any = _decoder.decode(written)
        except msgspec.DecodeError as error:
            raise PeerError(f"This is not a message of Chord: {error}.") from error
        wrong = _wrong(message, circle, most)
        if wrong is not None:
            raise PeerError(f"This is not a message of Chord: {wrong}.")
        return message

    return decode


def _wrong(message: Any, circle: Circle, most: int) -> str | None:
    match message:
        case StabilizeReply(sender, predecessor, successors) if sender in (predecessor, *successors):
            return "its sender knows itself"
        case StabilizeReply(_, _, successors) | JoinReply(_, successors) if (
            wrong := wrong_successors(successors, most)
        ) is not None:
            return wrong
        case RouteRequest(key) | RouteReply(key) if (wrong := circle.wrong_key(key)) is not None:
            return wrong
        case FixFingerRequest(finger) | FixFingerReply(finger) if finger >= circle.bits:
            return f"there is no finger {finger}, since ids have {counted(circle.bits, 'bit')}"
    return circle.wrong_names(_names(message))


def _names(message: Any) -> tuple[str | None, ...]:
    match message:
        case StabilizeReply(sender, predecessor, successors):
            return (sender, predecessor, *successors)
        case JoinReply(sender, successors):
            return (sender, *successors)
        case JoinRequest(one, other) | RouteRequest(_, one, other) | FixFingerRequest(_, one, other):
            return (one, other)
        case (
            StabilizeRequest(name)
            | Ping(name)
            | Notify(name)
            | RouteReply(_, name)
            | FixFingerReply(_, name)
            | Dead(name)
            | Outside(name)
        ):
            return (name,)


encode = msgspec.json.Encoder().encode
