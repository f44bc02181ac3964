"""Campaigns of whole applications, by their public calls only: churn, contacts that crash, and leaving early.

python -m tests.impl.applications.campaigns churn --runs 40 --seed 1
python -m tests.impl.applications.campaigns contacts --runs 90 --seed 1
python -m tests.impl.applications.campaigns filters --runs 600 --seed 1
python -m tests.impl.applications.campaigns leaving --runs 40 --seed 1 --overlay skip_ring
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Unknown, Violated
from gomboc.impl.api.overlays import overlay
from gomboc.impl.api.recording import SystemRecording
from gomboc.impl.core.reasons import RefusedError
from tests.impl.applications.filters import ended
from tests.impl.in_memory import InMemory

TOPICS = ("news", "sport", "weather")
QUIET = 80.0
"""Periods at the end of a run in which the application asks for nothing."""


class Application(InMemory):
    """Nodes in memory on one overlay, recorded in all layers, with one seed for all chance."""

    def __init__(self, nodes: int, seed: int, name: str = "skip_plus") -> None:
        own = overlay(name, {"key_bits": 32})
        super().__init__(own, seed, SystemRecording(own, {"implementation": name, "seed": seed}))
        self.names = [f"{self.random.getrandbits(16):04x}:{self.random.getrandbits(8):08b}" for _ in range(nodes)]
        self.incarnations: Counter[str] = Counter()
        self.contact: Any = next(iter(self.contacts), None)

    def join(self, name: str, contact: Any = None) -> Any:
        """Start a node, in its next incarnation, which joins through a contact if the overlay has none."""
        self.incarnations[name] += 1
        node = self.start(name, self.incarnations[name], contact=contact if self.contact is None else None)
        if self.contact is not None:
            self.contact.trust(name)
        return node

    def stop(self, name: str) -> None:
        self.nodes.pop(name).stop()
        if self.contact is not None:
            self.contact.suspect(name)

    def held(self, topic: str) -> dict[str, Any]:
        """The publications of each subscriber of a topic."""
        nodes = sorted(self.nodes.items())
        return {name: set(node.history(topic)) for name, node in nodes if topic in node.topics}

    def judged(self, folder: Path) -> dict[str, Any]:
        return {f"{path.parent.name}/{path.stem}": judge_file(path) for path in self.recording.write(Path(folder))}


def churned(seed: int, overlay: str, nodes: int, pace: float, events: int = 40) -> Any:
    """An application with nodes that subscribe, publish, unsubscribe, crash and come back, and then rest."""
    there = Application(nodes, seed, overlay)
    random = Random(seed + 1_000_000)
    contacts = there.names[:3]
    for name in there.names:
        there.join(name, contacts if name != there.names[0] else None)
        there.clock.advance(random.expovariate(2.0))
    for _ in range(events):
        with suppress(RefusedError):
            disturb(there, random, contacts)
        there.clock.advance(random.expovariate(1.0))
    there.clock.advance(QUIET * pace)
    return there


def disturb(there: Any, random: Random, contacts: Any) -> None:
    """One thing that an application may do."""
    name, topic = random.choice(there.names), random.choice(TOPICS)
    if name not in there.nodes:
        there.join(name, contacts)
        return
    node = there.nodes[name]
    match random.choice("sssspppuxm"):
        case "s":
            node.subscribe(topic)
        case "p":
            node.publish(topic, f"{random.random()}")
        case "u":
            node.unsubscribe(topic, forget=random.random() < 0.5)
        case "x" if len(there.nodes) > 6:
            there.stop(name)
        case "m" if there.contact is None:
            node.add_peer(random.choice([other for other in there.names if other != name]))


def said(judgement: Any) -> str:
    """The worst of a judgement: each verdict that does not hold, with its reason."""
    verdicts = {
        "conformance": judgement.conformance,
        "convergence": judgement.convergence,
        "closure": judgement.closure,
        **{promise.name: promise.verdict for promise in judgement.promises},
    }
    for kind in (Violated, Unknown):
        for name, verdict in verdicts.items():
            if isinstance(verdict, kind):
                return f"{kind.__name__.lower()} {name}: {getattr(verdict, 'rule', '')} {verdict}"
    return "holds"


def churn(seed: int, options: Any) -> Iterator[Any]:
    there = churned(seed, options.overlay, options.nodes, options.pace)
    equal = all(held == next(iter(sets.values())) for sets in map(there.held, TOPICS) for held in sets.values())
    yield "equal" if equal else "unequal"
    yield "ready" if all(node.ready for node in there.nodes.values()) else "not ready"
    with tempfile.TemporaryDirectory() as folder:
        for name, judgement in there.judged(folder).items():
            yield f"{name.partition('/')[0]}: {said(judgement)[:200]}"


def contacts(seed: int, options: Any) -> Iterator[Any]:
    """One node joins a system through contacts of which the first crashes within three periods."""
    there = Application(9, seed)
    *others, late = there.names
    for name in others:
        there.join(name, others if name != others[0] else None)
    there.clock.advance(30 * options.pace)
    there.nodes[others[-1]].subscribe("news")
    first = there.random.choice(others[:-1])
    second = there.random.choice([other for other in others if other != first])
    joiner = there.join(late, (first, second) if options.contacts > 1 else first)
    joiner.subscribe("news")
    there.clock.advance(there.random.uniform(0, 3))
    there.stop(first)
    there.clock.advance(40 * options.pace)
    there.nodes[others[-1]].publish("news", "x")
    there.clock.advance(20 * options.pace)
    outcome = "joined" if len(joiner.history("news")) == 1 else "split"
    yield f"{outcome}, says {'ready' if joiner.ready else 'not ready'}, {'alone' if joiner.alone else 'not alone'}"


def leaving(seed: int, options: Any) -> Iterator[Any]:
    """Of six nodes, one subscribes to a topic of the other five, publishes, and leaves so many periods later."""
    there = Application(6, seed, options.overlay)
    for name in there.names:
        there.join(name, there.names if name != there.names[0] else None)
    there.clock.advance(20 * options.pace)
    *others, last = there.nodes.values()
    for node in others:
        node.subscribe("news")
    there.clock.advance(30 * options.pace)
    reports: Any = []
    last.subscribe("news")
    last.publish("news", "x", confirmed=reports.append)
    there.clock.advance(options.periods)
    last.unsubscribe("news", left=lambda lost: reports.append("says lost" if lost else "says kept"))
    there.clock.advance(60 * options.pace)
    held = [len(node.history("news")) for node in others]
    outcome = "held by all" if all(held) else "held by some" if any(held) else "lost to all"
    yield f"{outcome}, {reports[-1]}"


def filters(seed: int, options: Any) -> Iterator[Any]:
    """Clients with filters at the nodes of a tree, of which up to delta are down at a time; recorded and judged."""
    there = ended(seed, 1 + seed % 2, options.quarters)
    outcome = there.outcome()
    for count in ("missed", "doubled", "unwanted", "unconfirmed"):
        if getattr(outcome, count):
            yield f"{count}: violated"
    with tempfile.TemporaryDirectory() as folder:
        (path,) = there.recording.write(Path(folder))
        yield f"system: {said(judge_file(path))}"
    yield from ["restarts"] * outcome.restarts + ["deliveries that were owed"] * outcome.owed


CAMPAIGNS = {each.__name__: each for each in (churn, contacts, filters, leaving)}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("campaign", choices=CAMPAIGNS)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--contacts", type=int, default=2)
    parser.add_argument("--overlay", default="skip_plus")
    parser.add_argument("--periods", type=float, default=0.5)
    parser.add_argument("--quarters", type=int, default=240, help="of periods, in which clients act")
    parser.add_argument("--nodes", type=int, default=12)
    parser.add_argument("--pace", type=float, default=1.0, help="factor of all times that nodes have to settle")
    options = parser.parse_args()
    counted: Any = Counter()
    for seed in range(options.seed, options.seed + options.runs):
        for line in CAMPAIGNS[options.campaign](seed, options):
            counted[line] += 1
            if "violated" in line or "unequal" in line or "lost to all" in line or "split" in line:
                print(f"seed {seed}: {line}", file=sys.stderr)
    for line, times in sorted(counted.items()):
        print(f"{times:6} {line}")


if __name__ == "__main__":
    main()
