"""The port: what an overlay says of itself, so that applications can use it.

Each overlay fills it in its own folder, as `PORT`; nothing else here knows one overlay from another. Publications stand
in its states and messages under the keys `publications` (an array) and `publication` (one), and are handed over as
`Publication`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from impl.authenticator import Authenticator
from impl.automaton import Implementation
from impl.names import Name

Command = Mapping[str, object]
"""A command as JSON has it."""


class Met(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What a directory hands over: this node takes part in the topic as well."""

    topic: Name
    contact: Name


@dataclass(frozen=True, slots=True)
class Announcing:
    """The commands of a directory: that its node takes part in a topic from now on, and that it does no more."""

    announce: Callable[[str], Command]
    retract: Callable[[str], Command]


@dataclass(frozen=True, slots=True)
class Above:
    """What stands on an overlay that publishes nothing itself, but hands up who is whose neighbour.

    `publishing` and `directory` are names of implementations. Of the parameters, those in `own` are the overlay's, to
    which `added` are added; all others are those of the layer that publishes. `meet(contact)` is the overlay's
    command to join through another node, or to know one more.
    """

    publishing: str
    directory: str
    own: tuple[str, ...]
    added: Mapping[str, object]
    meet: Callable[[str], Command]


@dataclass(frozen=True, slots=True)
class Lookups:
    """How an overlay is asked who owns a key, which is any text.

    `place(parameters, key)` is where a key stands, `ask(place)` the command that asks for its owner, and
    `answer(content)` reads what is delivered as the owner of a place: place and node, None if it is something else.
    """

    place: Callable[[Mapping[str, object], str], str]
    ask: Callable[[str], Command]
    answer: Callable[[object], tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Port:
    """What applications need of an overlay.

    `member` is the role of a node with an application; `join`, `leave(forget)` and `publish(number, payload)` are its
    commands. Where one joins a topic through a member of it, `join` is empty and `join_through(name)` the command.
    `publish` is None if another layer does that, or nobody; `lookups` if no key has an owner. `contacts` are the roles,
    by name, of the nodes that everybody knows; there may be none. `agreed` picks of the parameters, which make sense,
    what has to be the same at all nodes. `authenticated` gives the implementation with these parameters whose
    publications this authenticator signs and verifies; it raises `UsageError` for parameters that make no sense, and is
    None if nothing can be published. `above` is None if nothing stands on the overlay, and `announcing` if it is no
    directory.
    """

    member: str
    join: Command
    leave: Callable[[bool], Command]
    publish: Callable[[int, str], Command] | None = None
    contacts: Mapping[str, str] = field(default_factory=dict)
    agreed: Callable[[Mapping[str, object]], object] = dict
    authenticated: Callable[[Mapping[str, object], Authenticator], Implementation] | None = None
    above: Above | None = None
    announcing: Announcing | None = None
    join_through: Callable[[str], Command] | None = None
    lookups: Lookups | None = None
