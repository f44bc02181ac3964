"""The definition of a protocol: frozen records of functions and values that all machinery works on."""

from collections.abc import Callable, Mapping, Set
from enum import Enum
from typing import Any

import msgspec

from gomboc.spec.core.connection import Edge, no_edges
from gomboc.spec.core.domain import Domain
from gomboc.spec.core.model import CERTAIN, Choice, Fault, InFlight, Input, Offer, Outcome, States, nothing_comes
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


def certain(me: str, local: Any, taken: Input) -> tuple[Choice, ...]:
    """The one result of a step without coins: for a protocol that tosses none."""
    del me, local, taken
    return CERTAIN


def no_faults(value: Any) -> tuple[Fault, ...]:
    """No faults: for a protocol in which no value, or no anchor, can be at fault."""
    del value
    return ()


def nothing_lacks(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """No faults: for a protocol without a premise or assumption."""
    del states, in_flight
    return ()


def nothing_misreported(states: States, node: str, command: Any) -> tuple[Fault, ...]:
    """No faults: for a protocol in which no command says anything that may be false."""
    del states, node, command
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


Speaker = Callable[[str, str, str, Any], bool]
"""`speaker(sender, role, receiver, message)`: whether a node with this role may send that message to the receiver."""


class Vocabulary(msgspec.Struct, frozen=True):
    """The types of the values of a protocol, and the roles of its nodes."""

    roles: Mapping[str, type]
    """The type of the local state for each role."""
    member: str
    """The role of the nodes that are counted as n."""
    message: Any
    """The type of the messages that nodes take."""
    command: Any = None
    """The type of the commands that nodes take; None if there are none."""
    fixed: Mapping[str, str] = {}
    """The nodes that every system has, name to role."""
    speakers: Mapping[type, Speaker] = {}
    """Who may send each kind of message. Any node may send one that is not among them."""


class Actor(msgspec.Struct, frozen=True):
    """The steps of a node."""

    react: Callable[[str, Any, Input, Choice], Outcome]
    """`react(me, local, input, choice)`: the outcome of a step; ValueError if there is no rule for the input."""
    rule: Callable[[Any, Input], Cited]
    """`rule(local, input)`: the rule's name and source; KeyError if there is none."""
    choices: Callable[[str, Any, Input], tuple[Choice, ...]] = certain
    """`choices(me, local, input)`: the possible results of its coins; ValueError if there is no rule for the input."""
    fired: Callable[[str, Any, Input], tuple[Cited, ...]] | None = None
    """`fired(me, local, input)`: the rules of the paper that one step comprises; None: the rule that `rule` names."""
    commuting: bool = True
    """Under ROUNDS, whether the receipts of one round commute, so that their order does not matter."""


class Legitimacy(msgspec.Struct, frozen=True):
    """The legitimate states: those in which neither the anchor, nor a node, nor a message in flight has a fault."""

    anchor: Callable[[States], Any]
    """`anchor(shares)`: the authority that legitimacy is stated against, from the share of each node, by name."""
    node_faults: Callable[[Any, str, Any], tuple[Fault, ...]]
    """`node_faults(anchor, me, local)`: the faults of a node."""
    message_faults: Callable[[Any, str, Any], tuple[Fault, ...]]
    """`message_faults(anchor, target, message)`: the faults of a message in flight."""
    anchor_faults: Callable[[Any], tuple[Fault, ...]] = no_faults
    """`anchor_faults(anchor)`: the faults of the anchor."""
    share: Callable[[Any], Any] = whole
    """`share(local)`: the part of a node's state that the anchor may see, hashable."""
    defined: str = ""
    """The section of the paper that defines closure and convergence."""


class Starts(msgspec.Struct, frozen=True):
    """The initial states, and how long a run from one of them may take."""

    space: Callable[[Size], Domain]
    """`space(size)`: the domain of arbitrary starts."""
    start: Callable[[int], Start]
    """`start(nodes)`: a legitimate one."""
    bound: Callable[[int], int]
    """`bound(nodes)`: the number of rounds after which a run that has not become legitimate is called divergent."""


class Environment(msgspec.Struct, frozen=True):
    """What comes from outside, and its effect."""

    offers: Callable[[States, InFlight], tuple[Offer, ...]] = nothing_comes
    """`offers(states, in_flight)`: the commands that may come from outside now."""
    disturbances: Callable[[Size, tuple[str, ...]], Domain] | None = None
    """`disturbances(size, names)`: the domain of disturbances of a run of those nodes from outside: tuples of timed
    commands, in order. `names` are all nodes in the roles, in order.
    """
    asleep: Callable[[Any], bool] = never_asleep
    """`asleep(local)`: whether a node does not participate, since it has crashed or is outside. Rounds wait neither for
    it nor for messages to it, its timeouts are no steps, and under FIFO its links end.
    """
    quiet: tuple[type, ...] = ()
    """The types of commands that neither end legitimacy nor restart the count of rounds."""
    quiet_if_idle: tuple[type, ...] = ()
    """The types of commands that are quiet where they change no state and send no message."""
    without_effect: tuple[type, ...] = ()
    """The types of messages and commands that, by the parameters, have no effect, or occur only where the assumption is
    broken or a node is outside at first; no run need have them.
    """

    def is_quiet(self, command: Any, idle: bool) -> bool:
        """Whether a command neither ends legitimacy nor restarts the count of rounds.

        It is `idle` if it changes no state and sends nothing.
        """
        return isinstance(command, self.quiet) or (idle and isinstance(command, self.quiet_if_idle))


class Promises(msgspec.Struct, frozen=True):
    """The conditions of convergence, and what holds besides closure and convergence."""

    premise: Callable[[States, InFlight], tuple[Fault, ...]] = nothing_lacks
    """`premise(states, in_flight)`: the faults of the premise of convergence. If a run lacks the premise, at its start
    or after a command, and has not been legitimate since, its convergence is unknown, not violated.
    """
    edges: Callable[[str, Any], tuple[Edge, ...]] = no_edges
    """`edges(node, value)`: the node references in the local state of a node or in a message to it. If it is stated,
    weak connectivity of the nodes that are awake is part of the premise.
    """
    assumption: Callable[[States, InFlight], tuple[Fault, ...]] = nothing_lacks
    """`assumption(states, in_flight)`: the faults of the operating assumption, checked at the start and after every
    command. Once it is broken, only conformance is judged.
    """
    commands_assumption: Callable[[States, InFlight], tuple[Fault, ...]] = nothing_lacks
    """A further assumption on a state after a command, but not on a start."""
    misreports: Callable[[States, str, Any], tuple[Fault, ...]] = nothing_misreported
    """`misreports(states, node, command)`: the faults of what a command is about to tell a node in those states, such
    as a false suspicion. They are part of the operating assumption, and the environment offers no such command.
    """
    projection: Callable[[Any], Any] = whole
    """`projection(value)`: the part of a local state or message that `premise`, assumptions, `offers` and `always`
    read, hashable: their results are the same for states of equal projections. A message of which they read no part
    has the projection None.
    """
    always: tuple[Always, ...] = ()
    """Promises over every state of a run."""
    observers: tuple[Observer, ...] = ()
    """Promises over the deliveries of each node."""


class Naming(msgspec.Struct, frozen=True):
    """The names of nodes, and the values that are no values of the protocol. `Derived` derives most of it."""

    malformed: Callable[[Any], tuple[Fault, ...]] = no_faults
    """`malformed(value)`: the parts of a local state or message that its type should forbid."""
    named: Callable[[Any], tuple[str, ...]] = names_no_nodes
    """`named(value)`: the nodes that a local state, message or command names. In a trace they are among the roles: a
    value that names another node is as wrong as a malformed one.
    """
    renamed: Callable[[Any, Mapping[str, str]], Any] | None = None
    """`renamed(value, renaming)`: a local state, message or command with other names of nodes, in canonical form.
    Without it no nodes of an instance can be alike.
    """
    misnamed: Callable[[Mapping[str, str]], str | None] = any_names
    """`misnamed(roles)`: a sentence if nodes of these names, name to role, cannot form a system."""


class Variants(msgspec.Struct, frozen=True):
    """The parameters of a protocol, and its rules as printed."""

    parameters: tuple[str, ...] = ()
    """The names of the parameters that a trace's header may set."""
    configured: Callable[[Mapping[str, Any]], "Protocol"] | None = None
    """`configured(parameters)`: the protocol with those parameters; ValueError, in a sentence, if they are invalid."""
    given: Mapping[str, Any] = {}
    """The parameters that it has been configured with, as a header has them."""
    publishing: Mapping[str, Any] = {}
    """The default parameters of a system that publishes."""
    errata: tuple[Erratum, ...] = ()
    """The variants as printed."""


class Protocol(msgspec.Struct, frozen=True):
    """A protocol of actors that take one step at a time."""

    name: str
    discipline: Discipline
    """The guarantees of its channels."""
    vocabulary: Vocabulary
    actor: Actor
    legitimacy: Legitimacy
    starts: Starts
    environment: Environment = Environment()
    promises: Promises = Promises()
    naming: Naming = Naming()
    variants: Variants = Variants()

    def changed(self, **fields: Any) -> "Protocol":
        """The protocol with those fields of its records, such as `react` or `errata`, instead of its own."""
        changes: dict[str, dict[str, Any]] = {}
        for field, value in fields.items():
            if field not in RECORD_OF:
                raise TypeError(f"a protocol has no field {field!r}")
            changes.setdefault(RECORD_OF[field], {})[field] = value
        own = changes.pop("", {})
        parts = {record: msgspec.structs.replace(getattr(self, record), **part) for record, part in changes.items()}
        return msgspec.structs.replace(self, **own, **parts)


RECORDS: Mapping[str, type[msgspec.Struct]] = {
    "vocabulary": Vocabulary,
    "actor": Actor,
    "legitimacy": Legitimacy,
    "starts": Starts,
    "environment": Environment,
    "promises": Promises,
    "naming": Naming,
    "variants": Variants,
}
"""The records of a protocol, by field."""

RECORD_OF: Mapping[str, str] = {
    "name": "",
    "discipline": "",
    **{field: record for record, kind in RECORDS.items() for field in kind.__struct_fields__},
}
"""The record in which each field of a protocol is; no two records have fields of one name."""


def configured(protocol: Protocol, parameters: Mapping[str, Any]) -> Protocol:
    """The protocol with the parameters of a trace's header. Raises ValueError for invalid parameters."""
    variants = protocol.variants
    unknown = sorted(set(parameters) - set(variants.parameters))
    if unknown:
        raise ValueError(f"{protocol.name} has no parameter {unknown[0]!r}{_instead(unknown[0], variants.parameters)}")
    return protocol if not parameters or variants.configured is None else variants.configured(parameters)


def variant(protocol: Protocol, name: str | None) -> Protocol:
    """The protocol with the printed rule of that name, or itself for None. Raises StopIteration for any other name."""
    return protocol if name is None else next(one.protocol for one in protocol.variants.errata if one.name == name)


def _instead(name: str, known: tuple[str, ...]) -> str:
    """The parameters that there are, the nearest to an unknown one first; without a full stop."""
    # Imported here, because only a misspelt name needs it.
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    has = f"t has: {', '.join(known)}" if known else "t has none"
    return f"; did you mean {near[0]!r}? I{has}" if near else f"; i{has}"


def strangers(protocol: Protocol, value: Any, there: Set[str]) -> tuple[str, ...]:
    """The nodes named by a local state, message or command that are not in `there`; in order."""
    named = {*protocol.naming.named(value)}
    return () if named <= there else tuple(sorted(named - there))


def fired(protocol: Protocol, me: str, local: Any, taken: Input) -> tuple[Cited, ...]:
    """The rules of the paper that a step comprises. Raises KeyError for an input without a rule."""
    actor = protocol.actor
    return (actor.rule(local, taken),) if actor.fired is None else actor.fired(me, local, taken)
