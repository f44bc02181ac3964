"""Formulas and tables of the paper, evaluated as printed, and its rules without failures, on every small tree."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import NamedTuple

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.delta_fault_tolerance.experiments.built import PUBLISHED, WANTED
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import run_of
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.protocols.delta_fault_tolerance.commands import Confirmed, Delivered
from gomboc.spec.protocols.delta_fault_tolerance.models import FIGURE_5, ONE
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, lies_on, path

LARGEST, MOST = 6, 3
"""Brokers of the largest tree, and the greatest delta."""


class Place(NamedTuple):
    """A broker N of a tree, and delta."""

    names: Names
    me: str
    delta: int

    @property
    def near(self) -> frozenset[str]:
        """The brokers that TOP_N covers."""
        return frozenset(name for name in self.names if distance(name, self.me) <= self.delta + 1)

    @property
    def neighbours(self) -> frozenset[str]:
        """The brokers one link away."""
        return frozenset(name for name in self.names if distance(name, self.me) == 1)


def places() -> Iterator[Place]:
    """Every broker of every tree of up to so many brokers, with each delta."""
    for nodes in range(2, LARGEST + 1):
        for names in trees(nodes):
            for delta in range(MOST + 1):
                yield from (Place(names, me, delta) for me in names)


def out(me: str, connections: frozenset[str], recipients: frozenset[str]) -> frozenset[str]:
    """Algorithm 1, line 15: the nearest connections on the paths to the recipients."""

    def is_nearest(one: str) -> bool:
        return all(distance(me, one) <= distance(me, other) for other in connections if other in path(me, one))

    return frozenset(
        one for one in connections if is_nearest(one) and any(lies_on(one, me, target) for target in recipients)
    )


def subscription_recipients(broker: Place, source: str, *, of_source: bool) -> frozenset[str]:
    """RCPT^SUB: the X with N on the path to `source`, and a link in TOP_N: of s.from as printed, or of X."""
    linked = {name for name in broker.near if any(distance(name, other) == 1 for other in broker.near)}
    return frozenset(
        name
        for name in broker.names
        if name != broker.me and lies_on(broker.me, name, source) and (source if of_source else name) in linked
    )


def covered_recipients(broker: Place, source: str) -> frozenset[str]:
    """The sentence below it: the nodes that TOP_N covers with a path to `source` through N."""
    return frozenset(name for name in broker.near if name != broker.me and lies_on(broker.me, name, source))


TABLE_1 = {
    "P1": ("N1", "N2 N3", "S1 S4", "S1 S4"),
    "N1": ("N2 N3", "S1 S4", "S1 S4", "S1 S4"),
    "N2": ("N1 S1", "N3 S1", "S1 S4", "S1 S4"),
    "N3": ("N1 S4", "N1 S4", "S1 S4", "S1 S4"),
    "S1": ("N2 S1", "N1 S1", "N3 S1", "S1 S4"),
    "S2": ("N1", "N1 S1", "N3 S1", "S1 S4"),
    "S3": ("N3", "N1 S4", "N2 S4", "S1 S4"),
    "S4": ("N3 S4", "N1 S4", "N2 S4", "S1 S4"),
}
"""As printed: the recipients of a publication at each node, for delta from 0 to 3; each cell in alphabetical order."""

ALL = 8
"""Brokers of the largest tree on which everything is run."""


def out_of_oneself() -> Evidence:
    """Line 15 at each broker, with all brokers nearby as recipients, itself among them."""
    brokers = list(places())
    as_printed = all(broker.me in out(broker.me, broker.neighbours, broker.near) for broker in brokers)
    connected = all(
        broker.neighbours <= out(broker.me, broker.neighbours | {broker.me}, broker.near) for broker in brokers
    )
    apart = all(out(broker.me, broker.neighbours, broker.near - {broker.me}) == broker.neighbours for broker in brokers)
    figures = {"cases": len(brokers), "largest": LARGEST, "most": MOST}
    return by_readings((settled(as_printed), settled(connected), settled(apart)), figures)


def link_test() -> Evidence:
    """RCPT^SUB at each broker, for each s.from within delta + 1 of it: the formula, and the sentence below it."""
    pairs = [(broker, source) for broker in places() for source in sorted(broker.near - {broker.me})]
    wrong, linked = (
        sum(subscription_recipients(*pair, of_source=of_source) != covered_recipients(*pair) for pair in pairs)
        for of_source in (True, False)
    )
    figures = {"cases": len(pairs), "wrong": wrong, "largest": LARGEST, "most": MOST}
    return by_readings((settled(not wrong), settled(not linked)), figures)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def computed(node: str, delta: int) -> str:
    """A cell of Table 1, from the rows of the specification and the node's own subscription."""
    states = run_of(delta, FIGURE_5, WANTED).states
    recipients = {row.via for row in states[node].rows} | ({node} if states[node].own else set())
    return " ".join(sorted(map(_short, recipients)))


def table_1() -> Evidence:
    """Every cell, computed anew."""
    by_name = {_short(name): name for name in FIGURE_5}
    wrong = [
        f"{node} for delta = {delta}: {{{printed}}} for {{{computed(by_name[node], delta)}}}"
        for node, cells in TABLE_1.items()
        for delta, printed in enumerate(cells)
        if computed(by_name[node], delta) != printed
    ]
    cells = sum(map(len, TABLE_1.values()))
    return Evidence(settled(not wrong), {"cells": cells, "wrong": wrong, "right": cells - len(wrong)})


def ends_without_failures() -> Evidence:
    """Every tree of up to so many brokers, each delta: every leaf subscribes, and a broker publishes."""
    cases = [(names, delta) for nodes in range(1, ALL + 1) for names in trees(nodes) for delta in range(MOST + 1)]
    ended = [_ends_without_failures(number, *case) for number, case in enumerate(cases)]
    return Evidence(
        settled(all(right for right, _ in ended)),
        {"runs": len(cases), "trees": len(cases) // (MOST + 1), "largest": ALL, "most": MOST},
        {"each link towards a subscriber costs one message and one confirmation": all(cheap for _, cheap in ended)},
    )


def _ends_without_failures(number: int, names: Names, delta: int) -> tuple[bool, bool]:
    """Whether a run ends right, each leaf having had the publication once; and whether it costs no more than needed."""
    leaves = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
    run, publisher = run_of(delta, names, dict.fromkeys(leaves, (ONE,))), names[(number + delta) % len(names)]
    run.command(publisher, PUBLISHED)
    run.settle(Random(number))
    had = [node for node, report in run.told if isinstance(report, Delivered)]
    confirmed = sum(isinstance(report, Confirmed) for _, report in run.told)
    right = not run.wrong() and sorted(had) == sorted(leaves) and confirmed == 1
    towards = {step for leaf in leaves for step in pairwise(path(publisher, leaf))}
    return right, run.sent == 2 * len(towards)
