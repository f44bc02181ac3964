"""The messages of the skip ring, each a struct with the JSON form of `traces/skip_ring/README.md`."""

from collections.abc import Callable
from typing import Literal

from gomboc.impl.core.authority import HEARSAY, SENDER, Word, Words, own
from gomboc.impl.core.errors import PeerError
from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Message, reader
from gomboc.impl.protocols.skip_ring.labels import Label, WrittenClaim
from gomboc.impl.publishing.comparison import Asking, Exchange, Publish, Telling
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication

SUPERVISOR = "supervisor"
"""The name of the supervisor, unless the parameters say another one."""

Flag = Literal["LIN", "CYC"]


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


class CheckTrie(Telling, frozen=True):
    """These nodes are in the trie of `sender`: do you have them, with these hashes?"""


class CheckAndPublish(Asking, frozen=True):
    """As `CheckTrie`; besides, `sender` lacks the publications with this `prefix` of their keys."""


EXCHANGE = Exchange(CheckTrie, CheckAndPublish)


class PublishNew(Message, frozen=True):
    """A new publication, to be passed on."""

    sender: Name
    publication: Publication


WORDS: Words = {
    Subscribe: own("subscriber"),
    Unsubscribe: own("subscriber"),
    # Of a node whose label somebody else claims, too: Algorithm 1, lines 16-22.
    GetConfiguration: HEARSAY,
    SetData: Word(role="supervisor"),
    Check: Word(lambda message: message.sender[1]),
    Introduce: HEARSAY,
    Present: Word(lambda message: message.claim[1]),
    Probe: SENDER,
    Linearize: HEARSAY,
    # By the supervisor of a node that has crashed: it cannot say so itself.
    RemoveConnections: Word(lambda message: message.node, role="supervisor"),
    IntroduceShortcut: HEARSAY,
    CheckTrie: SENDER,
    CheckAndPublish: SENDER,
    # The publications are signed.
    Publish: HEARSAY,
    PublishNew: SENDER,
}
"""Whose word each message is."""

TO_SUPERVISOR = (Subscribe, Unsubscribe, GetConfiguration)

Any = (
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


def decoder(limits: Limits | None) -> Callable[[bytes], Any]:
    """Decoder of messages: `PeerError` for bytes that are none, and for what is beyond the limits."""
    return reader(Any, "This is not a message of the skip ring", limits, error=PeerError)
