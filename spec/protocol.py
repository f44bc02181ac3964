"""What a protocol states about itself: a frozen record of functions and values that all machinery works on."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

import msgspec

from spec.domain import Domain
from spec.model import Choice, Fault, Input, Outcome


class Discipline(Enum):
    """What the channels of a protocol do with the messages in them."""

    UNORDERED = "unordered"
    """Reliable and unbounded; any message may overtake any other."""
    FIFO = "fifo"
    """Reliable and unbounded; the messages from one node to another arrive in the order in which they were sent."""
    ROUNDS = "rounds"
    """Synchronous: what is sent in one round arrives, in any order, before anybody's timeout of the next."""


class Size(msgspec.Struct, frozen=True):
    """How large a space of initial states is: member nodes, messages in flight at most, and items to disseminate."""

    nodes: int
    messages: int = 0
    publications: int = 0


class Start(msgspec.Struct, frozen=True):
    """A state of the whole system from which it can be run: nodes with roles and local states, and messages.

    `locals` is ordered by name. A message in flight is a pair (target, message).
    """

    roles: tuple[tuple[str, str], ...]
    locals: tuple[tuple[str, Any], ...]
    in_flight: tuple[tuple[str, Any], ...] = ()


class Disturbance(msgspec.Struct, frozen=True):
    """At this time, in timeout periods, `node` takes `command`: something its application asks, or that befalls it."""

    at: float
    node: str
    command: Any


class Cited(msgspec.Struct, frozen=True):
    """The name of a rule, and where the paper has it."""

    name: str
    source: str


class Erratum(msgspec.Struct, frozen=True):
    """A rule as printed, where we deviate: the protocol with that rule, and what breaks with it."""

    name: str
    breaks: str
    source: str
    protocol: "Protocol"


class Protocol(msgspec.Struct, frozen=True):
    """A protocol of actors that take one step at a time.

    - `roles`: the type of the local state for each role; `message` and `command`: the types of what they take.
      `member`: the role whose nodes are counted as n; `fixed`: the nodes that every system has, name to role.
    - `react(me, local, input, choice)`: the outcome of a step; ValueError if there is no rule for the input.
      `choices(me, local, input)`: the possible results of its coins. `rule(local, input)`: the rule's name and source;
      KeyError if there is none.
    - `malformed(value)`: what a local state or message holds that its type forbids.
    - `anchor(locals)`: the authority that legitimacy is stated against; `anchor_faults(anchor)`,
      `node_faults(anchor, me, local)` and `message_faults(anchor, target, message)`: what is wrong with it, with a
      node, with a message in flight. A state without faults is legitimate.
    - `space(size)`: the domain of arbitrary starts; `start(nodes)`: a legitimate one. `bound(nodes)`: the rounds after
      which a run that has not become legitimate is called divergent.
    - `errata`: the variants as printed. `parameters`: the names of what a trace's header may parametrise, and
      `configured(parameters)`: the protocol with those parameters; ValueError, in a sentence, if they make no sense.
    - `without_effect`: the types of messages and commands that are taken without any effect, since no parameter gives
      them one; no run need have them.
    - `disturbances(size)`: the domain of what may befall a run from outside: tuples of timed commands, in order.
    """

    name: str
    discipline: Discipline
    roles: Mapping[str, type]
    member: str
    fixed: Mapping[str, str]
    message: Any
    command: Any
    react: Callable[[str, Any, Input, Choice], Outcome]
    choices: Callable[[str, Any, Input], tuple[Choice, ...]]
    rule: Callable[[Any, Input], Cited]
    malformed: Callable[[Any], tuple[Fault, ...]]
    anchor: Callable[[Mapping[str, Any]], Any]
    anchor_faults: Callable[[Any], tuple[Fault, ...]]
    node_faults: Callable[[Any, str, Any], tuple[Fault, ...]]
    message_faults: Callable[[Any, str, Any], tuple[Fault, ...]]
    space: Callable[[Size], Domain]
    start: Callable[[int], Start]
    bound: Callable[[int], int]
    errata: tuple[Erratum, ...] = ()
    parameters: tuple[str, ...] = ()
    configured: Callable[[Mapping[str, Any]], "Protocol"] | None = None
    disturbances: Callable[[Size], Domain] | None = None
    without_effect: tuple[type, ...] = ()


def configured(protocol: Protocol, parameters: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters of a trace's header. Raises ValueError for those that make no sense."""
    unknown = sorted(set(parameters) - set(protocol.parameters))
    if unknown:
        raise ValueError(f"{protocol.name} has no parameter {unknown[0]!r}")
    if not parameters or protocol.configured is None:
        return protocol
    return protocol.configured(parameters)


def legitimacy_faults(
    protocol: Protocol, states: Mapping[str, Any], in_flight: tuple[tuple[str, Any], ...]
) -> tuple[Fault, ...]:
    """Every fault of a state of the whole system; none if it is legitimate."""
    anchor = protocol.anchor(states)
    faults = list(protocol.anchor_faults(anchor))
    for name, local in sorted(states.items()):
        faults.extend(protocol.node_faults(anchor, name, local))
    for target, message in in_flight:
        faults.extend(protocol.message_faults(anchor, target, message))
    return tuple(faults)
