"""The messages of the skip ring, each a struct with the JSON form of `traces/skip_ring/README.md`."""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.protocols.skip_ring.forms import Label, WrittenClaim
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Prefix, TrieTuple
from gomboc.impl.publishing.validity import wrong_length

SUPERVISOR = "supervisor"

AtMostTwo = Annotated[tuple[TrieTuple, ...], Meta(max_length=2)]
Flag = Literal["LIN", "CYC"]


class Message(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Base of all messages."""


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
    """This node has this label, as hearsay."""

    claim: WrittenClaim
    flag: Flag


class Present(Message, frozen=True):
    """I am this node and have this label, first hand."""

    claim: WrittenClaim
    flag: Flag


class Probe(Message, frozen=True):
    """Send your label to `sender`."""

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


class CheckTrie(Message, frozen=True):
    """These nodes are in the trie of `sender`: do you have them, with these hashes?"""

    sender: Name
    tuples: AtMostTwo


class CheckAndPublish(Message, frozen=True):
    """As `CheckTrie`; besides, `sender` lacks the publications with this `prefix` of their keys."""

    sender: Name
    tuples: AtMostTwo
    prefix: Prefix


class Publish(Message, frozen=True):
    """Publications that the receiver lacked."""

    publications: tuple[Publication, ...]


class PublishNew(Message, frozen=True):
    """A new publication, to be passed on."""

    sender: Name
    publication: Publication


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
    | CheckTrie
    | CheckAndPublish
    | Publish
    | PublishNew
)


def decode(written: bytes) -> Message:
    """The message that these bytes write; `PeerError` if they write none."""
    try:
        message: Message = _decoder.decode(written)
    except msgspec.DecodeError as error:
        raise PeerError(f"This is not a message of the skip ring: {error}.") from error
    return message


def decoder(parameters: Limits | None) -> Callable[[bytes], Message]:
    """Decoder of messages under these parameters: `PeerError` also for a key or prefix of another length."""
    if parameters is None:
        return decode
    bits = parameters.key_bits

    def decode_and_measure(written: bytes) -> Message:
        message = decode(written)
        _refuse_lengths(message, bits)
        return message

    return decode_and_measure


def _refuse_lengths(message: Message, bits: int) -> None:
    match message:
        case Publish(publications):
            keys, prefixes = [stored.key for stored in publications], list[str]()
        case PublishNew(_, publication):
            keys, prefixes = [publication.key], []
        case CheckTrie(_, tuples):
            keys, prefixes = [], [label for label, _ in tuples]
        case CheckAndPublish(_, tuples, prefix):
            keys, prefixes = [], [*(label for label, _ in tuples), prefix]
        case _:
            return
    wrong = wrong_length(keys, prefixes, bits)
    if wrong is not None:
        raise PeerError(f"This is not a message of the skip ring: {wrong}.")


encode = msgspec.json.Encoder().encode
