"""The messages of Chord."""

from collections.abc import Callable

from gomboc.impl.core.authority import SENDER, Words, own
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.vocabulary import Fault, Message, reader
from gomboc.impl.protocols.chord.parameters import Finger, Key, NodeName, Parameters, Successors


class StabilizeRequest(Message, frozen=True):
    """I am `sender`; tell me your state."""

    sender: NodeName


class StabilizeReply(Message, frozen=True):
    """I am `sender`, and this is my state."""

    sender: NodeName
    predecessor: NodeName | None
    successors: Successors

    def fault(self, _: Parameters) -> Fault:
        """No sender names itself."""
        return "its sender knows itself" if self.sender in (self.predecessor, *self.successors) else None


class Ping(Message, frozen=True):
    """I am `sender`; are you there?"""

    sender: NodeName


class Notify(Message, frozen=True):
    """I am `sender`, and hold myself to be your predecessor."""

    sender: NodeName


class JoinRequest(Message, frozen=True):
    """This joiner asks for its place; I am `sender`, and pass it on or am the joiner."""

    joiner: NodeName
    sender: NodeName


class JoinReply(Message, frozen=True):
    """I am `sender` and your predecessor, and these are your successors."""

    sender: NodeName
    successors: Successors


class RouteRequest(Message, frozen=True):
    """The asker looks for the owner of this key; I am `sender`, and pass it on or am the asker."""

    key: Key
    asker: NodeName
    sender: NodeName


class RouteReply(Message, frozen=True):
    """The owner of this key is this node."""

    key: Key
    owner: NodeName


class FixFingerRequest(Message, frozen=True):
    """The asker looks for the successor of its id + 2^finger; I am `sender`, and pass it on or am the asker."""

    finger: Finger
    asker: NodeName
    sender: NodeName


class FixFingerReply(Message, frozen=True):
    """The owner of your id + 2^finger is this node."""

    finger: Finger
    owner: NodeName


class Dead(Message, frozen=True):
    """This node has crashed, or leaves."""

    node: NodeName


class Outside(Message, frozen=True):
    """I am this node, was asked as a member, and am none."""

    node: NodeName


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

WORDS: Words = {
    StabilizeRequest: SENDER,
    StabilizeReply: SENDER,
    Ping: SENDER,
    Notify: SENDER,
    # Who joins or asks is hearsay: requests are passed on.
    JoinRequest: SENDER,
    JoinReply: SENDER,
    RouteRequest: SENDER,
    RouteReply: own("owner"),
    FixFingerRequest: SENDER,
    FixFingerReply: own("owner"),
    Dead: own("node"),
    Outside: own("node"),
}
"""Whose word each message is."""


def decoder(parameters: Parameters) -> Callable[[bytes], Any]:
    """Decoder of messages under these parameters; it raises `PeerError` for invalid bytes."""
    return reader(Any, "This is not a message of Chord", parameters, error=PeerError)
