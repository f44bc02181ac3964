"""The port: what an overlay says of itself, so that applications can use it.

Most overlays carry topics. One that is `content`-based has none: applications say by filters what they want.

Each overlay fills it in its own folder, as `PORT`; nothing else here knows one overlay from another. Publications stand
in its states and messages under the keys `publications` (an array) and `publication` (one), and are handed over as
`Publication`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Raw, Struct

from gomboc.impl.authenticator import Authenticator
from gomboc.impl.automaton import Implementation
from gomboc.impl.names import Name
from gomboc.impl.publication import PublicationId

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

    `publishing` and `directory` are names of implementations, and `of_directory` the parameters of the latter. Of the
    parameters that are given, those that `own` names are the overlay's and may have no other value than there; it has
    these, and `added`. All others are those of the layer that publishes. `meet(contact)` is the overlay's command to
    join through another node, or to know one more.
    """

    publishing: str
    directory: str
    own: Mapping[str, object]
    added: Mapping[str, object]
    meet: Callable[[str], Command]
    of_directory: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lookups:
    """How an overlay is asked who owns a key, which is any text.

    `place(parameters, key)` is where a key stands, `ask(place)` the command that asks for its owner, and
    `answer(content)` reads what is delivered as the owner of a place: place and node, None if it is something else.
    """

    place: Callable[[Mapping[str, object], str], str]
    ask: Callable[[str], Command]
    answer: Callable[[object], tuple[str, str] | None]


Value = int | float | bool | str
"""The value of an attribute. Numbers are compared as such, so 1 and 1.0 are one value; True is no number."""


class Truth(Struct, frozen=True, gc=False, array_like=True, order=True, forbid_unknown_fields=True):
    """A boolean in a filter: unlike Python's own it equals no number, so that filters which differ are told apart."""

    value: bool


Filter = tuple[tuple[str, str, int | float | str | Truth | None], ...]
"""Attribute, operator and value of each predicate, in the order that the overlay gives them: equal ones look alike."""


class SetOut(Struct, frozen=True):
    """A publication of this node has set out under this id; they do so in the order in which they were asked for."""

    id: PublicationId


class Confirmed(Struct, frozen=True):
    """Whoever has to have this publication of this node has it."""

    id: PublicationId


class Matched(Struct, frozen=True):
    """A publication for this node: all of its attributes, and the filters that it matches, in order."""

    id: PublicationId
    attributes: Mapping[str, Value]
    filters: tuple[Filter, ...]


class Subscribed(Struct, frozen=True):
    """From now on nothing that matches this filter is missed."""

    filter: Filter


class Ready(Struct, frozen=True):
    """Whether the node takes part in everything from now on."""

    ready: bool


class Unreachable(Struct, frozen=True):
    """More nodes are down than the overlay masks: a publication does not get beyond this one."""

    id: PublicationId
    node: str


Told = SetOut | Confirmed | Matched | Subscribed | Ready | Unreachable
"""What a content-based overlay tells a node."""


@dataclass(frozen=True, slots=True)
class Content:
    """What applications need of an overlay to which they say by filters what they want.

    `begin(parameters, name, names)` is the state of a node of a system that begins with nodes of these names; without
    any, that of a node which is to `join` one through its `contact(name)`, None if no node can be.
    `kept(snapshot)` is what a crash leaves of a state, and `restored(kept)` the filters that the node wants by it, and
    whether each is subscribed to already. `filter(given)` and `attributes(given)` are what an application gives, in the
    form of the commands `subscribe`, `unsubscribe` and `publish`. All of these raise `UsageError` for what makes no
    sense. `told` reads what is delivered, None if it concerns no application.
    """

    begin: Callable[[Mapping[str, object], str, Sequence[str]], object]
    join: Command
    contact: Callable[[str], str | None]
    kept: Callable[[Raw], object]
    restored: Callable[[object], Mapping[Filter, bool]]
    filter: Callable[[object], Filter]
    attributes: Callable[[object], Mapping[str, Value | Truth]]
    subscribe: Callable[[Filter], Command]
    unsubscribe: Callable[[Filter], Command]
    publish: Callable[[Mapping[str, Value | Truth]], Command]
    told: Callable[[object], Told | None]


def _never(forget: bool) -> Command:
    del forget
    raise AssertionError("nobody leaves a topic where there are none")


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
    directory. With `content`, nobody joins, leaves or publishes in a topic.

    `crash` are the commands after which an instance is that of a node that has crashed, and `begin_anew` those after
    which it then is that of a node which has started with nothing; a recording writes them, since a node that crashes
    writes nothing. If `absent_answers`, a node that does not exist has to answer as a blank one does. If it
    `tells_holders`, members find out in the end which of their publications another one holds.
    """

    member: str
    join: Command = field(default_factory=dict)
    leave: Callable[[bool], Command] = _never
    publish: Callable[[int, str], Command] | None = None
    contacts: Mapping[str, str] = field(default_factory=dict)
    agreed: Callable[[Mapping[str, object]], object] = dict
    authenticated: Callable[[Mapping[str, object], Authenticator], Implementation] | None = None
    above: Above | None = None
    announcing: Announcing | None = None
    join_through: Callable[[str], Command] | None = None
    lookups: Lookups | None = None
    content: Content | None = None
    crash: tuple[Command, ...] = ()
    begin_anew: tuple[Command, ...] = ()
    absent_answers: bool = False
    tells_holders: bool = False
