"""The messages of the skip ring, each a struct whose JSON is what `traces/skip_ring/README.md` says."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from impl.errors import PeerError
from impl.skip_ring.labels import CANONICAL

SUPERVISOR = "supervisor"

Name = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_.:-]{1,64}\Z")]
Label = Annotated[str, Meta(pattern=CANONICAL)]
WrittenClaim = tuple[Label, Name]
Flag = Literal["LIN", "CYC"]


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What every message is."""


class Subscribe(Message, frozen=True):
    """To the supervisor: take this node in."""

    subscriber: Name


class Unsubscribe(Message, frozen=True):
    """To the supervisor: let this node go."""

    subscriber: Name


class GetConfiguration(Message, frozen=True):
    """To the supervisor: send this node its configuration."""

    subscriber: Name


class SetData(Message, frozen=True):
    """From the supervisor: your configuration; all empty for a node that it has not recorded."""

    pred: WrittenClaim | None
    label: Label | None
    succ: WrittenClaim | None


class Check(Message, frozen=True):
    """I am `sender`; are you still `label`?"""

    sender: WrittenClaim
    label: Label
    flag: Flag


class Introduce(Message, frozen=True):
    """There is this node: hearsay."""

    claim: WrittenClaim
    flag: Flag


class Present(Message, frozen=True):
    """I am this node: first hand."""

    claim: WrittenClaim
    flag: Flag


class Probe(Message, frozen=True):
    """Say to `sender` who you are."""

    sender: Name
    flag: Flag


class Linearize(Message, frozen=True):
    """Place this node in the list, or pass it on: hearsay."""

    claim: WrittenClaim


class RemoveConnections(Message, frozen=True):
    """Forget this node."""

    node: Name


class IntroduceShortcut(Message, frozen=True):
    """This node is for your shortcut of that label."""

    claim: WrittenClaim


TO_SUPERVISOR = (Subscribe, Unsubscribe, GetConfiguration)

_decoder = msgspec.json.Decoder(
    Subscribe
    | Unsubscribe
    | GetConfiguration
    | SetData
    | Check
    | Introduce
    | Present
    | Probe
    | Linearize
    | RemoveConnections
    | IntroduceShortcut
)


def decode(written: bytes) -> Message:
    """The message that these bytes write; `PeerError` if they write none."""
    try:
        message: Message = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of the skip ring: {error}.") from error
    return message


encode = msgspec.json.Encoder().encode
