"""Small rings for models: domains as wide or as narrow as needed, and right rings of every order of names."""

from functools import cache
from itertools import permutations
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union, enumerate_values, optional, several
from gomboc.spec.core.model import Fault
from gomboc.spec.core.pinned import Closure
from gomboc.spec.core.protocol import Protocol, Start, variant
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE, ring_of
from gomboc.spec.protocols.skip_ring.space import any_configuration, claims, names, to_subscribers, to_supervisor
from gomboc.spec.protocols.skip_ring.supervisor import Database


def first_labels(count: int) -> tuple[str, ...]:
    """The labels l(0) to l(count - 1)."""
    return tuple(label_of(index) for index in range(count))


def subscribers(label: Domain, slots: tuple[Domain, Domain, Domain], shortcuts: Domain) -> Domain:
    """Subscribers with a label and shortcuts from those domains, and left, right and ring from those in `slots`."""
    return Record(state.Subscriber, (label, *slots, shortcuts))


def supervisors(labels: tuple[str, ...], nodes: tuple[str, ...], nexts: int) -> Domain:
    """Supervisors with any tuples of those labels, empty ones too, and `next` below `nexts`."""
    database = Table(state.Entry, tuple(sorted(labels)), optional(OneOf(nodes)), len(labels))
    return Record(state.Supervisor, (database, OneOf(tuple(range(nexts)))))


def to_all_nodes(nodes: tuple[str, ...], about: tuple[str, ...], subscriber: Domain) -> Domain:
    """Every pair (target, message): to the supervisor, requests about `about`; to subscribers, `subscriber`."""
    to_members = several(OneOf(nodes), subscriber)
    return Union((several(OneOf((state.SUPERVISOR,)), to_supervisor(about)), to_members))


NOTHING: Domain = OneOf((None,))
NO_SHORTCUTS: Domain = OneOf(((),))


def alone(labels: tuple[str, ...], most_shortcuts: int) -> Domain:
    """Subscribers without neighbours, with a table of up to that many shortcuts without nodes."""
    shortcuts = Table(state.Entry, tuple(sorted(labels)), NOTHING, most_shortcuts)
    return subscribers(optional(OneOf(labels)), (NOTHING, NOTHING, NOTHING), shortcuts)


def hearsay(nodes: int, labels: tuple[str, ...]) -> Domain:
    """Every Linearize to one of the members of a ring, with those labels."""
    return several(OneOf(names(nodes)), Record(state.Linearize, (claims(labels, names(nodes)),)))


def anything(nodes: int, labels: tuple[str, ...], named: tuple[str, ...] | None = None) -> Domain:
    """Every message to every node of a ring, with those labels and the names `named` (default: its members)."""
    members = names(nodes)
    about = members if named is None else named
    return to_all_nodes(members, about, to_subscribers(labels, about, any_configuration(labels, about)))


STRANGER = "w1"
"""A node that is not a member of the ring, and does not want to be."""


def in_order(members: tuple[str, ...]) -> tuple[state.Entry, ...]:
    """The database that gives those members the labels l(0), l(1), ... in their order."""
    return tuple(sorted(state.Entry(label_of(index), node) for index, node in enumerate(members)))


def right_start(members: tuple[str, ...], turn: int, strangers: tuple[str, ...] = ()) -> Start:
    """The legitimate state of those members in that order, with nothing in flight, and `turn` as `next`."""
    right = ring_of(in_order(members)).nodes
    states: dict[str, Any] = {state.SUPERVISOR: state.Supervisor(database=in_order(members), next=turn)}
    states |= {node: right[node] for node in members} | dict.fromkeys(strangers, OUTSIDE)
    kinds = {name: PROTOCOL.vocabulary.fixed.get(name, PROTOCOL.vocabulary.member) for name in states}
    return Start(tuple(sorted(kinds.items())), tuple(sorted(states.items())))


def closure(most: int, printed: str | None = None) -> Closure:
    """Every legitimate state of 1 to `most` members, in any order of their names, beside a node that is no member."""

    def rights() -> tuple[Start, ...]:
        return tuple(
            right_start(order, turn, (STRANGER,))
            for nodes in range(1, most + 1)
            for order in permutations(names(nodes))
            for turn in range(nodes)
        )

    bounds = (
        f"n from 1 to {most}, beside one node that is no member; the labels l(0) to l(n); "
        "any number of messages in flight"
    )
    return Closure(variant(PROTOCOL, printed), rights, about_right, bounds)


def about_right(start: Start) -> tuple[tuple[str, Any], ...]:
    """Every message about the nodes of a right state.

    Of the configurations, the ones that it implies, and the empty one.

    Other configurations are faults by definition: `configuration_is_current`.
    """
    locals_ = dict(start.locals)
    nodes = tuple(sorted(node for node in locals_ if node != state.SUPERVISOR))
    said = (state.SetData(None, None, None), *ring_of(locals_[state.SUPERVISOR].database).configurations.values())
    return (*_messages_about(nodes), *((node, configuration) for node in nodes for configuration in said))


@cache
def _messages_about(nodes: tuple[str, ...]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        enumerate_values(to_all_nodes(nodes, nodes, to_subscribers(first_labels(len(nodes)), nodes, OneOf(()))))
    )


UNTOLD = "v1", state.Entry("01", None)
"""In SR(9), the node and the empty shortcut that no node fills under `printed_partners`."""


def untold(protocol: Protocol) -> Protocol:
    """`protocol` with another legitimacy: SR(9) without that shortcut and without messages that would fill it."""
    node, empty = UNTOLD

    def node_faults(database: Database, me: str, local: Any) -> tuple[Fault, ...]:
        if me != node:
            return protocol.legitimacy.node_faults(database, me, local)
        right = ring_of(database).nodes[me]
        without = tuple(empty if entry.label == empty.label else entry for entry in right.shortcuts)
        wrong = local != replace(right, shortcuts=without)
        return (Fault("shortcut_stays_empty", me, without, local, "Section 3.2.2"),) if wrong else ()

    def message_faults(database: Database, target: str, message: Any) -> tuple[Fault, ...]:
        fills = target == node and isinstance(message, state.IntroduceShortcut) and message.claim.label == empty.label
        fault = Fault("no_configuration_pending", target, None, message, "Algorithm 4, lines 12-14")
        return (fault,) if fills else protocol.legitimacy.message_faults(database, target, message)

    return protocol.changed(node_faults=node_faults, message_faults=message_faults)


def never_configured() -> Closure:
    """SR(9) except for one empty shortcut, under `printed_partners`: closure shows that it stays empty for ever."""
    node, empty = UNTOLD

    def rights() -> tuple[Start, ...]:
        starts = []
        for turn in range(9):
            start = right_start(names(9), turn)
            u = dict(start.locals)[node]
            shortcuts = tuple(empty if entry.label == empty.label else entry for entry in u.shortcuts)
            starts.append(replace(start, locals=_with(start.locals, node, replace(u, shortcuts=shortcuts))))
        return tuple(starts)

    says = "a run that is right but for one shortcut, of which nobody is being told, stays so and is never legitimate"
    bounds = "n = 9; the labels l(0) to l(8); any number of messages in flight"
    return Closure(untold(variant(PROTOCOL, "printed_partners")), rights, about_right, bounds, says)


def _with(locals_: tuple[tuple[str, Any], ...], node: str, local: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((name, local if name == node else old) for name, old in locals_)
