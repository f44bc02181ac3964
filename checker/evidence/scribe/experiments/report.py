"""Experiments on the report: its pseudocode, and its statements on reliability with and without failures."""

from collections.abc import Iterator
from itertools import combinations

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.scribe.experiments.printed import Printed
from gomboc.checker.evidence.scribe.experiments.scenes import ours, published, scene
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.protocols.scribe.models import orphan
from gomboc.spec.protocols.scribe.space import SHAPES, Names, names, routes

SIZES = range(2, 6)
"""Nodes of the trees that are tried."""

NODES = 64
DEGREE = 5
"""The active view of HyParView, which is flooded."""


def systems() -> Iterator[tuple[dict[str, str], Names]]:
    """Trees of routes of each shape, with each set of subscribers."""
    for size in SIZES:
        for shape in SHAPES:
            hops = {node: str(hop) for node, hop in routes(names(size), shape, 0).items()}
            for wanted in range(1, size + 1):
                yield from ((hops, some) for some in combinations(hops, wanted))


def reached(meant: bool) -> tuple[int, int]:
    """Of all deliveries that are due in these systems, those that come: any node publishes, and others subscribe."""
    due = came = 0
    for hops, subscribers in systems():
        for publisher in hops:
            system = Printed(hops, meant)
            for node in subscribers:
                system.subscribe(node)
            system.publish(publisher)
            others = set(subscribers) - {publisher}
            due += len(others)
            came += len(others & {*system.delivered})
    return due, came


def every_subscriber_is_reached() -> Evidence:
    """Every publication in small trees, by the pseudocode as printed and as it may be meant."""
    due, came = reached(False)
    due_too, meant = reached(True)
    lone = Printed({"o": "o", "p": "o", "s": "p"})
    lone.subscribe("s")
    return by_readings(
        (settled(came == due), settled(meant == due_too)),
        {"due": due, "came": came, "most": max(SIZES), "meant": meant},
        {
            "the owner has no child": lone.managers["o"].children == [],
            "the originator sends its subscription to its next hop twice": lone.routed == 3,
            "no subscription is remembered": not lone.managers["s"].subscribed,
        },
    )


def is_cut_off(hops: dict[str, str], subscriber: str, gone: str) -> bool:
    """Whether a subscriber whose parent has crashed gets nothing any more, although Chord has routed around the node.

    As meant: the owner publishes ten times, and the subscriber subscribes again before each time.
    """
    system = Printed(hops, meant=True)
    system.subscribe(subscriber)
    around = {node: hops[gone] if hop == gone else hop for node, hop in hops.items() if node != gone}
    system.crash(gone, around)
    owner = next(node for node, hop in hops.items() if hop == node)
    for _ in range(10):
        system.subscribe(subscriber)
        system.publish(owner)
    return subscriber not in system.delivered


def recovers() -> Evidence:
    """One parent crashes, in every small tree; and the same as a model of our rules that sends subscriptions once."""
    cases = [
        (hops, node, hops[node])
        for size in SIZES
        for shape in SHAPES
        for hops in ({node: str(hop) for node, hop in routes(names(size), shape, 0).items()},)
        for node in hops
        if hops[hops[node]] != hops[node]
    ]
    cut = [is_cut_off(*case) for case in cases]
    stuck = scene("parent_crashes")
    return Evidence(
        settled(all(cut)),
        {"cases": len(cases), "cut": sum(cut), "most": max(SIZES), "smallest": min(len(hops) for hops, *_ in cases)},
        {
            "in the run no step changes anything, and nothing is sent": all(
                stage.states == stuck.stages()[0].states and not stage.in_flight for stage in stuck.stages()
            ),
            "no state of the run is legitimate": not any(stuck.right()),
            "the model has no other state": _states(orphan("sends_once")) == 1,
            "by our rules the same start becomes legitimate": ours(stuck)
            .stages()[-1]
            .is_legitimate(ours(stuck).protocol),
        },
    )


def _states(instance: Instance) -> int:
    """The number of states that a model reaches."""
    model = bounded_model(instance)
    known, fresh = set(model.initial()), list(model.initial())
    while fresh:
        state = fresh.pop()
        later = {model.step(state, action) for action in model.enabled(state)} - known
        known |= later
        fresh += later
    return len(known)


def correct_in_tests() -> Evidence:
    """The reliability with and without a crash, by the meant reading."""
    due, meant = reached(True)
    healed = recovers().result is settled(False)
    return by_readings((settled(meant == due), settled(healed)), {"due": due, "most": max(SIZES)})


def fewer_messages() -> Evidence:
    """Messages for one publication in right trees of few and many subscribers, against a flood."""
    counts = {subscribers: published(NODES, subscribers) for subscribers in (1, 8, 32, NODES)}
    flood = NODES * (DEGREE - 1) + 1
    return Evidence(
        settled(all(sent < flood for sent, _ in counts.values())),
        {
            "nodes": NODES,
            "flood": flood,
            "counts": [f"{sent} to {subscribers} subscribers" for subscribers, (sent, _) in counts.items()],
        },
        {
            "each is one message for each edge of the tree": all(sent == edges for sent, edges in counts.values()),
        },
    )
