"""An application on several topics, a quarter of whose nodes crash and are replaced while it publishes; and its oracle.

Only the calls of an application are used. The oracle counts what was published and delivered, and looks at no state.

python -m tests.impl.applications.turnover --overlay scribe --nodes 32 --topics 5 --publications 1000 --seed 1
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from typing import Any

from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.core.reasons import Reason, RefusedError
from tests.impl.in_memory import InMemory

CONTACTS = 3
"""The number of live nodes through which a new one joins."""

QUIET = 40.0
"""Periods at the end of a run in which nothing is published."""


@dataclass(frozen=True)
class Outcome:
    """Numbers of a run: nodes that crashed, and that were ready in the end; what went wrong with publications.

    `differing` topics have members that hold different things; publications were `doubled` to a member, `withheld` from
    one that holds them, or `lost`: held by no member, though the publisher lives. `strange` ones were of another topic.
    """

    crashed: int
    ready: int
    differing: int
    doubled: int
    withheld: int
    lost: int
    strange: int


class Turnover(InMemory):
    """The nodes of one run, each with one to three topics; a crashed one is replaced by one of a new name."""

    def __init__(
        self, name: str, nodes: int, topics: int, seed: int, parameters: Any = None, settling: float = 20.0
    ) -> None:
        own = overlay(name, {"key_bits": 32, **(parameters or {})})
        super().__init__(own, seed, SystemRecording(own, {"implementation": name, "seed": seed}))
        self.topics = [f"topic{number}" for number in range(topics)]
        self.deliveries: dict[tuple[str, str], Any] = {}
        self.got: dict[tuple[str, str], Counter[Any]] = {}
        self.published: dict[str, set[Any]] = {topic: set() for topic in self.topics}
        self.started = self.crashed = 0
        for _ in range(nodes):
            self.join()
            self.clock.advance(0.3)
        self.clock.advance(settling)

    def join(self) -> None:
        name, live = f"n{self.started}", sorted(self.nodes)
        self.started += 1
        contacts = self.random.sample(live, min(CONTACTS, len(live))) if live else None
        self.start(name, self.started, contact=contacts)
        for topic in self.random.sample(self.topics, self.random.randint(1, min(3, len(self.topics)))):
            self.nodes[name].subscribe(topic)
            self.deliveries[name, topic] = self.nodes[name].deliveries(topic)
            self.got[name, topic] = Counter()

    def crash(self) -> None:
        self.take()
        name = self.random.choice(sorted(self.nodes))
        self.nodes.pop(name).stop()
        self.crashed += 1
        self.deliveries = {at: taken for at, taken in self.deliveries.items() if at[0] != name}

    def publish(self, number: int) -> None:
        name, topic = self.random.choice(sorted(self.deliveries))
        try:
            self.published[topic].add(self.nodes[name].publish(topic, f"{topic} {number}"))
        except RefusedError as error:
            if error.reason is not Reason.NOT_JOINED:
                raise
            self.publish(number)

    def take(self) -> None:
        for at, taken in self.deliveries.items():
            self.got[at].update((one.id, one.payload.split()[0]) for one in iter(taken.take, None))

    def lived(self, publications: int, quiet: float = QUIET) -> "Turnover":
        """Publish so many, ten in a period; meanwhile a quarter of the nodes crash, and as many begin."""
        every = max(1, 4 * publications // len(self.nodes))
        for number in range(publications):
            if number % every == every // 2:
                self.crash()
                self.join()
            self.publish(number)
            self.clock.advance(self.random.expovariate(10.0))
        self.clock.advance(quiet)
        self.take()
        return self

    def members(self, topic: str) -> list[str]:
        return [name for name, of in sorted(self.deliveries) if of == topic]

    def held(self, name: str, topic: str) -> frozenset[Any]:
        return frozenset(one.id for one in self.nodes[name].history(topic))

    def outcome(self) -> Outcome:
        held = {at: self.held(*at) for at in self.deliveries}
        views = {topic: {held[name, topic] for name in self.members(topic)} for topic in self.topics}
        owed = [(topic, one) for topic in self.topics for one in self.published[topic] if one.publisher in self.nodes]
        return Outcome(
            self.crashed,
            sum(node.ready for node in self.nodes.values()),
            sum(len(view) > 1 for view in views.values()),
            sum(times > 1 for at in self.deliveries for times in self.got[at].values()),
            sum((one, at[1]) not in self.got[at] for at in self.deliveries for one in held[at]),
            sum(all(one not in view for view in views[topic]) for topic, one in owed),
            sum(of != at[1] for at in self.deliveries for _, of in self.got[at]),
        )


def main() -> None:
    """Run one, and print its outcome."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--overlay", default="scribe")
    for option, usual in (("--nodes", 32), ("--topics", 5), ("--publications", 1000), ("--seed", 1)):
        parser.add_argument(option, type=int, default=usual)
    given = parser.parse_args()
    there = Turnover(given.overlay, given.nodes, given.topics, given.seed).lived(given.publications)
    print(there.outcome())


if __name__ == "__main__":
    main()
