"""Cost of a recovery in messages: `python -m tests.bench rejoin`.

A line, a star and a binary tree of so many brokers, so many subscriptions at each, nothing else on the way. One broker
crashes, its neighbours hear of it, it comes back, and everything arrives: the brokers' cores on links first in, first
out. REJOIN goes through the whole tree, so the messages grow with the brokers; the subscriptions are in tables and in
REJOIN, and make messages longer, not more.
"""

import msgspec

from gomboc.impl.core.automaton import Received
from tests.bench.overlays.brokers import System, tree

SIZES, SUBSCRIPTIONS = (3, 7, 15, 31), (0, 20)
KINDS = ("Recover", "Connect", "Status", "Table", "Stamps", "Forward", "Confirm", "Close")


def main() -> None:
    """Measure, and print a row for each system."""
    print("| brokers | who crashes | subscriptions at each | messages | of them REJOIN and its confirmations | bytes |")
    print("|---|---|---|---|---|---|")
    for size in SIZES:
        for shape, names, failing in systems(size):
            for subscription in SUBSCRIPTIONS:
                counted, length = recovery(names, failing, subscription)
                rejoin = counted["Forward"] + counted["Confirm"]
                total = sum(counted[kind] for kind in KINDS)
                print(f"| {size}, {shape} | {failing} | {subscription} | {total} | {rejoin} | {length:,} |")


def systems(size: int) -> list[tuple[str, list[str], str]]:
    """A line, a star and a binary tree of so many brokers, each with the one that crashes: the middle one."""
    line = [".".join(["a"] * index) for index in range(1, size + 1)]
    star = ["a", *(f"a.{index}" for index in range(1, size))]
    return [("a line", line, line[size // 2]), ("a star", star, "a"), ("a tree", tree("a", size.bit_length() - 1), "a")]


def recovery(names: list[str], failing: str, subscriptions: int) -> tuple[dict[str, int], int]:
    """How many messages of each kind are sent from a crash on, and how long they are together, as JSON."""
    system = Weighed(names)
    for name in names:
        for index in range(subscriptions):
            system.run(name, {"kind": "Subscribe", "filter": [["price", "=", index]]})
    system.counted.clear()
    system.length = 0
    neighbours = [name for name in names if name.rpartition(".")[0] == failing or failing.rpartition(".")[0] == name]
    system.run(failing, {"kind": "Crash"})
    for neighbour in neighbours:
        system.run(neighbour, {"kind": "Suspect", "node": failing})
    system.run(failing, {"kind": "Restart"})
    return system.counted, system.length


class Weighed(System):
    """A system that also adds up how long messages are."""

    length = 0

    def took(self, message: Received) -> None:
        """A message is on its way."""
        self.length += len(msgspec.json.encode(message.message))
