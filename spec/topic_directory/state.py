"""The variables, messages and commands of a node of the directory, which says whom to join a topic through."""

from typing import Annotated, Any

import msgspec

from gomboc.spec.neighbourhood import Moved, Stayed


class Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The contact of a topic: the least of those who take part in it.

    `age`: for how many periods of this node the contact has not said that it takes part, if entries expire; else 0.
    """

    topic: str
    contact: str
    age: int = 0


class Node(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node's variables; all tuples ascend, and have nothing twice.

    `live`: whether it belongs to the directory. `neighbours` are those of which the layer below told last. `topics` are
    those in which its application takes part. `entries` has one contact for each topic at most.
    """

    live: bool
    neighbours: tuple[str, ...]
    topics: tuple[str, ...]
    entries: tuple[Entry, ...]


BLANK = Node(False, (), (), ())
"""Who does not belong to the directory."""


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What a message or command has in common with others: in a trace, `kind` says which it is."""


class Say(Kind, frozen=True):
    """`contact` takes part in the topic; on its way to whoever is responsible for the topic."""

    topic: str
    contact: str


class Meet(Kind, frozen=True):
    """You take part in the topic, and this is its contact."""

    topic: str
    contact: str


class Ask(Kind, frozen=True):
    """`asker` has you for the contact of the topic: do you take part in it?"""

    topic: str
    asker: str


class Deny(Kind, frozen=True):
    """`node` takes no part in the topic."""

    topic: str
    node: str


class Enter(Kind, frozen=True):
    """The node belongs to the directory from now on."""


class Announce(Kind, frozen=True):
    """The application takes part in the topic from now on."""

    topic: str


class Retract(Kind, frozen=True):
    """The application takes part in the topic no more."""

    topic: str


class Crash(Kind, frozen=True):
    """The node belongs to the directory no more, and has lost everything."""


class Met(Kind, frozen=True):
    """What the application is handed: through this contact it can join the topic."""

    topic: str
    contact: str


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the header of a trace may say: after how many periods an entry expires whose contact is silent.

    None: it never does, and is forgotten only if it is denied.
    """

    expires: Annotated[int, msgspec.Meta(ge=2)] | None = None


Message = Say | Meet | Ask | Deny
Command = Moved | Stayed | Enter | Announce | Retract | Crash


def named(value: Any) -> tuple[str, ...]:
    """Every node to which a state, message or command refers."""
    match value:
        case Node():
            return (*value.neighbours, *(each.contact for each in value.entries))
        case Moved() | Stayed():
            return tuple(value.neighbours)
        case Say() | Meet():
            return (value.contact,)
        case Ask():
            return (value.asker,)
        case Deny():
            return (value.node,)
    return ()
