"""How often members stay connected: large overlays, period by period, by the rules of the specification.

In a period each node has its timeout, in a drawn order, and then every message is delivered, in a drawn order, until
none is left. `python -m gomboc.checker.evidence.hyparview.experiments.connectivity NODES SEEDS` prints the table.
"""

import sys
from collections.abc import Iterable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from random import Random
from statistics import fmean

from gomboc.spec.core.connection import unreached
from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Input, Received, Timeout
from gomboc.spec.protocols.hyparview.legitimacy import mutual
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.rules import Rules
from gomboc.spec.protocols.hyparview.space import names
from gomboc.spec.protocols.hyparview.state import CRASHED, OUTSIDE, JoinCommand, Message, Node

SETTLE = 30
"""Periods after the joins, and after the failures."""


class Crowd:
    """Nodes, all outside at first, with messages in flight; every choice is decided by the seed."""

    def __init__(self, nodes: int, seed: int, rules: Rules | None = None) -> None:
        self.rules = rules or Rules(Parameters())
        self.random = Random(seed)
        self.states: dict[str, Node] = dict.fromkeys(names(nodes), OUTSIDE)
        self.in_flight: list[tuple[str, Message]] = []

    def take(self, name: str, taken: Input) -> None:
        """A step of a node."""
        local = self.states[name]
        toss = self.rules.toss(name, local, taken)
        one, other = (self.random.choice(view) if view else "-" for view in (toss.active, toss.passive))
        choice = Choice(f"{one} {other}", Fraction(1)) if toss.active or toss.passive else CERTAIN[0]
        outcome = self.rules.react(name, local, taken, choice)
        self.states[name] = outcome.local
        self.in_flight += [(send.target, send.message) for send in outcome.sends]

    def deliver(self) -> None:
        """Deliver messages in a drawn order, until none is left."""
        while self.in_flight:
            at = self.random.randrange(len(self.in_flight))
            self.in_flight[at], self.in_flight[-1] = self.in_flight[-1], self.in_flight[at]
            target, message = self.in_flight.pop()
            self.take(target, Received(message))

    def pass_by(self, periods: int) -> None:
        """Let periods pass."""
        for _ in range(periods):
            awake = [name for name, local in self.states.items() if local.status != "crashed"]
            for name in self.random.sample(awake, len(awake)):
                self.take(name, Timeout())
            self.deliver()

    def join(self, joining: Iterable[str]) -> None:
        """Let nodes join through the first one, which begins the overlay."""
        first = next(iter(self.states))
        for name in joining:
            self.take(name, Commanded(JoinCommand(first)))

    def crash(self, share: float) -> None:
        """Crash that share of the members, drawn, at once."""
        members = self.members()
        for name in self.random.sample(members, round(share * len(members))):
            self.states[name] = CRASHED

    def members(self) -> list[str]:
        """The live members, in order."""
        return [name for name, local in self.states.items() if local.status == "inside"]

    def together(self) -> float:
        """The share of live nodes in the largest set that links at both ends connect."""
        left, largest = tuple(self.members()), 0
        links = mutual({name: (self.states[name].active, None) for name in left})
        while left:
            apart = unreached(left, links)
            largest, left = max(largest, len(left) - len(apart)), apart
        live = sum(local.status != "crashed" for local in self.states.values())
        return largest / live


@cache
def grown(nodes: int, seed: int, at_once: bool = False) -> Crowd:
    """An overlay of that many nodes that joined through the first one, one in a period, or all at once.

    It is made once: only a copy is to be changed.
    """
    crowd = Crowd(nodes, seed)
    if at_once:
        crowd.join(crowd.states)
    else:
        for name in crowd.states:
            crowd.join((name,))
            crowd.take(name, Timeout())
            crowd.deliver()
    crowd.pass_by(SETTLE)
    return crowd


def after_failures(crowd: Crowd, share: float) -> tuple[float, float]:
    """The share of live nodes that are connected, at once after the failures, and when the overlay has settled."""
    crowd = deepcopy(crowd)
    crowd.crash(share)
    at_once = crowd.together()
    crowd.pass_by(SETTLE)
    return at_once, crowd.together()


def table(nodes: int, seeds: int) -> None:
    """Print the table of that many runs for each share of failures."""
    joined = [grown(nodes, seed, at_once=True).together() for seed in range(seeds)]
    whole = sum(share == 1 for share in joined)
    print(f"{nodes}, joined at once: {fmean(joined):.3f} in the end; connected in {whole} of {seeds}")
    crowds = [grown(nodes, seed) for seed in range(seeds)]
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        runs = [after_failures(crowd, share) for crowd in crowds]
        first, last = (fmean(column) for column in zip(*runs, strict=True))
        whole = sum(healed == 1 for _, healed in runs)
        print(f"{nodes}, {share:.0%}: {first:.3f} at once, {last:.3f} in the end; connected in {whole} of {seeds}")


if __name__ == "__main__":
    table(int(sys.argv[1]), int(sys.argv[2]))
