"""The definition of a protocol: a frozen record of functions and values that all machinery works on."""

from collections.abc import Callable, Iterator, Mapping, Set
from enum import Enum
from typing import Any

import msgspec

from gomboc.spec.core.connection import Edge, no_edges, unreached
from gomboc.spec.core.domain import Domain
from gomboc.spec.core.environment import Offer, nothing_comes
from gomboc.spec.core.model import Choice, Fault, InFlight, Input, Outcome, States
from gomboc.spec.core.promises import Always, Observer


class Discipline(Enum):
    """The guarantees of a protocol's channels."""

    UNORDERED = "unordered"
    """Reliable and unbounded; any message may overtake any other."""
    FIFO = "fifo"
    """Reliable and unbounded; the messages from one node to another arrive in the order in which they were sent."""
    ROUNDS = "rounds"
    """Synchronous: messages sent in one round arrive, in any order, before the receiver's timeout of the next."""


class Size(msgspec.Struct, frozen=True):
    """How large a space of initial states is: member nodes, messages in flight at most, and items to disseminate.

    `outside` further nodes are in the roles, and outside at first: they may join.
    """

    nodes: int
    messages: int = 0
    publications: int = 0
    outside: int = 0


class Start(msgspec.Struct, frozen=True):
    """A state of the whole system from which it can be run: nodes with roles and local states, and messages.

    `locals` is ordered by name. A message in flight is a pair (target, message).
    """

    roles: tuple[tuple[str, str], ...]
    locals: tuple[tuple[str, Any], ...]
    in_flight: tuple[tuple[str, Any], ...] = ()


class Disturbance(msgspec.Struct, frozen=True):
    """A command at a time, in timeout periods, to `node`: a request of its application, or an event from outside."""

    at: float
    node: str
    command: Any


class Cited(msgspec.Struct, frozen=True):
    """The name of a rule, and its source in the paper."""

    name: str
    source: str


class Erratum(msgspec.Struct, frozen=True):
    """A rule as printed, where we deviate: the protocol with that rule, and the property that breaks with it."""

    name: str
    breaks: str
    source: str
    protocol: "Protocol"


def nothing_lacks(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """No faults: for a protocol without a premise or assumption."""
    del states, in_flight
    return ()


def never_asleep(local: Any) -> bool:
    """Always False: for a protocol with nodes that are always awake."""
    del local
    return False


def whole(value: Any) -> Any:
    """The whole local state or message, unchanged."""
    return value


def any_names(roles: Mapping[str, str]) -> str | None:
    """Always None: nodes may have any names."""
    del roles
    return None


def names_no_nodes(value: Any) -> tuple[str, ...]:
    """No names: for a protocol that does not state the nodes in its values."""
    del value
    return ()


class Protocol(msgspec.Struct, frozen=True):
    """A protocol of actors that take one step at a time.

    - `roles`: the type of the local state for each role; `message` and `command`: the types of the messages and
      commands that they take. `member`: the role of the nodes that are counted as n; `fixed`: the nodes that every
      system has, name to role.
    - `react(me, local, input, choice)`: the outcome of a step; ValueError if there is no rule for the input.
      `choices(me, local, input)`: the possible results of its coins. `rule(local, input)`: the rule's name and source;
      KeyError if there is none.
    - `malformed(value)`: the parts of a local state or message that its type should forbid.
    - `anchor(shares)`: the authority that legitimacy is stated against; `anchor_faults(anchor)`, `node_faults(anchor,
      me, local)` and `message_faults(anchor, target, message)`: the faults of the anchor, of a node, of a message in
      flight. A state without faults is legitimate.
    - `space(size)`: the domain of arbitrary starts; `start(nodes)`: a legitimate one. `bound(nodes)`: the number of
      rounds after which a run that has not become legitimate is called divergent.
    - `errata`: the variants as printed. `parameters`: the names of the parameters that a trace's header may set, and
      `configured(parameters)`: the protocol with those parameters; ValueError, in a sentence, if they are invalid.
      `publishing`: the default parameters of a system that publishes. `defined`: the section of its paper that defines
      closure and convergence.
    - `without_effect`: the types of messages and commands that, by the parameters, have no effect, or occur only where
      the assumption is broken or a node is outside at first; no run need have them.
    - `disturbances(size, names)`: the domain of disturbances of a run of those nodes from outside: tuples of timed
      commands, in order. `names` are all nodes in the roles, in order.

    Optional fields, each with a default that has no effect:

    - `edges(node, value)`: the node references in the local state of a node or in a message to it. If it is stated,
      weak connectivity of the nodes that are awake is part of the premise.
    - `premise(states, in_flight)`: the faults of the premise of convergence. If a run lacks the premise, at its start
      or after a command, and has not been legitimate since, its convergence is unknown, not violated.
    - `assumption(states, in_flight)`: the operating assumption, checked at the start and after every command. Once it
      is broken, only conformance is judged.
    - `commands_assumption(states, in_flight)`: a further assumption on a state after a command, but not on a start.
    - `asleep(local)`: whether a node does not participate, since it has crashed or is outside. Rounds wait neither for
      it nor for messages to it, its timeouts are no steps, and under FIFO its links end.
    - `share(local)`: the part of a node's state that the anchor may see, hashable: `anchor` takes the share of each
      node, by name.
    - `projection(value)`: the part of a local state or message that `premise`, assumptions, `environment` and `always`
      read, hashable: their results are the same for states of equal projections. A message of which they read no
      part has the projection None.
    - `misnamed(roles)`: a sentence if nodes of these names, name to role, cannot form a system.
    - `named(value)`: the nodes that a local state, message or command names. In a trace they are among the roles: a
      value that names another node is as wrong as a malformed one.
    - `renamed(value, renaming)`: a local state, message or command with other names of nodes, in canonical form.
      Without it no nodes of an instance can be alike.
    - `quiet`: the types of commands that neither end legitimacy nor restart the count of rounds. `quiet_if_idle`: the
      types of commands that are quiet where they change no state and send no message.
    - `fired(me, local, input)`: the rules of the paper that one step comprises; None: the rule that `rule` names.
    - `environment(states, in_flight)`: the commands that may come from outside now.
    - `always`, `observers`: promises over every state of a run, and over the deliveries of each node.
    - `given`: the parameters that it has been configured with, as a header has them.
    - `commuting`: under ROUNDS, whether the receipts of one round commute, so that their order does not matter.
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
    anchor: Callable[[States], Any]
    anchor_faults: Callable[[Any], tuple[Fault, ...]]
    node_faults: Callable[[Any, str, Any], tuple[Fault, ...]]
    message_faults: Callable[[Any, str, Any], tuple[Fault, ...]]
    space: Callable[[Size], Domain]
    start: Callable[[int], Start]
    bound: Callable[[int], int]
    errata: tuple[Erratum, ...] = ()
    parameters: tuple[str, ...] = ()
    configured: Callable[[Mapping[str, Any]], "Protocol"] | None = None
    disturbances: Callable[[Size, tuple[str, ...]], Domain] | None = None
    without_effect: tuple[type, ...] = ()
    edges: Callable[[str, Any], tuple[Edge, ...]] = no_edges
    premise: Callable[[States, InFlight], tuple[Fault, ...]] = nothing_lacks
    assumption: Callable[[States, InFlight], tuple[Fault, ...]] = nothing_lacks
    commands_assumption: Callable[[States, InFlight], tuple[Fault, ...]] = nothing_lacks
    asleep: Callable[[Any], bool] = never_asleep
    share: Callable[[Any], Any] = whole
    projection: Callable[[Any], Any] = whole
    misnamed: Callable[[Mapping[str, str]], str | None] = any_names
    named: Callable[[Any], tuple[str, ...]] = names_no_nodes
    renamed: Callable[[Any, Mapping[str, str]], Any] | None = None
    quiet: tuple[type, ...] = ()
    quiet_if_idle: tuple[type, ...] = ()
    fired: Callable[[str, Any, Input], tuple[Cited, ...]] | None = None
    environment: Callable[[States, InFlight], tuple[Offer, ...]] = nothing_comes
    always: tuple[Always, ...] = ()
    observers: tuple[Observer, ...] = ()
    commuting: bool = True
    publishing: Mapping[str, Any] = {}
    given: Mapping[str, Any] = {}
    defined: str = ""


def configured(protocol: Protocol, parameters: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters of a trace's header. Raises ValueError for invalid parameters."""
    unknown = sorted(set(parameters) - set(protocol.parameters))
    if unknown:
        raise ValueError(f"{protocol.name} has no parameter {unknown[0]!r}{_instead(unknown[0], protocol.parameters)}")
    if not parameters or protocol.configured is None:
        return protocol
    return protocol.configured(parameters)


def variant(protocol: Protocol, name: str | None) -> Protocol:
    """The protocol with the printed rule of that name, or itself for None. Raises StopIteration for any other name."""
    return protocol if name is None else next(one.protocol for one in protocol.errata if one.name == name)


def _instead(name: str, known: tuple[str, ...]) -> str:
    """The parameters that there are, the nearest to an unknown one first; without a full stop."""
    # Imported here, because only a misspelt name needs it.
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    has = f"t has: {', '.join(known)}" if known else "t has none"
    return f"; did you mean {near[0]!r}? I{has}" if near else f"; i{has}"


def strangers(protocol: Protocol, value: Any, there: Set[str]) -> tuple[str, ...]:
    """The nodes named by a local state, message or command that are not in `there`; in order."""
    named = {*protocol.named(value)}
    return () if named <= there else tuple(sorted(named - there))


class Shares(Mapping[str, Any]):
    """The shares of all nodes, by name; each is computed only when it is read."""

    def __init__(self, share: Callable[[Any], Any], states: States) -> None:
        self._share = share
        self._states = states

    def __getitem__(self, name: str) -> Any:
        return self._share(self._states[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)


def anchor_of(protocol: Protocol, states: States) -> Any:
    """The authority of a system in those states."""
    return protocol.anchor(states if protocol.share is whole else Shares(protocol.share, states))


def sleepers(protocol: Protocol, states: States) -> frozenset[str]:
    """The nodes that are asleep."""
    if protocol.asleep is never_asleep:
        return frozenset()
    return frozenset(node for node, local in states.items() if protocol.asleep(local))


def legitimacy_faults(protocol: Protocol, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Every fault of a state of the whole system; none if it is legitimate.

    Messages in flight to a node that is asleep are no fault: they have no effect, and may never arrive.
    """
    anchor, asleep = anchor_of(protocol, states), sleepers(protocol, states)
    faults = list(protocol.anchor_faults(anchor))
    for name, local in sorted(states.items()):
        faults.extend(protocol.node_faults(anchor, name, local))
    for target, message in in_flight:
        if target not in asleep:
            faults.extend(protocol.message_faults(anchor, target, message))
    return tuple(faults)


def fired(protocol: Protocol, me: str, local: Any, taken: Input) -> tuple[Cited, ...]:
    """The rules of the paper that a step comprises. Raises KeyError for an input without a rule."""
    return (protocol.rule(local, taken),) if protocol.fired is None else protocol.fired(me, local, taken)


def has_assumption(protocol: Protocol) -> bool:
    """Whether a protocol states an operating assumption."""
    return protocol.assumption is not nothing_lacks or protocol.commands_assumption is not nothing_lacks


def assumption_faults(
    protocol: Protocol, states: States, in_flight: InFlight, commanded: bool = False
) -> tuple[Fault, ...]:
    """Faults of the operating assumption, at a start or, if `commanded`, after a command; none if it holds."""
    faults = protocol.assumption(states, in_flight)
    return faults or (protocol.commands_assumption(states, in_flight) if commanded else ())


def is_quiet(protocol: Protocol, command: Any, idle: bool) -> bool:
    """Whether a command neither ends legitimacy nor restarts the count of rounds.

    It is `idle` if it changes no state and sends nothing.
    """
    return isinstance(command, protocol.quiet) or (idle and isinstance(command, protocol.quiet_if_idle))


def premise_faults(protocol: Protocol, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Faults of the premise of convergence for a run from here; none if it holds."""
    return (*protocol.premise(states, in_flight), *connection_faults(protocol, states, in_flight))


def connection_faults(protocol: Protocol, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """A fault if the nodes that are awake are not weakly connected; none if the protocol states no edges."""
    if protocol.edges is no_edges:
        return ()
    awake = tuple(sorted(set(states) - sleepers(protocol, states)))
    apart = unreached(awake, (edge for value in (*states.items(), *in_flight) for edge in protocol.edges(*value)))
    expected = "every node that is awake, from any other"
    return (Fault("weakly_connected", apart[0], expected, apart, "the premise of convergence"),) if apart else ()
