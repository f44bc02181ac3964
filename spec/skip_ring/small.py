"""Domains of small rings: their labels, local states and messages, each as wide or as narrow as a model needs it.

A claim that a node stores about itself is left out, since every step begins by forgetting it. Messages go to the
role that has a rule for them; the other one consumes them without effect.
"""

from spec.domain import Domain, OneOf, Record, Table, Union, optional, pair
from spec.skip_ring.labels import label_of
from spec.skip_ring.space import names
from spec.skip_ring.state import (
    CYCLE,
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    Probe,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)

FLAGS = OneOf((LIST, CYCLE))


def first_labels(count: int) -> tuple[str, ...]:
    """The labels l(0) to l(count - 1)."""
    return tuple(label_of(index) for index in range(count))


def claims(labels: tuple[str, ...], nodes: tuple[str, ...]) -> Domain:
    """Every claim that one of those nodes has one of those labels."""
    return pair(Claim, OneOf(labels), OneOf(nodes))


def subscribers(label: Domain, slots: tuple[Domain, Domain, Domain], shortcuts: Domain) -> Domain:
    """Subscribers with a label and shortcuts out of those domains, and left, right and ring out of those of `slots`."""
    return Record(_subscriber, (label, *slots, shortcuts))


def _subscriber(
    label: str | None, left: Claim | None, right: Claim | None, ring: Claim | None, shortcuts: tuple[Entry, ...]
) -> Subscriber:
    return Subscriber(label=label, left=left, right=right, ring=ring, shortcuts=shortcuts)


def supervisors(labels: tuple[str, ...], nodes: tuple[str, ...], nexts: int) -> Domain:
    """Supervisors with any tuples of those labels, empty ones too, and `next` below `nexts`."""
    database = Table(Entry, tuple(sorted(labels)), optional(OneOf(nodes)), len(labels))
    return Record(_supervisor, (database, OneOf(tuple(range(nexts)))))


def _supervisor(database: tuple[Entry, ...], turn: int) -> Supervisor:
    return Supervisor(database=database, next=turn)


def to_subscribers(labels: tuple[str, ...], nodes: tuple[str, ...], configurations: Domain) -> Domain:
    """Every message to a subscriber about those labels and nodes; configurations out of a domain of their own."""
    label, node, claim = OneOf(labels), OneOf(nodes), claims(labels, nodes)
    return Union(
        (
            configurations,
            Record(Check, (claim, label, FLAGS)),
            Record(Introduce, (claim, FLAGS)),
            Record(Present, (claim, FLAGS)),
            Record(Probe, (node, FLAGS)),
            Record(Linearize, (claim,)),
            Record(RemoveConnections, (node,)),
            Record(IntroduceShortcut, (claim,)),
        )
    )


def to_supervisor(nodes: tuple[str, ...]) -> Domain:
    """Every message to the supervisor about those nodes."""
    node = OneOf(nodes)
    return Union(tuple(Record(kind, (node,)) for kind in (Subscribe, Unsubscribe, GetConfiguration)))


def any_configuration(labels: tuple[str, ...], nodes: tuple[str, ...]) -> Domain:
    """Every configuration with those labels and nodes."""
    claim = optional(claims(labels, nodes))
    return Record(SetData, (claim, optional(OneOf(labels)), claim))


def addressed(nodes: tuple[str, ...], subscriber: Domain) -> Domain:
    """Every pair of a target and a message to it, with those messages to every subscriber."""
    to_members = pair(_addressed, OneOf(nodes), subscriber)
    return Union((pair(_addressed, OneOf((SUPERVISOR,)), to_supervisor(nodes)), to_members))


def _addressed(target: str, message: object) -> tuple[str, object]:
    return target, message


NOTHING: Domain = OneOf((None,))
NO_SHORTCUTS: Domain = OneOf(((),))


def alone(labels: tuple[str, ...], most_shortcuts: int) -> Domain:
    """Subscribers that know nobody, with a table of up to that many shortcuts that name nobody."""
    shortcuts = Table(Entry, tuple(sorted(labels)), NOTHING, most_shortcuts)
    return subscribers(optional(OneOf(labels)), (NOTHING, NOTHING, NOTHING), shortcuts)


def hearsay(nodes: int, labels: tuple[str, ...]) -> Domain:
    """Every Linearize to one of the members of a ring, with those labels."""
    return pair(_addressed, OneOf(names(nodes)), Record(Linearize, (claims(labels, names(nodes)),)))


def anything(nodes: int, labels: tuple[str, ...]) -> Domain:
    """Every message to every node of a ring, with those labels."""
    members = names(nodes)
    return addressed(members, to_subscribers(labels, members, any_configuration(labels, members)))
