"""Publications through a tree of 20 brokers with 10,000 subscriptions: `python -m tests.bench clients`.

A tree of 20 brokers, delta = 1, 500 subscriptions at each, and all 10,000 at one of them; the brokers' cores on links
first in, first out, without a network and without a trace. The index of the own client's subscriptions and trying each
of them, as it was before, run in turn over the same publications.
"""

import time
from collections.abc import Callable, Mapping
from random import Random
from statistics import median
from unittest.mock import patch

from gomboc.impl.protocols.delta_fault_tolerance.filters import Filter, Value, matches, text
from gomboc.impl.protocols.delta_fault_tolerance.table import Owned
from tests.bench.brokers import System
from tests.bench.measure import in_turn, ratio

BROKERS, SUBSCRIPTIONS, PUBLICATIONS, RUNS = 20, 10_000, 100, 5
MOST = 1_000_000


def main() -> None:
    """Measure, and print a line for each way of spreading the subscriptions."""
    for where, of_each in (("500 at each broker", range(BROKERS)), ("all at one broker", range(1))):
        names = tree()
        subscribed(system := System(names), [names[index] for index in of_each])
        seconds = in_turn(
            {"index": publishing(system, Owned.matching), "each": publishing(system, by_each)}, RUNS, time.process_time
        )
        rates = {name: PUBLICATIONS / median(took) for name, took in seconds.items()}
        print(
            f"{where:20} {rates['index']:7,.0f} publications/s by the index, {rates['each']:7,.0f} by trying each: "
            f"{ratio(seconds['each'], seconds['index']):.1f} times as many"
        )


def tree() -> list[str]:
    """The names of a tree of so many brokers, four below each."""
    names = ["a"]
    for index in range(1, BROKERS):
        names.append(f"{names[(index - 1) // 4]}.{index}")
    return names


def subscribed(system: System, names: list[str]) -> None:
    """Have clients of these brokers subscribe to narrow intervals, as many in all as are measured."""
    random = Random(1)
    for index in range(SUBSCRIPTIONS):
        least = random.randrange(MOST)
        predicates = [["price", "<", least + 100], ["price", ">=", least]]
        system.run(names[index % len(names)], {"kind": "Subscribe", "filter": predicates})


def publishing(
    system: System, matching: Callable[[Owned, Mapping[str, Value]], tuple[Filter, ...]]
) -> Callable[[], None]:
    """The same publications from all brokers, with this way of matching the own client's subscriptions."""

    def publish() -> None:
        random = Random(2)
        for _ in range(PUBLICATIONS):
            publication = {"kind": "Publish", "attributes": [["price", random.randrange(MOST)]]}
            system.run(random.choice(system.names), publication)

    def run() -> None:
        with patch.object(Owned, "matching", matching):
            publish()

    return run


def by_each(owned: Owned, attributes: Mapping[str, Value]) -> tuple[Filter, ...]:
    """The filters that match, by trying each in order."""
    own = sorted(owned.values(), key=lambda subscription: text(subscription.filter))
    return tuple(
        subscription.filter
        for subscription in own
        if subscription.phase != "unsubscribing" and matches(attributes, subscription.filter)
    )
