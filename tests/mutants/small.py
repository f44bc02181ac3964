"""Legitimate states of small systems, and the messages that may be in flight: closure by exploration, protocol by
protocol.

One node has any state that is at no fault, of those that differ from its right state in one variable; the others have
their right states. A message is any well-formed one about these nodes that is at no fault. With a rule or a conjunct
changed, these are others: they are found anew.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations, permutations
from typing import Any

from msgspec.structs import replace

from gomboc.checker.evidence.skip_ring.encodings.published import FORGED, PROTOCOL, PUBLISHED, ROOTS, SETS
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import InFlight, Offer, States
from gomboc.spec.core.pinned import Closure
from gomboc.spec.core.protocol import Protocol, Start
from gomboc.spec.protocols.chord import chord_with
from gomboc.spec.protocols.chord import legitimacy as of_chord
from gomboc.spec.protocols.chord.models import small
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.space import any_message, keys_of
from gomboc.spec.protocols.chord.state import Dead, JoinReply, Lookup, Node, Outside, Peers, Unwatch, Watch
from gomboc.spec.protocols.skip_plus import PROTOCOL as SKIP_PLUS
from gomboc.spec.protocols.skip_plus import models as of_skip_plus
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED, ranges
from gomboc.spec.protocols.skip_plus.state import Gone, NeighbourRanges, Update, ascending
from gomboc.spec.protocols.skip_ring import PROTOCOL as SKIP_RING
from gomboc.spec.protocols.skip_ring.small import STRANGER, first_labels, right_start, to_all_nodes
from gomboc.spec.protocols.skip_ring.space import any_configuration, claims, names, to_subscribers
from gomboc.spec.protocols.skip_ring.state import SUPERVISOR, Entry, PublishNew, Subscriber
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish
from gomboc.spec.publishing.trie import EMPTY_HASH, Summary

Variables = Mapping[str, Iterable[Any]]
"""Values of the variables of a node, by name."""

Messages = tuple[tuple[str, Any], ...]


def around(protocol: Protocol, start: Start, variables: Callable[[str, Any], Variables]) -> Iterator[Start]:
    """The starts without a fault that differ from a right one in one variable of one node."""
    states = dict(start.locals)
    for node, local in start.locals:
        others = (
            replace(local, **{name: value}) for name, values in variables(node, local).items() for value in values
        )
        for other in dict.fromkeys((local, *others)):
            if not protocol.naming.malformed(other) and not legitimacy_faults(protocol, {**states, node: other}, ()):
                yield replace(start, locals=tuple({**states, node: other}.items()))


def closure(
    protocol: Protocol,
    starts: Iterable[Start],
    variables: Callable[[str, Any], Variables],
    about: Callable[[Start], Messages],
) -> Closure:
    """Closure of those right states and all around them."""
    right = tuple(starts)

    def well_formed(start: Start) -> Messages:
        return tuple(pair for pair in about(start) if not protocol.naming.malformed(pair[1]))

    def rights() -> tuple[Start, ...]:
        return tuple(start for one in right for start in around(protocol, one, variables))

    return Closure(protocol, rights, well_formed, "one node has any state without a fault")


# Chord.

RINGS = tuple((0, *others) for count in range(4) for others in combinations(range(1, 8), count))
"""Members of a ring on a circle of eight places: one to four, the first at place 0."""


def chord(r: int, meet: bool = False, fingers: bool = False) -> Closure:
    """Ideal rings of one to four members, beside a node outside; r, `meet` and `fingers` are parameters."""
    parameters = replace(small(3, r, meet), fingers=fingers)
    protocol = chord_with(Rules(parameters)).changed(offers=_quiet)
    starts = (_ideal(parameters, places) for places in RINGS)
    return closure(protocol, starts, partial(_of_member, parameters), partial(_of_ring, parameters))


def _ideal(parameters: Parameters, places: tuple[int, ...]) -> Start:
    members = of_chord.anchor(parameters, {f"n{place}": True for place in places})
    states = {name: of_chord.right_state(parameters, members, name) for name in members}
    states[f"n{next(place for place in range(1, 8) if place not in places)}"] = Node()
    return Start(tuple((name, "node") for name in sorted(states)), tuple(sorted(states.items())))


def _of_member(parameters: Parameters, me: str, local: Any) -> Variables:
    others = tuple(f"n{place}" for place in range(8) if f"n{place}" != me)
    lists = [listed for length in range(parameters.r + 1) for listed in permutations(others, length)]
    fingers = [((finger, name),) for finger in range(parameters.bits) for name in others] if parameters.fingers else []
    return {
        "predecessor": (None, *others),
        "successors": lists,
        "fingers": ((), *fingers),
        "next": range(parameters.bits) if parameters.fingers else (0,),
        "contact": (None, *others),
        "peers": ((), *((name,) for name in others)) if parameters.meet else ((),),
        "watched": ((), (keys_of(parameters)[3],)),
        "status": ("outside", "inside", "crashed") if local == Node() else (),
    }


def _of_ring(parameters: Parameters, start: Start) -> Messages:
    members = tuple(name for name, local in start.locals if local.status == "inside")
    others = tuple(name for name, _ in start.locals if name not in members)
    known = (*members, *others)
    reports = ((target, kind(node)) for target in known for kind in (Dead, Outside) for node in known)
    empty = ((target, JoinReply(node, ())) for target in known for node in known)
    any_of = enumerate_values(any_message(parameters, members, others, others))
    return tuple(dict.fromkeys((*any_of, *reports, *empty)))


def _quiet(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """Every quiet command, about one key and one peer."""
    del in_flight
    commands = (Peers((next(iter(states)),)), Lookup("3"), Watch("3"), Unwatch("3"))
    return tuple(Offer(node, command, "") for node in states for command in commands)


# The skip ring.


def skip_ring(most: int = 4) -> Closure:
    """Right rings of none to `most` members, beside a node that is none."""
    orders = ((*order,) for count in range(most + 1) for order in (names(count), (*reversed(names(count)),)))
    starts = (
        right_start(order, turn, (STRANGER,)) for order in dict.fromkeys(orders) for turn in range(max(1, len(order)))
    )
    return closure(SKIP_RING, starts, _of_subscriber, _about_ring)


def _known(start: Start) -> tuple[str, ...]:
    return tuple(node for node, _ in start.locals)


def _of_subscriber(me: str, local: Any) -> Variables:
    del me
    if not isinstance(local, Subscriber):
        return {"suspects": ((), ("v1",), (STRANGER,)), "next": range(len(local.database) + 2)}
    labels, nodes = first_labels(4), (SUPERVISOR, *names(3), STRANGER)
    slot = (None, *enumerate_values(claims(labels, nodes)))
    entries = (Entry(label, node) for label in labels for node in (None, *nodes))
    return {
        **dict.fromkeys(("left", "right", "ring"), slot),
        "label": (None, *labels),
        "shortcuts": ((), *((entry,) for entry in entries)),
        "wants": (True, False),
        "crashed": (True,),
    }


def _about_ring(start: Start) -> Messages:
    nodes = _known(start)
    labels = first_labels(len(nodes) - 1)
    subscribers = to_subscribers(labels, nodes, any_configuration(labels, nodes))
    return tuple(enumerate_values(to_all_nodes(nodes, nodes, subscribers)))


def publishing() -> Closure:
    """Right rings of none to two members that hold no publication or the same one."""
    starts = (
        replace(start, locals=tuple((node, _holding(local, held)) for node, local in start.locals))
        for order in ((), ("v1",), ("v1", "v2"))
        for held in SETS
        for start in (right_start(order, 0, (STRANGER,)),)
    )
    return closure(PROTOCOL, starts, _of_publisher, _about_publications)


def _holding(local: Any, held: Any) -> Any:
    return replace(local, publications=held) if getattr(local, "label", None) else local


def _of_publisher(me: str, local: Any) -> Variables:
    del me
    if not isinstance(local, Subscriber):
        return {}
    publications = (*SETS, (FORGED,), PUBLISHED)
    return {"publications": publications, "hashes": ((), (Summary("", EMPTY_HASH),)), "crashed": (True,)}


def _about_publications(start: Start) -> Messages:
    nodes = _known(start)
    tuples = ((), *((one,) for one in ROOTS))
    offers = (*PUBLISHED, FORGED)
    messages = (
        *(CheckTrie(node, one) for node in nodes for one in tuples),
        *(CheckAndPublish(node, one, prefix) for node in nodes for one in tuples for prefix in ("", "0", "1")),
        *(Publish(some) for some in ((), *((one,) for one in offers))),
        *(PublishNew(node, one) for node in nodes for one in offers),
    )
    return tuple((node, message) for node in nodes if node != SUPERVISOR for message in messages)


# Skip+.


def skip_plus() -> Closure:
    """Right states of up to three nodes with two bits, of four with one, and of four with two."""
    namings = (
        *(naming for count in range(1, 4) for naming in of_skip_plus.every_naming(count, 2)),
        *of_skip_plus.every_naming(4, 1),
        of_skip_plus.named("00", "01", "10", "00"),
        of_skip_plus.MISFITS,
    )
    starts = (
        of_skip_plus.right_start(naming, absent)
        for naming in namings
        for absent in (((), naming[:1]) if len(naming) < 5 else ((),))
    )
    return closure(SKIP_PLUS, starts, _of_node, _about_nodes)


def _of_node(me: str, local: Any) -> Variables:
    if not local.live:
        return {"neighbours": ((me,),), "gone": ((me,),)}
    known = local.neighbours
    without = [tuple(name for name in known if name != other) for other in known]
    return {
        "neighbours": (*without, ascending((*known, me)), ()),
        "stable": (*without, ascending((*known, me)), ()),
        "gone": tuple((name,) for name in known),
        "told": (
            (),
            local.told[:-1],
            tuple(NeighbourRanges(entry.node, (UNBOUNDED,) * len(entry.ranges)) for entry in local.told),
        ),
    }


def _about_nodes(start: Start) -> Messages:
    nodes = _known(start)
    if len(nodes) > 4:
        return ()
    live = tuple(node for node, local in start.locals if local.live)
    inserts = tuple(some for some in of_skip_plus.subsets(nodes) if len(some) < 3)
    said = {node: {ranges(node, live), (UNBOUNDED,) * len(node.rpartition(":")[2])} for node in nodes}
    updates = (Update(sender, bounds, some) for sender in nodes for bounds in said[sender] for some in inserts)
    messages = (*updates, *(Gone(node, some) for node in nodes for some in inserts))
    return tuple((target, message) for target in nodes for message in messages)


SYSTEMS: Mapping[str, tuple[Callable[[], Closure], ...]] = {
    "chord": (
        partial(chord, 1),
        partial(chord, 2),
        partial(chord, 1, fingers=True),
        partial(chord, 1, meet=True),
    ),
    "skip_ring": (skip_ring, publishing),
    "skip_plus": (skip_plus,),
}
"""The small systems of each protocol."""
