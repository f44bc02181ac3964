"""Domains of small rings: labels, local states and messages, as wide or as narrow as a model needs them.

A claim that a node stores about itself or the supervisor is left out, since every step begins by forgetting it.
Messages go to the role that has a rule for them; the other one consumes them without effect.
"""

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union, optional, pair
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import (
    addressed,
    any_configuration,
    claims,
    names,
    to_subscribers,
    to_supervisor,
)
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Entry, Linearize, Subscriber, Supervisor


def first_labels(count: int) -> tuple[str, ...]:
    """The labels l(0) to l(count - 1)."""
    return tuple(label_of(index) for index in range(count))


def subscribers(label: Domain, slots: tuple[Domain, Domain, Domain], shortcuts: Domain) -> Domain:
    """Subscribers with a label and shortcuts from those domains, and left, right and ring from those in `slots`."""
    return Record(Subscriber, (label, *slots, shortcuts))


def supervisors(labels: tuple[str, ...], nodes: tuple[str, ...], nexts: int) -> Domain:
    """Supervisors with any tuples of those labels, empty ones too, and `next` below `nexts`."""
    database = Table(Entry, tuple(sorted(labels)), optional(OneOf(nodes)), len(labels))
    return Record(Supervisor, (database, OneOf(tuple(range(nexts)))))


def to_all_nodes(nodes: tuple[str, ...], about: tuple[str, ...], subscriber: Domain) -> Domain:
    """Every pair (target, message): to the supervisor, requests about `about`; to subscribers, `subscriber`."""
    to_members = pair(addressed, OneOf(nodes), subscriber)
    return Union((pair(addressed, OneOf((SUPERVISOR,)), to_supervisor(about)), to_members))


NOTHING: Domain = OneOf((None,))
NO_SHORTCUTS: Domain = OneOf(((),))


def alone(labels: tuple[str, ...], most_shortcuts: int) -> Domain:
    """Subscribers without neighbours, with a table of up to that many shortcuts without nodes."""
    shortcuts = Table(Entry, tuple(sorted(labels)), NOTHING, most_shortcuts)
    return subscribers(optional(OneOf(labels)), (NOTHING, NOTHING, NOTHING), shortcuts)


def hearsay(nodes: int, labels: tuple[str, ...]) -> Domain:
    """Every Linearize to one of the members of a ring, with those labels."""
    return pair(addressed, OneOf(names(nodes)), Record(Linearize, (claims(labels, names(nodes)),)))


def anything(nodes: int, labels: tuple[str, ...], named: tuple[str, ...] | None = None) -> Domain:
    """Every message to every node of a ring, with those labels and the names `named` (default: its members)."""
    members = names(nodes)
    about = members if named is None else named
    return to_all_nodes(members, about, to_subscribers(labels, about, any_configuration(labels, about)))
