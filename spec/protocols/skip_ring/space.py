"""Starts of the skip ring: a right ring, or any value of every variable and channel, also with publications."""

from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, optional, pair, several, subset
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import every_start
from gomboc.spec.protocols.skip_ring import state
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import ring_of
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.holdings import any_publication, false_hashes, prefixes, stores, summaries, universe
from gomboc.spec.publishing.publications import Parameters, Publication
from gomboc.spec.publishing.trie import Summary

FLAGS = OneOf((state.LIST, state.CYCLE))


def names(nodes: int) -> tuple[str, ...]:
    """The names of the subscribers of a ring of that size."""
    return tuple(f"v{number}" for number in range(1, nodes + 1))


def nameable(members: tuple[str, ...]) -> tuple[str, ...]:
    """Every name that a corrupted variable or message may hold: those of the subscribers, and the supervisor's."""
    return (state.SUPERVISOR, *members)


def roles(nodes: int) -> tuple[tuple[str, str], ...]:
    """Every node's name and role."""
    return ((state.SUPERVISOR, "supervisor"), *((name, "subscriber") for name in names(nodes)))


def labels(nodes: int) -> tuple[str, ...]:
    """The labels that may occur: those of a ring of that size, and as many again, of which some are longer."""
    return tuple(label_of(index) for index in range(2 * nodes + 2))


def space(size: Size) -> Domain:
    """Every start of that many subscribers, with at most that many messages in flight.

    Arbitrary are: each label, neighbour, ring edge and table of up to three shortcuts; the database with empty,
    duplicate, missing and extra tuples; `next`; any message of any kind in any channel. The supervisor may be named
    wherever a subscriber is. Not corruptible are the names of the nodes (no other node is named) and the applications'
    wishes (all want to belong). No node publishes.

    Source: Section 1.1 (system state, corrupted messages); Section 3.1
    """
    members = names(size.nodes)
    known = labels(size.nodes)
    subscriber = Record(state.Subscriber, subscriber_variables(known, members))
    channel = several(OneOf(nameable(members)), ring_messages(known, members))
    states = (supervisors(known, members), *(subscriber for _ in members))
    return every_start(roles(size.nodes), states, Bag(channel, size.messages))


def supervisors(known: tuple[str, ...], members: tuple[str, ...]) -> Domain:
    """The supervisor with any database and any `next`."""
    entries = Table(state.Entry, tuple(sorted(known)), optional(OneOf(nameable(members))), len(members) + 2)
    return Record(state.Supervisor, (entries, OneOf(tuple(range(len(members) + 2)))))


def subscriber_variables(known: tuple[str, ...], members: tuple[str, ...]) -> tuple[Domain, ...]:
    """A subscriber's label, left, right, ring, and shortcuts."""
    claim = optional(claims(known, nameable(members)))
    shortcuts = Table(state.Entry, tuple(sorted(known)), optional(OneOf(nameable(members))), 3)
    return optional(OneOf(known)), claim, claim, claim, shortcuts


def ring_messages(known: tuple[str, ...], members: tuple[str, ...]) -> Union:
    """Every message of the ring itself."""
    named = nameable(members)
    subscribers = to_subscribers(known, named, any_configuration(known, named))
    return Union((*to_supervisor(named).domains, *subscribers.domains))


def to_supervisor(nodes: tuple[str, ...]) -> Union:
    """Every message to the supervisor about those nodes."""
    node = OneOf(nodes)
    return Union(tuple(Record(kind, (node,)) for kind in (state.Subscribe, state.Unsubscribe, state.GetConfiguration)))


def any_configuration(labels: tuple[str, ...], nodes: tuple[str, ...]) -> Domain:
    """Every configuration with those labels and nodes."""
    claim = optional(claims(labels, nodes))
    return Record(state.SetData, (claim, optional(OneOf(labels)), claim))


def to_subscribers(labels: tuple[str, ...], nodes: tuple[str, ...], configurations: Domain) -> Union:
    """Every message to a subscriber about those labels and nodes; configurations are in a domain of their own."""
    label, node, claim = OneOf(labels), OneOf(nodes), claims(labels, nodes)
    return Union(
        (
            configurations,
            Record(state.Check, (claim, label, FLAGS)),
            Record(state.Introduce, (claim, FLAGS)),
            Record(state.Present, (claim, FLAGS)),
            Record(state.Probe, (node, FLAGS)),
            Record(state.Linearize, (claim,)),
            Record(state.RemoveConnections, (node,)),
            Record(state.IntroduceShortcut, (claim,)),
        )
    )


def claims(labels: tuple[str, ...], nodes: tuple[str, ...]) -> Domain:
    """Every claim that one of those nodes has one of those labels."""
    return pair(state.Claim, OneOf(labels), OneOf(nodes))


def start(nodes: int) -> Start:
    """SR(nodes), legitimate, with nothing in flight: node v1 has the label l(0), v2 the label l(1), and so on.

    Source: Definition 2
    """
    database = tuple(sorted(state.Entry(label_of(index), name) for index, name in enumerate(names(nodes))))
    right = ring_of(database).nodes
    members = ((name, right[name]) for name in names(nodes))
    return Start(roles(nodes), ((state.SUPERVISOR, state.Supervisor(database)), *members))


def bound(nodes: int) -> int:
    """The number of rounds after which a run that is not legitimate is called divergent.

    The paper gives no bound. Of 1,000 disturbed runs with n from 1 to 24, the slowest needed 25 rounds; this is many
    times as many.
    """
    return 100 + 20 * nodes


def space_with_publications(size: Size, parameters: Parameters) -> Domain:
    """Every start of that many subscribers, messages in flight, and distinct valid publications at most.

    Arbitrary are, in addition to `space`: the publications stored at each node, their keys and their signers, even the
    supervisor; false hashes; messages about publications; and the applications, up to a fourth of them, that want to
    leave.

    Source: Section 1.1; Theorem 17, "stored at arbitrary subscribers"
    """
    members, known = names(size.nodes), labels(size.nodes)
    valid = universe(members, size.publications, parameters)
    if not valid:
        return space(size)
    in_ring = Record(state.Subscriber, subscriber_variables(known, members))
    subscriber = Record(_subscriber, (in_ring, stores(valid, members, (state.SUPERVISOR,)), false_hashes(valid)))
    messages = Union((*ring_messages(known, members).domains, *_messages(valid, members, parameters).domains))
    channel = several(OneOf(nameable(members)), messages)
    states = several(supervisors(known, members), *(subscriber for _ in members))
    leavers = subset(members, max(1, size.nodes // 4))
    return Record(_started, (states, leavers, Bag(channel, size.messages)))


def _subscriber(
    ring: state.Subscriber, publications: tuple[Publication, ...], hashes: tuple[Summary, ...]
) -> state.Subscriber:
    return replace(ring, publications=publications, hashes=hashes)


def _started(
    states: tuple[state.Supervisor | state.Subscriber, ...],
    leavers: tuple[str, ...],
    in_flight: tuple[tuple[str, object], ...],
) -> Start:
    nodes = roles(len(states) - 1)
    locals_ = (
        (name, replace(local, wants=False) if name in leavers else local)
        for (name, _), local in zip(nodes, states, strict=True)
    )
    return Start(nodes, tuple(locals_), in_flight)


def _messages(valid: tuple[Publication, ...], members: tuple[str, ...], parameters: Parameters) -> Union:
    """Every message about publications, of two tuples or publications at most."""
    node, tuples = OneOf(nameable(members)), summaries(valid)
    publication = any_publication(valid, members, (state.SUPERVISOR,))
    return Union(
        (
            Record(CheckTrie, (node, tuples)),
            Record(CheckAndPublish, (node, tuples, OneOf(prefixes(valid)))),
            Record(Publish, (Bag(publication, min(2, parameters.chunk)),)),
            Record(state.PublishNew, (node, publication)),
        )
    )
