"""The variables, messages and commands of the skip ring.

References are node names. A label of None is the paper's bottom; so is an empty slot. Fields about publications,
leaving and crashing are written only where they differ from their initial values.
"""

from functools import partial
from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec

from gomboc.spec.protocols.skip_ring.labels import LONGEST, not_canonical
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.publications import Number, Publication, Publications
from gomboc.spec.publishing.trie import Hashes
from gomboc.spec.types import kinds
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, Holds, NodeName, OnlyWith, Within
from gomboc.spec.types.kinds import Crash, Kind, Suspect, Trust
from gomboc.spec.types.speakers import anyone, either, named_in, speakers, with_role

SUPERVISOR = "supervisor"
"""The name under which all nodes know the supervisor; read-only (Section 1.1)."""

LIST: Literal["LIN"] = "LIN"
CYCLE: Literal["CYC"] = "CYC"
Flag = Literal["LIN", "CYC"]
"""Whether a claim is meant for the sorted list or for the edge that closes the ring (Algorithm 1, line 8)."""

_LABEL_FORM = msgspec.Meta(extra_json_schema={"pattern": "^(0|[01]*1)$", "maxLength": LONGEST})

Label = Annotated[str, Holds(not_canonical, source="Section 2.1"), _LABEL_FORM]
"""A label in canonical form (Deviation: the paper does not say that all are)."""


class Claim(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The tuple (label_v, v): the claim that node `node` has the label `label`."""

    label: Label
    node: NodeName


class Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """A tuple of the database or a shortcut: a label, and its node, or None if none is known."""

    label: Label
    node: NodeName | None


Table = Annotated[tuple[Entry, ...], Ascending(attrgetter("label"), source="Section 3.1")]
"""Entries ordered by label, each label once: "when using a hashmap"."""


def written(value: Any) -> Any:
    """A default that is written into a trace all the same, as `omit_defaults` leaves out no value of a factory."""
    return msgspec.field(default_factory=lambda: value)


class Supervisor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The supervisor's variables: the database, and `next`.

    `suspects` are the nodes that its failure detector holds to be crashed.

    Source: Section 3.1; Section 3.3
    """

    database: Table = written(())
    next: Annotated[int, Within(0, source="Section 3.1"), msgspec.Meta(extra_json_schema={"minimum": 0})] = written(0)
    suspects: Annotated[tuple[NodeName, ...], Ascending(source="Section 3.3")] = ()


class Subscriber(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A subscriber's variables.

    `wants` is the last request of its application: to belong to the ring, or not. It is not part of the paper, and
    neither is `forgets`: whether the publications are dropped once the node has left. While `crashed`, it takes no
    step. `publications` are the leaves of its trie; `hashes` are the false hashes that it holds for the trie nodes
    with those labels.

    Source: Section 3.2; Section 4.2
    """

    label: Label | None = written(None)
    left: Claim | None = written(None)
    right: Claim | None = written(None)
    ring: Claim | None = written(None)
    shortcuts: Table = written(())
    wants: bool = written(True)
    crashed: bool = False
    forgets: bool = False
    publications: Annotated[Publications, OnlyWith("key_bits", source="Section 4.2")] = ()
    hashes: Annotated[Hashes, OnlyWith("key_bits", source="Section 4.2")] = ()


class Subscribe(Kind, frozen=True):
    """To the supervisor: integrate `subscriber`. Source: Algorithm 3, line 6."""

    subscriber: NodeName


class Unsubscribe(Kind, frozen=True):
    """To the supervisor: remove `subscriber`. Source: Algorithm 3, line 13."""

    subscriber: NodeName


class GetConfiguration(Kind, frozen=True):
    """To the supervisor: send `subscriber` its configuration. Source: Algorithm 3, line 24."""

    subscriber: NodeName


class SetData(Kind, frozen=True):
    """From the supervisor: the configuration (pred, label, succ). Source: Algorithm 4, line 16."""

    pred: Claim | None
    label: Label | None
    succ: Claim | None


class Check(Kind, frozen=True):
    """`sender` introduces itself and names the label that it stores for the receiver. Source: Algorithm 1, line 8."""

    sender: Claim
    label: Label
    flag: Flag


class Introduce(Kind, frozen=True):
    """A node passes `claim` on. Source: Algorithm 2, line 16."""

    claim: Claim
    flag: Flag


class Present(Kind, frozen=True):
    """`claim.node` introduces itself: an Introduce by its own subject. Source: Algorithm 1, line 10."""

    claim: Claim
    flag: Flag


class Probe(Kind, frozen=True):
    """`sender` asks the receiver to present itself. Not in the paper: see Deviations in the README."""

    sender: NodeName
    flag: Flag


class Linearize(Kind, frozen=True):
    """`claim` is delegated along the list. Source: Algorithm 1, line 14."""

    claim: Claim


class RemoveConnections(Kind, frozen=True):
    """`node` has no label: forget it. Source: Algorithm 1, line 30."""

    node: NodeName


class IntroduceShortcut(Kind, frozen=True):
    """`claim` may be a shortcut of the receiver. Source: Algorithm 4, line 22."""

    claim: Claim


class PublishNew(Kind, frozen=True):
    """`sender` floods a publication. Source: Section 4.3; Algorithm 5, line 30 (Deviation: the sender)."""

    sender: NodeName
    publication: Publication


Message = (
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


class WantIn(Kind, frozen=True, tag="Subscribe"):
    """The application subscribes. Source: Section 4.1."""


class WantOut(Kind, frozen=True, tag="Unsubscribe", omit_defaults=True):
    """The application unsubscribes; with `forget`, its publications are dropped then. Source: Section 4.1."""

    forget: bool = False


class PublishRequest(Kind, frozen=True, tag="Publish"):
    """The application publishes `payload` under a number that it uses once. Source: Section 4.2; Section 4.3."""

    number: Number
    payload: str


class Restart(kinds.Restart, frozen=True):
    """The node restarts, with its old variables (`keep`) or with empty ones. Source: Section 3.3."""

    keep: bool


class Restore(Kind, frozen=True):
    """The supervisor starts again with these entries. Source: Section 1.1 (any system state)."""

    database: Table


Command = WantIn | WantOut | PublishRequest | Crash | Restart | Suspect | Trust | Restore
"""`Crash`, `Suspect` (by the supervisor's failure detector): Section 3.3."""

SPEAKERS = speakers(
    Message,
    {
        Subscribe: named_in("subscriber"),
        Unsubscribe: named_in("subscriber"),
        GetConfiguration: anyone,
        SetData: with_role("supervisor"),
        Check: named_in("sender", "node"),
        Introduce: anyone,
        Present: named_in("claim", "node"),
        Linearize: anyone,
        RemoveConnections: either(named_in("node"), with_role("supervisor")),
        IntroduceShortcut: anyone,
        Publish: anyone,
    },
)
"""Who sends each message. A node asks for another's configuration: Algorithm 1, lines 16-22; Algorithm 2, lines 18-23.

Source: Algorithms 1 to 5; the supervisor speaks for a node that has crashed: Section 3.3.
"""

FIELDS = Derived(Supervisor, Subscriber, Message, Command)
"""The nodes that values name, their faults, and their renaming; publishers and signers need not exist.

Source: Section 1.1, "no corrupted IDs (i.e., IDs of unavailable nodes)"
"""

without_publications = partial(FIELDS.malformed, None)
"""The faults of a value of a ring that does not publish."""
