"""The port: an overlay's description of itself for applications.

Most overlays carry topics. One that is `content`-based has none: applications subscribe by filters.

Each overlay fills it in its own folder, as `PORT`; no other code here distinguishes overlays. Publications are in its
states and messages under the keys `publications` (an array) and `publication` (one), and are handed over as
`Publication`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import Core, HeldElsewhere, Implementation
from gomboc.impl.core.names import Name, TopicName
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.comparison import Exchange
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication, PublicationId
from gomboc.impl.publishing.store import Store

Command = object
"""A command: a struct of the overlay, or its JSON value."""


class Met(Struct, frozen=True, gc=False, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """Delivery of a directory: this node takes part in the topic as well."""

    topic: TopicName
    contact: Name


@dataclass(frozen=True, slots=True)
class Announcing:
    """The commands of a directory: that its node takes part in a topic from now on, and that it does no more."""

    announce: Callable[[str], Command]
    retract: Callable[[str], Command]


@dataclass(frozen=True, slots=True)
class Above:
    """The layers above an overlay that publishes nothing itself, but maintains the neighbours.

    `stack` is the name of all layers together. `publishing` and `directory` are names of implementations, and
    `of_directory` the parameters of the latter. Of the parameters that the caller gives, those that `own` names are the
    overlay's and may have no other value than there; it has these, and `added`. All others are those of the layer that
    publishes. `add_peer(contact)` is the overlay's command to join through another node, or to add a contact. `common`
    is text that many messages of the layers have in common, at most 4096 bytes: they are compressed with it.
    """

    stack: str
    publishing: str
    directory: str
    own: Mapping[str, object]
    added: Mapping[str, object]
    add_peer: Callable[[str], Command]
    of_directory: Mapping[str, object] = field(default_factory=dict)
    common: bytes = b""


@dataclass(frozen=True, slots=True)
class Lookups:
    """Lookups of the owner of a key, which is any text.

    `place(parameters, key)` is the position of a key, `ask(place)` the command that asks for its owner, and
    `answer(content)` reads a delivery as position and owner, None if it is another delivery.
    """

    place: Callable[[Mapping[str, object], str], str]
    ask: Callable[[str], Command]
    answer: Callable[[object], tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class Route:
    """A route that an overlay has delivered: a key, the command for the layer above, and whether a period has ended."""

    key: str
    command: Routed | StillRouted
    is_period: bool


@dataclass(frozen=True, slots=True)
class Routing:
    """Routes of an overlay: towards each key that the layer above watches, it delivers the next hop.

    `watch(key)`, `unwatch(key)` and `peers(names)` are commands. A delivery is read by `told` as a route, or by
    `neighbours` as the nodes that this one is linked to; None if it is another. Of the parameters that the caller
    gives, those that `own` names are the overlay's; it has these, and `added`.
    """

    watch: Callable[[str], Command]
    unwatch: Callable[[str], Command]
    peers: Callable[[tuple[str, ...]], Command]
    told: Callable[[object], Route | None]
    neighbours: Callable[[object], tuple[str, ...] | None]
    own: tuple[str, ...]
    added: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Beside:
    """The overlay beside a layer that has some publications broadcast, if the parameter `needed_with` is given.

    Both have the parameters `shared`. A delivery is read by `to_spread` as a publication to be broadcast, None if it is
    another; `heard(publication)` is the command of one that has arrived.
    """

    overlay: str
    needed_with: str
    shared: tuple[str, ...]
    to_spread: Callable[[object], Publication | None]
    heard: Callable[[Publication], Command]


class ToSpread(Struct, frozen=True):
    """What an application publishes in a topic, where one instance has all topics."""

    number: int
    payload: str


@dataclass(frozen=True, slots=True)
class Spreading:
    """An overlay that brings every publication to every node, in one instance for all topics.

    `join_via(name)` and `spread(topic, publication)` are commands. A delivery is read by `heard` as a topic and its
    publication, or by `peers` as the nodes that this one knows at the end of a period; None if it is another.
    `store(core, topic)` has the publications of a topic; it is not to be changed.
    """

    join_via: Callable[[str], Command]
    spread: Callable[[str, Publication], Command]
    heard: Callable[[object], tuple[str, Publication] | None]
    peers: Callable[[object], tuple[str, ...] | None]
    store: Callable[[Core, str], Store]


Value = int | float | bool | str
"""The value of an attribute. Numbers are compared as such, so 1 and 1.0 are one value; True is no number."""


class Truth(Struct, frozen=True, gc=False, array_like=True, order=True, forbid_unknown_fields=True):
    """A boolean in a filter: unlike Python's own it equals no number, so that filters which differ are told apart."""

    value: bool


Filter = tuple[tuple[str, str, int | float | str | Truth | None], ...]
"""Attribute, operator and value of each predicate, in the order that the overlay gives them: equal ones look alike."""


class SetOut(Struct, frozen=True):
    """A publication of this node has started under this id; publications start in the order of their requests."""

    id: PublicationId


class Confirmed(Struct, frozen=True):
    """All intended receivers of this node's publication have it."""

    id: PublicationId


class Matched(Struct, frozen=True):
    """A publication for this node: all of its attributes, and the filters that it matches, in order."""

    id: PublicationId
    attributes: Mapping[str, Value]
    filters: tuple[Filter, ...]


class Subscribed(Struct, frozen=True):
    """From now on no publication that matches this filter is missed."""

    filter: Filter


class Ready(Struct, frozen=True):
    """Whether the node takes full part from now on."""

    ready: bool


class Unreachable(Struct, frozen=True):
    """More nodes are down than the overlay masks: a publication does not get beyond this one."""

    id: PublicationId
    node: str


Told = SetOut | Confirmed | Matched | Subscribed | Ready | Unreachable
"""Report of a content-based overlay to its node."""


@dataclass(frozen=True, slots=True)
class Content:
    """Interface of a content-based overlay, to which applications subscribe by filters.

    `begin(parameters, name, names)` is the state of a node of a system that begins with nodes of these names; without
    any, that of a node that is to `join` one through its `contact(name)`, None if no node can be. `kept(snapshot)` is
    the part of a state that survives a crash, and `restored(kept)` the filters in it, and whether each is subscribed to
    already. `unfit(core, command)` is why a command of a client is refused: a reason and a sentence, None if it is
    not. `knows(core, node)` says whether a node's word on starts counts at this one. `filter(given)` and
    `attributes(given)` convert an application's arguments to the form of the commands `subscribe`, `unsubscribe` and
    `publish`. All of these raise `UsageError` for invalid arguments. `told` reads a
    delivery, None if it concerns no application.
    """

    begin: Callable[[Mapping[str, object], str, Sequence[str]], object]
    join: Command
    contact: Callable[[str], str | None]
    kept: Callable[[Raw], object]
    restored: Callable[[object], Mapping[Filter, bool]]
    knows: Callable[[Core, str], bool]
    unfit: Callable[[Core, Command], tuple[Reason, str] | None]
    filter: Callable[[object], Filter]
    attributes: Callable[[object], Mapping[str, Value | Truth]]
    subscribe: Callable[[Filter], Command]
    unsubscribe: Callable[[Filter], Command]
    publish: Callable[[Mapping[str, Value | Truth]], Command]
    told: Callable[[object], Told | None]


@dataclass(slots=True)
class Disputed:
    """Keys of publications that were refused as forged: here, with topics, publishers and numbers, and by the peer.

    The peer has not been told of those in `unsaid`. It `insists` when it has offered one of them again: it holds them.
    """

    here: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    there: dict[str, None] = field(default_factory=dict)
    unsaid: dict[str, None] = field(default_factory=dict)
    insists: bool = False


Altered = Callable[[Any, Disputed], Any]
"""A message of a peer without what is disputed with it, in a protocol's own messages."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How members of an overlay exchange publications: by comparison of tries, or by other messages, `altered`."""

    exchange: Exchange | None = None
    altered: Altered | None = None


def _never(forget: bool) -> Command:
    del forget
    raise AssertionError("no node leaves a topic where there are none")


@dataclass(frozen=True, slots=True)
class Port:
    """Interface of an overlay to applications.

    `member` is the role of a node with an application; `join`, `leave(forget)` and `publish(number, payload)` are its
    commands. On an overlay with topics that are joined through a member, `join` is None and `join_via(name)` the
    command. `publish` is None if another layer publishes, or none does, and without the parameter `publishing_needs`
    nothing is published; `limits` are those of publications under valid parameters, None if there are none. `lookups`
    is None if no key has an owner. `contacts` are the roles, by name, of well-known nodes; there may be none, and if
    there is a `contact_parameter`, it gives the one of them another name. `usual` are the parameters that applications
    have unless they give others, where these are not those of a trace without parameters. `agreed` picks from valid
    parameters the part that must be equal at all nodes. `authenticated` gives the implementation with these parameters
    whose publications this authenticator signs and verifies; it raises `UsageError` for invalid parameters, and is None
    if nothing can be published. `over` names the overlay that it stands on, if it is a layer that an application does
    not name, and `below` if it is one that is named; `beside` is None unless it broadcasts through another one. `above`
    is None if no layer stands on the overlay, `routing` if it delivers no routes, `spreading` unless one instance has
    all topics, and `announcing` if it is no directory. With `content`, no node joins, leaves or publishes in a topic.

    `crash` are the commands after which an instance is that of a crashed node, and `begin_anew` those after which it
    then is that of a node that has started with nothing; a recording writes them, since a node that crashes writes
    nothing. If `absent_answers`, a node that does not exist has to answer as a blank one does, and if `crashed_answers`
    as one that has crashed. If it `tells_holders`, members find out in the end which of their publications another one
    holds: by outputs of the core, or by messages that `holders` reads so. `manner` says how members exchange what they
    hold. `joined` says from its core whether a node takes part in its topic, and `spare` whether it would be blank but
    for the next hop that it was told.
    """

    member: str
    join: Command = None
    leave: Callable[[bool], Command] = _never
    publish: Callable[[int, str], Command] | None = None
    publishing_needs: str | None = None
    limits: Callable[[Mapping[str, object]], Limits | None] | None = None
    contacts: Mapping[str, str] = field(default_factory=dict)
    contact_parameter: str | None = None
    usual: Mapping[str, object] = field(default_factory=dict)
    agreed: Callable[[Mapping[str, object]], object] = dict
    authenticated: Callable[[Mapping[str, object], Authenticator], Implementation] | None = None
    over: str | None = None
    below: str | None = None
    beside: Beside | None = None
    above: Above | None = None
    routing: Routing | None = None
    spreading: Spreading | None = None
    announcing: Announcing | None = None
    join_via: Callable[[str], Command] | None = None
    lookups: Lookups | None = None
    content: Content | None = None
    crash: tuple[Command, ...] = ()
    begin_anew: tuple[Command, ...] = ()
    absent_answers: bool = False
    crashed_answers: bool = False
    tells_holders: bool = False
    holders: Callable[[Struct], HeldElsewhere | None] | None = None
    manner: Manner = field(default_factory=Manner)
    joined: Callable[[Core], bool] | None = None
    spare: Callable[[Core], bool] | None = None
