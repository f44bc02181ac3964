"""Overlay: the protocol, parameters and port that the nodes of one system have in common."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256

import msgspec

from gomboc.impl.api.registry import exported, implementation, implementations
from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError, needed
from gomboc.impl.core.names import NAME
from gomboc.impl.publishing.authenticator import Authenticator
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.port import Port
from gomboc.impl.runtime.topics import wrong_topic


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers below one that publishes: an overlay with neighbours and a directory on it, or one with routes.

    In the latter case another one may stand `beside`, which broadcasts; the layers that are `undivided` have one
    instance for all topics.

    `stack` is the name of all layers together.
    """

    stack: str
    neighbours: "Overlay"
    directory: "Overlay | None" = None
    beside: "Overlay | None" = None
    undivided: tuple[str, ...] = ()

    def values(self, topic: str) -> Mapping[str, object]:
        """The values of a topic that a recorded run names: its key, where its root is the owner of one."""
        lookups = self.neighbours.port.lookups
        return {} if lookups is None else {"key": lookups.place(self.neighbours.parameters, topic)}

    @property
    def common(self) -> bytes:
        """Text that many messages of all layers have in common; they are compressed with it."""
        return b"" if self.neighbours.port.above is None else self.neighbours.port.above.common


@dataclass(frozen=True, slots=True)
class Overlay:
    """A configured implementation, its port, and the parameters as a trace's header has them.

    With an `authenticator`, the cores of each topic sign and verify by the one of the topic. `beneath` is None if there
    is no layer below. `topics` are the overlays of those topics that have a well-known node of their own.
    """

    implementation: Implementation
    port: Port
    parameters: Mapping[str, object] = field(default_factory=dict)
    authenticator: Authenticator | None = None
    beneath: Layers | None = None
    topics: "Mapping[str, Overlay]" = field(default_factory=dict)

    @property
    def layers(self) -> "tuple[Overlay, ...]":
        """This layer, and those below it."""
        beneath = () if self.beneath is None else (self.beneath.neighbours, self.beneath.directory, self.beneath.beside)
        return (self, *(layer for layer in beneath if layer is not None))

    @property
    def limits(self) -> Limits | None:
        """The limits of publications; None if the overlay names none."""
        return None if self.port.limits is None else self.port.limits(self.parameters)

    @property
    def agreement(self) -> str:
        """Digest, 16 hexadecimal digits, of the protocol and parameters that communicating nodes must share."""
        agreed = [self.implementation.protocol, self.port.agreed(self.parameters)]
        return sha256(msgspec.json.encode(agreed, order="sorted")).hexdigest()[:16]

    def wrong_name(self, name: object) -> str | None:
        """The reason why no node can have this name; None if one can. A well-known node's name is taken."""
        if not isinstance(name, str) or re.fullmatch(NAME, name) is None:
            return f"A node's name is 1 to 64 characters out of letters, digits and _ . : -; {name!r} is not."
        if name in self._contacts:
            return f"{name!r} is the contact of this overlay: choose another name."
        try:
            for layer in self.layers:
                layer.implementation.make(layer.port.member, name, layer.blank_state(layer.port.member), NO_CHANCE)
        except UsageError as error:
            return str(error)
        return None

    def blank_state(self, role: str) -> object:
        """The state of a node that knows no other node and has no wishes; `UsageError` if the protocol has none."""
        if role not in self.implementation.blank:
            raise UsageError(f"{self.implementation.name} does not say how a node with role {role!r} begins.")
        return self.implementation.blank[role]

    def blank(self, role: str, name: str, random: RandomSource, topic: str) -> Core:
        """The core of a blank node for this topic."""
        return self.signing(topic).make(role, name, self.blank_state(role), random)

    @property
    def _contacts(self) -> "dict[str, Overlay]":
        """The overlay of each well-known node, by the node's name."""
        own = (self, *map(self.of_topic, self.topics))
        return {
            name: replace(one, topics={}, authenticator=self.authenticator) for one in own for name in one.port.contacts
        }

    def of_contact(self, name: str) -> "Overlay":
        """The overlay of the topics with this well-known node. Raises `UsageError` if there are none."""
        contacts = self._contacts
        if name not in contacts:
            known = ", ".join(contacts) or "none"
            raise UsageError(f"{self.implementation.name} has no contact {name!r}; it has: {known}.")
        return contacts[name]

    def of_topic(self, topic: str) -> "Overlay":
        """The overlay of this topic, with its own well-known node if it has one; `signing` says how it signs."""
        return self.topics.get(topic, self)

    def signing(self, topic: str) -> Implementation:
        """The implementation with the cores that sign and verify the publications of this topic."""
        own = self.of_topic(topic)
        if self.authenticator is None or own.port.authenticated is None:
            return own.implementation
        return own.port.authenticated(own.parameters, self.authenticator.of_topic(topic))


class _NoChance:
    """A source for cores that take no step."""

    def random(self) -> float:
        """Always the same number."""
        return 0.5


NO_CHANCE = _NoChance()


def overlay(
    name: str, parameters: Mapping[str, object] | None = None, *, contacts: Mapping[str, str] | None = None
) -> Overlay:
    """The overlay of the implementation of this name; `UsageError` for an unknown name or parameter.

    If another layer publishes on it, that layer, with the named one below. `contacts` names the well-known node of each
    topic that has its own; `UsageError` where topics have none.
    """
    values = {} if parameters is None else dict(parameters)
    port = _port(name)
    if port.over is not None:
        raise UsageError(f"{name} is a layer over another overlay: use overlay({port.over!r}, ...) instead.")
    if contacts:
        return replace(_alone(name, values), topics=_with_contacts(name, values, port.contact_parameter, contacts))
    if port.below is not None:
        return _over_routes(name, values, port, port.below)
    above = port.above
    if above is None:
        return _alone(name, values)
    own = {key: value for key, value in values.items() if key in above.own}
    neighbours = _alone(name, {**above.own, **own, **above.added})
    for key, value in own.items():
        if value != above.own[key]:
            raise UsageError(f"Applications over {name} need the parameter {key} to be {above.own[key]}: omit it.")
    beneath = Layers(above.stack, neighbours, _alone(above.directory, dict(above.of_directory)))
    others = {key: value for key, value in values.items() if key not in above.own}
    return replace(_alone(above.publishing, others), beneath=beneath)


def _with_contacts(
    name: str, values: Mapping[str, object], parameter: str | None, contacts: Mapping[str, str]
) -> Mapping[str, Overlay]:
    own = needed(parameter, f"No topic over {name} has a well-known node of its own: omit contacts.")
    for topic in contacts:
        if (wrong := wrong_topic(topic)) is not None:
            raise UsageError(wrong)
    return {topic: _alone(name, {**values, own: contact}) for topic, contact in contacts.items()}


def _over_routes(name: str, values: Mapping[str, object], port: Port, below: str) -> Overlay:
    """The layer of this name on an overlay with routes, which has its own ones among the parameters."""
    routing = needed(_port(below).routing, f"{name} cannot stand on {below}, which delivers no routes.")
    own = {key: value for key, value in values.items() if key in routing.own}
    others = {key: value for key, value in values.items() if key not in routing.own}
    beside = None
    if port.beside is not None and port.beside.needed_with in others:
        shared = {key: value for key, value in others.items() if key in port.beside.shared}
        beside = _alone(port.beside.overlay, shared)
    undivided = (below,) if beside is None else (beside.implementation.name, below)
    base = _alone(below, {**own, **routing.added})
    layers = Layers("_".join((*undivided, name)), base, beside=beside, undivided=undivided)
    return replace(_alone(name, others), beneath=layers)


def overlays_of() -> dict[str, str]:
    """The overlay that an application names for each stack of layers, by the name of the stack."""
    ports = {name: exported(name, "PORT") for name, known in implementations().items() if name == known.protocol}
    return {port.above.stack: name for name, port in ports.items() if isinstance(port, Port) and port.above is not None}


def keys_of(name: str, parameters: Mapping[str, object]) -> Callable[[str], str] | None:
    """Function that gives the key of any text in the implementation of this name; None if no key has an owner there."""
    port = exported(name, "PORT")
    if not isinstance(port, Port) or port.lookups is None:
        return None
    return partial(port.lookups.place, parameters)


def _port(name: str) -> Port:
    port = exported(implementation(name).name, "PORT")
    if not isinstance(port, Port):
        raise UsageError(f"{name} has no port for applications: its package exports no PORT.")
    return port


def _alone(name: str, values: Mapping[str, object]) -> Overlay:
    base, port = implementation(name), _port(name)
    values = {**port.usual, **values}
    if not values:
        return Overlay(base, port)
    configured = needed(base.configured, f"{name} has no parameters.")(values)
    if port.contact_parameter is not None and port.contact_parameter in values:
        called = str(values[port.contact_parameter])
        port = replace(port, contacts=dict.fromkeys((called,), *port.contacts.values()))
    return Overlay(configured, port, values)
