"""The variables, messages and commands of a node that spreads publications over the neighbours that it is told."""

from typing import Annotated

import msgspec

from gomboc.spec.layers.neighbourhood import Moved, Stayed
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.publications import Key, Number, Publication, Publications
from gomboc.spec.publishing.trie import Hashes
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, AtMost, Holds, NodeName
from gomboc.spec.types.kinds import Crash, Kind
from gomboc.spec.types.speakers import anyone, speakers


class Passed(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The publication with this key has been passed on to the nodes between these names; None on an unbounded side."""

    key: Key
    low: NodeName | None
    high: NodeName | None


def _keys_once(_parameters: object, passed: tuple[Passed, ...]) -> str | None:
    return "each key once" if len({entry.key for entry in passed}) < len(passed) else None


class Member(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A node's variables.

    `live`: whether its application takes part. `neighbours` are the last ones from the layer below. `publications` are
    held by key; `hashes` are the false ones of its trie. `passed` are the broadcasts that it has passed on, the last
    ones of all, in their order.
    """

    live: bool
    neighbours: Annotated[tuple[NodeName, ...], Ascending()]
    publications: Publications = ()
    hashes: Hashes = ()
    passed: Annotated[tuple[Passed, ...], AtMost("chunk"), Holds(_keys_once, rule="broadcasts_once")] = ()


BLANK = Member(False, ())
"""The state of a node that never took part, or has lost everything."""


class Broadcast(Kind, frozen=True):
    """A publication; the receiver passes it on to all nodes between `low` and `high`, both excluded."""

    publication: Publication
    low: NodeName | None
    high: NodeName | None


class Subscribe(Kind, frozen=True):
    """The application takes part from now on."""


class Unsubscribe(Kind, frozen=True, omit_defaults=True):
    """The application takes part no more; with `forget`, its publications are dropped."""

    forget: bool = False


class Issue(Kind, frozen=True):
    """The application publishes `payload` under a number that it uses once."""

    number: Number
    payload: str


Message = CheckTrie | CheckAndPublish | Publish | Broadcast
Command = Moved | Stayed | Subscribe | Unsubscribe | Issue | Crash
"""`Crash`: the node takes part no more, and has lost everything."""

SPEAKERS = speakers(Message, {Publish: anyone, Broadcast: anyone})
"""Who sends each message; a publication is signed by its publisher, so any node may pass it on."""

FIELDS = Derived(Member, Message, Command)
"""The nodes that values name, their faults, and their renaming; publishers need not exist, since they may be gone."""
