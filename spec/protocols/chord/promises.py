"""Zave's invariant and its consequences, each a separate promise; and the operating assumption behind it.

The invariant: every list has a live entry, and no list skips any of at least r + 1 members, the principals. A ring that
grows has fewer; as long as no node has crashed, one is enough to keep it a ring.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from gomboc.spec.core.model import Fault, InFlight, States
from gomboc.spec.core.promises import Always
from gomboc.spec.protocols.chord.lists import (
    Lists,
    Ring,
    doubted,
    examined,
    examined_stored,
    false_words,
    lists_of,
    name_a_crashed_node,
    stored_lists,
)
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.state import JoinReply, Node, StabilizeReply

INVARIANT = "Zave 2017, the inductive invariant"
CONSEQUENCE = "Zave 2017, what the invariant implies"

Conjunct = Callable[[Circle, Ring], Iterator[Fault]]
"""One consequence of the invariant: its faults in a ring of that circle."""


def assumption(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """No crash, and no false report of one, ends the invariant; and no member begins a second ring.

    Checked at the start and after each command, with messages in flight. With `meet` nothing is assumed.

    Source: Zave 2017, operating assumption; that lists in flight and false reports count is decided here
    """
    if parameters.meet:
        return ()
    lists, words = lists_of(parameters, states, in_flight), false_words(states, in_flight)
    assumed = _assumed(parameters, doubted(lists, words)) if lists.crashed or words else ()
    return (*_apart(states), *assumed)


def commands_assumption(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """The assumption on a state after a command, even if no node has crashed: suspicions may be false.

    A start without the invariant, in which no node has crashed, is not caused by a detector.

    Source: decided here
    """
    if parameters.meet:
        return ()
    return _assumed(parameters, doubted(lists_of(parameters, states, in_flight), false_words(states, in_flight)))


def _assumed(parameters: Parameters, lists: Lists) -> tuple[Fault, ...]:
    if not lists.stored:
        return ()
    ring = examined(parameters.circle, lists)
    return (*_invariant(parameters, lists.crashed, ring), *_lost(lists, ring))


def _lost(lists: Lists, ring: Ring) -> Iterator[Fault]:
    """At most one member has no successor, and no list skips it: else it is a second ring.

    While a ring grows that is its first member. A principal is in every ring.
    """
    without = tuple(dict.fromkeys(name for name, listed in (*lists.stored, *lists.coming) if not listed))
    for name in without[1:]:
        yield Fault("at_most_one_isolated_node", name, "a successor", (), "decided here")
    for name in without[:1]:
        if name not in ring.principals:
            yield Fault("isolated_nodes_are_skipped", name, "no list that skips it", ring.principals, "decided here")


def _apart(states: States) -> Iterator[Fault]:
    """Members that know no node, and that no other member lists."""
    members = {name: local for name, local in states.items() if local.status == "inside"}
    listed = {name for local in members.values() for name in local.successors}
    for name, local in members.items():
        knows = local.predecessor is not None or local.successors
        if len(members) > 1 and not knows and name not in listed:
            yield Fault("one_ring_is_begun", name, "known by another member", "alone", "Stoica et al. 2003, Figure 6")


def _invariant(parameters: Parameters, crashed: bool, ring: Ring) -> Iterator[Fault]:
    growing = _grows(parameters, crashed, ring)
    for name, listed in ring.without:
        if listed or not growing:
            yield Fault("every_list_has_a_live_entry", name, "a live entry", listed, INVARIANT)
    least = 1 if growing else parameters.r + 1
    if len(ring.principals) < least:
        yield Fault("enough_principals", "", f"at least {least} principals", ring.principals, INVARIANT)


def _grows(parameters: Parameters, crashed: bool, ring: Ring) -> bool:
    """Whether a ring still grows: no node has crashed, and principals are fewer than r + 1 or a member knows no node.

    A first member may know no node yet when others know each other already, and all are principals.
    """
    return not crashed and (len(ring.principals) <= parameters.r or any(not listed for _, listed in ring.without))


def invariant_faults(parameters: Parameters, states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    """Faults of a system by the invariant; none if there is no member. Source: Zave 2017."""
    lists = lists_of(parameters, states, in_flight)
    return tuple(_invariant(parameters, lists.crashed, examined(parameters.circle, lists))) if lists.stored else ()


def ordered_lists(_circle: Circle, ring: Ring) -> Iterator[Fault]:
    """Lists of a ring that has grown are in the order of the circle. Source: Zave 2017, OrderedSuccessorLists."""
    for name, listed in ring.disordered:
        yield Fault("ordered_lists", name, "the order of the circle", listed, CONSEQUENCE)


def principals_in_ring(_circle: Circle, ring: Ring) -> Iterator[Fault]:
    """Every principal is a member of a ring, once it has grown. Source: Zave 2017."""
    outside = sorted(set(ring.firm).difference(*ring.rings))
    yield from (Fault("principals_in_ring", name, "in a ring", ring.rings, CONSEQUENCE) for name in outside)


def at_least_one_ring(_circle: Circle, ring: Ring) -> Iterator[Fault]:
    """There is a ring. Source: Zave 2017, AtLeastOneRing."""
    if not ring.rings:
        yield Fault("at_least_one_ring", "", "a ring", (), CONSEQUENCE)


def at_most_one_ring(_circle: Circle, ring: Ring) -> Iterator[Fault]:
    """There are no two rings. Source: Zave 2017, AtMostOneRing."""
    if len(ring.rings) > 1:
        yield Fault("at_most_one_ring", "", "one ring", ring.rings, CONSEQUENCE)


def ordered_ring(circle: Circle, ring: Ring) -> Iterator[Fault]:
    """A ring goes around the circle once. Source: Zave 2017, OrderedRing."""
    for cycle in ring.rings:
        around = zip(cycle, (*cycle[1:], cycle[0]), strict=True)
        if sum(circle.distance(low, high) for low, high in around) != circle.size():
            yield Fault("ordered_ring", cycle[0], "once around the circle", cycle, CONSEQUENCE)


def connected_appendages(_circle: Circle, ring: Ring) -> Iterator[Fault]:
    """From every member, best successors lead to a ring. Source: Zave 2017, ConnectedAppendages."""
    yield from (Fault("connected_appendages", name, "a way to a ring", (), CONSEQUENCE) for name in ring.astray)


CONSEQUENCES: tuple[Conjunct, ...] = (
    ordered_lists,
    principals_in_ring,
    at_least_one_ring,
    at_most_one_ring,
    ordered_ring,
    connected_appendages,
)

LATE = ordered_lists, principals_in_ring
"""Promises that a growing ring may break: a new member is an appendage at first, and lists skip it."""


def always(parameters: Parameters) -> tuple[Always, ...]:
    """The promises over every state: none with `meet`, where a run may begin with any lists. Source: Zave 2017."""
    if parameters.meet:
        return ()
    invariant = Always("invariant", INVARIANT, partial(invariant_faults, parameters), projection_of_lists)
    implied = (
        Always(conjunct.__name__, CONSEQUENCE, partial(_implied, parameters, conjunct), projection_of_stored_lists)
        for conjunct in CONSEQUENCES
    )
    return (invariant, *implied)


def projection_of_stored_lists(value: Any) -> tuple[Any, ...] | None:
    """The part that the consequences read: the lists of members, and which nodes have crashed."""
    return (value.status, value.successors) if isinstance(value, Node) else None


def projection_of_lists(value: Any) -> tuple[Any, ...] | None:
    """The part that the invariant reads: also the lists in flight, and the nodes that wait for one."""
    match value:
        case Node(status, _, successors):
            return status, successors, value.contact is not None
        case StabilizeReply(sender, _, successors) | JoinReply(sender, successors):
            return type(value).__name__, sender, successors
    return None


def _implied(parameters: Parameters, conjunct: Conjunct, states: States, _in_flight: InFlight) -> tuple[Fault, ...]:
    stored = stored_lists(states)
    ring = examined_stored(parameters.circle, stored)
    early = conjunct in LATE and _grows(parameters, name_a_crashed_node(states, stored), ring)
    return tuple(conjunct(parameters.circle, ring)) if stored and not early else ()
