"""What a topic costs by tree and by broadcast: messages for each publication, and those of the busiest node.

Both run by the rules of the specifications: trees over the routes of an ideal ring of Chord with fingers, floods over
views of HyParView that have grown. `python -m gomboc.checker.evidence.scribe.experiments.popularity FOLDER` prints the
table, and draws the chart there.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from statistics import fmean

import msgspec

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.hyparview.experiments.connectivity import Crowd, grown
from gomboc.checker.evidence.scribe.experiments.chart import Curve, chart
from gomboc.spec.core.model import CERTAIN, Commanded, Input, Received, Send, Timeout
from gomboc.spec.protocols.chord.names import Circle
from gomboc.spec.protocols.chord.routing import route
from gomboc.spec.protocols.chord.state import Node as Member
from gomboc.spec.protocols.hyparview.state import Spread
from gomboc.spec.protocols.scribe.rules import Rules
from gomboc.spec.protocols.scribe.space import Names, Routes, names, tree
from gomboc.spec.protocols.scribe.state import Issue
from gomboc.spec.publishing.publications import published

NODES = 64
POPULARITIES = (1, 2, 4, 8, 16, 32, 64)
TOPICS = 40
"""Topics for each popularity, each with its own key, subscribers and publisher, drawn by its number."""

CIRCLE = Circle(32)


class Cost(msgspec.Struct, frozen=True):
    """Messages of all nodes, and of the busiest one, which are those that it sends and takes: means of many topics."""

    messages: float
    busiest: float


class Costs(msgspec.Struct, frozen=True):
    """The cost of a publication, and that of one period without any."""

    publication: Cost
    upkeep: Cost


class Load:
    """The messages of each node."""

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()
        self.handled: Counter[str] = Counter()

    def note(self, sender: str, send: Send) -> None:
        """Count a message at both ends."""
        self.sent[sender] += 1
        self.handled.update((sender, send.target))


def ring(nodes: Names, successors: int = 3) -> dict[str, Member]:
    """The ideal ring of those nodes, with all fingers."""
    order = sorted(nodes, key=CIRCLE.id_of)
    states = {}
    for place, name in enumerate(order):
        after = tuple(order[(place + step) % len(order)] for step in range(1, successors + 1))
        fingers = []
        for finger in range(CIRCLE.first_finger(name, after[0]), CIRCLE.bits):
            target = CIRCLE.target(name, finger)
            owner = next((node for node in order if CIRCLE.id_of(node) >= target), order[0])
            fingers += [(finger, owner)] if owner != name else []
        states[name] = Member("inside", order[place - 1], after, tuple(fingers))
    return states


def routes_to(states: Mapping[str, Member], position: int) -> Routes:
    """The next hop of each node towards a place on the circle."""
    return {name: route(CIRCLE, name, local, position) for name, local in sorted(states.items())}


def of_tree(members: Mapping[str, Member], subscribers: int, topic: int) -> tuple[Load, Load]:
    """The messages of one publication, and of a period, in the tree of one topic."""
    random = Random(topic)
    hops = routes_to(members, random.randrange(CIRCLE.size()))
    states = tree(hops, tuple(sorted(random.sample(sorted(hops), subscribers))))
    rules, publication, upkeep = Rules(), Load(), Load()

    def play(inputs: list[tuple[str, Input]], load: Load) -> None:
        while inputs:
            name, taken = inputs.pop(0)
            outcome = rules.react(name, states[name], taken, CERTAIN[0])
            states[name] = outcome.local
            for send in outcome.sends:
                load.note(name, send)
                inputs.append((send.target, Received(send.message)))

    play([(random.choice(sorted(hops)), Commanded(Issue(1, "")))], publication)
    play([(name, Timeout()) for name in hops], upkeep)
    return publication, upkeep


class CountingCrowd(Crowd):
    """An overlay of HyParView that counts its messages."""

    load = Load()

    def take(self, name: str, taken: Input) -> None:
        """A step of a node."""
        before = len(self.in_flight)
        super().take(name, taken)
        for target, message in self.in_flight[before:]:
            self.load.note(name, Send(target, message))


def of_flood(nodes: int, seed: int) -> tuple[Load, Load]:
    """The messages of one broadcast, and of a period of the membership."""
    crowd = deepcopy(grown(nodes, seed))
    crowd.__class__ = CountingCrowd
    assert isinstance(crowd, CountingCrowd)
    publisher = crowd.random.choice(crowd.members())
    item = published(publisher, 1, "", crowd.rules.parameters.publishing)
    crowd.load = Load()
    crowd.take(publisher, Commanded(Spread("news", item)))
    crowd.deliver()
    publication, crowd.load = crowd.load, Load()
    crowd.pass_by(1)
    return publication, crowd.load


def mean(loads: list[tuple[Load, Load]]) -> Costs:
    """The means of topics."""
    both = ([pair[part] for pair in loads] for part in range(2))
    return Costs(*(Cost(*map(fmean, zip(*map(_sizes, part), strict=True))) for part in both))


def _sizes(load: Load) -> tuple[int, int]:
    return load.sent.total(), max(load.handled.values(), default=0)


@cache
def trees(nodes: int = NODES, topics: int = TOPICS) -> dict[int, Costs]:
    """The costs of trees, by popularity."""
    members = ring(names(nodes))
    return {
        subscribers: mean([of_tree(members, subscribers, topic) for topic in range(topics)])
        for subscribers in POPULARITIES
        if subscribers <= nodes
    }


@cache
def flood(nodes: int = NODES, overlays: int = 3) -> Costs:
    """The costs of a broadcast, which no popularity changes."""
    return mean([of_flood(nodes, seed) for seed in range(overlays)])


def table(by_tree: Mapping[int, Costs], broadcast: Costs) -> str:
    """The table, in Markdown."""
    head = "| subscribers | messages per publication | busiest node | upkeep per period | busiest node |"
    line = "|---|---|---|---|---|"
    rows = [(f"{subscribers}, tree", costs) for subscribers, costs in by_tree.items()]
    return "\n".join((head, line, *(_row(name, costs) for name, costs in (*rows, ("any, broadcast", broadcast)))))


def _row(name: str, costs: Costs) -> str:
    sizes = (costs.publication.messages, costs.publication.busiest, costs.upkeep.messages, costs.upkeep.busiest)
    return f"| {name} | " + " | ".join(f"{size:.1f}" for size in sizes) + " |"


def drawn(by_tree: Mapping[int, Costs], broadcast: Costs) -> str:
    """The chart, as SVG."""
    flat = dict.fromkeys(by_tree, broadcast.publication)
    only = {subscribers: costs.publication for subscribers, costs in by_tree.items()}
    kept = {n: Cost(c.publication.messages + c.upkeep.messages, 0) for n, c in by_tree.items()}
    return chart(
        "subscribers of 64",
        {
            "messages for one publication": (
                Curve("tree", {n: cost.messages for n, cost in only.items()}),
                Curve("tree, and its upkeep of a period", {n: cost.messages for n, cost in kept.items()}),
                Curve("broadcast", {n: cost.messages for n, cost in flat.items()}),
            ),
            "of them, messages of the busiest node": (
                Curve("tree", {n: cost.busiest for n, cost in only.items()}),
                Curve("broadcast", {n: cost.busiest for n, cost in flat.items()}),
            ),
        },
    )


def pays() -> Evidence:
    """Where a switch to broadcast saves messages, and where it relieves the busiest node."""
    by_tree, broadcast = trees(), flood()
    cheaper = [n for n, costs in by_tree.items() if costs.publication.messages > broadcast.publication.messages]
    relieved = [n for n, costs in by_tree.items() if costs.publication.busiest > broadcast.publication.busiest]
    return Evidence(
        settled(bool(cheaper)),
        {
            "nodes": NODES,
            "tree": f"{by_tree[NODES].publication.messages:.1f}",
            "flood": f"{broadcast.publication.messages:.1f}",
            "upkeep": f"{by_tree[NODES].upkeep.messages:.1f}",
            "relieved": min(relieved, default=0),
            "busiest_tree": f"{by_tree[NODES].publication.busiest:.1f}",
            "busiest_flood": f"{broadcast.publication.busiest:.1f}",
        },
    )


def main() -> None:
    """Print the table, and draw the chart into the folder."""
    by_tree, broadcast = trees(), flood()
    print(table(by_tree, broadcast))
    Path(sys.argv[1], "popularity.svg").write_text(drawn(by_tree, broadcast), encoding="utf-8")


if __name__ == "__main__":
    main()
