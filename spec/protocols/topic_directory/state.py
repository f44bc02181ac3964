"""The variables, messages and commands of a node of the directory, which gives a contact for each topic."""

import re
from functools import partial
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from gomboc.spec.layers.neighbourhood import Moved, Stayed
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import Ascending, Holds, NodeName, Within
from gomboc.spec.types.kinds import Crash, Kind
from gomboc.spec.types.speakers import anyone, named_in, speakers

_TOPIC = re.compile(r"[0-9A-Za-z_.:-]{1,64}")


def _no_topic(_parameters: Any, text: str) -> str | None:
    return None if _TOPIC.fullmatch(text) else "a topic of 1 to 64 letters, digits, or _ . : -"


Topic = Annotated[str, Holds(_no_topic)]
"""The name of a topic."""


class Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The contact of a topic: its least member.

    `age`: periods of this node since the contact last announced itself, if entries expire; else 0.
    """

    topic: Topic
    contact: NodeName
    age: Annotated[int, Within(0), msgspec.Meta(extra_json_schema={"minimum": 0})] = 0


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A node's variables.

    `live`: whether it belongs to the directory. `neighbours` are the last ones from the layer below. `topics` are
    those in which its application takes part. `entries` has at most one contact for each topic. `after` is the topic
    at which its last period stopped, None if it came to the end.
    """

    live: bool
    neighbours: Annotated[tuple[NodeName, ...], Ascending()]
    topics: Annotated[tuple[Topic, ...], Ascending()]
    entries: Annotated[tuple[Entry, ...], Ascending(attrgetter("topic"))]
    after: Topic | None = None


BLANK = Node(False, (), (), ())
"""The state of a node outside the directory."""


class Say(Kind, frozen=True):
    """`contact` takes part in the topic; routed to the node responsible for the topic."""

    topic: Topic
    contact: NodeName


class Meet(Kind, frozen=True):
    """The receiver takes part in the topic, and this is its contact."""

    topic: Topic
    contact: NodeName


class Ask(Kind, frozen=True):
    """`asker` has the receiver as the contact of the topic, and asks whether it takes part."""

    topic: Topic
    asker: NodeName


class Deny(Kind, frozen=True):
    """`node` takes no part in the topic."""

    topic: Topic
    node: NodeName


class Affirm(Kind, frozen=True):
    """`node` takes part in the topic, and was asked."""

    topic: Topic
    node: NodeName


class Enter(Kind, frozen=True):
    """The node belongs to the directory from now on."""


class Announce(Kind, frozen=True):
    """The application takes part in the topic from now on."""

    topic: Topic


class Retract(Kind, frozen=True):
    """The application takes part in the topic no more."""

    topic: Topic


class Met(Kind, frozen=True):
    """Delivery to the application: through this contact it can join the topic."""

    topic: Topic
    contact: NodeName


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters in the header of a trace.

    `expires`: the periods after which an entry with a silent contact expires; None: never, and it is dropped only if it
    is denied. `topics_of_contact`: the topics for which a node stores another one as the contact; None: any number.
    `topics_in_period`: the topics that a node looks after in one period, in turn; None: all.
    """

    expires: Annotated[int, msgspec.Meta(ge=2)] | None = None
    topics_of_contact: Annotated[int, msgspec.Meta(ge=1)] | None = None
    topics_in_period: Annotated[int, msgspec.Meta(ge=1)] | None = None


USUAL = Parameters()

Message = Say | Meet | Ask | Deny | Affirm
Command = Moved | Stayed | Enter | Announce | Retract | Crash
"""`Crash`: the node belongs to the directory no more, and has lost everything."""

SPEAKERS = speakers(
    Message,
    {Say: anyone, Meet: anyone, Ask: named_in("asker"), Deny: named_in("node"), Affirm: named_in("node")},
)
"""Who sends each message. An announcement is routed, and any node may be responsible for a topic."""

FIELDS = Derived(Node, Message, Command, Met)
"""The nodes that values name, their faults, and their renaming."""

malformed = partial(FIELDS.malformed, None)
"""The faults of a state, message or command: they depend on no parameter."""
