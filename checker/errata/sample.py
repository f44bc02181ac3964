"""Random runs of a protocol under a slow network: the number of rounds until the system is legitimate."""

from random import Random
from statistics import median
from typing import Any

import msgspec

from gomboc.spec.core.domain import sample
from gomboc.spec.core.faults import is_faultless
from gomboc.spec.core.model import Input, Received, Timeout
from gomboc.spec.core.protocol import Protocol, Size

LATE = 0.5
"""The chance that a message waits for one more round."""


class Sample(msgspec.Struct, frozen=True):
    """The rounds of some runs, in ascending order; runs that were given up count as `most`."""

    rounds: tuple[int, ...]

    @property
    def median(self) -> str:
        """The median, as it is printed."""
        return f"{median(self.rounds):g}"


def sample_rounds(
    protocol: Protocol, spaces: Protocol, nodes: int, runs: int, most: int, publications: int = 0
) -> Sample:
    """So many runs of `protocol` from arbitrary starts of `spaces`, with three messages in flight for each node.

    At first there are at most so many publications.

    Run i is decided by the seed i. In each round every message in flight is delivered or waits, by a coin, and then
    every node times out, in random order.
    """
    size = Size(nodes, 3 * nodes, publications)
    return Sample(tuple(sorted(_rounds(protocol, spaces, size, Random(seed), most) for seed in range(runs))))


def _rounds(protocol: Protocol, spaces: Protocol, size: Size, random: Random, most: int) -> int:
    start = sample(spaces.starts.space(size), random)
    run = _Run(protocol, dict(start.locals), list(start.in_flight), random)
    for rounds in range(most):
        if is_faultless(spaces, run.states, tuple(run.in_flight)):
            return rounds
        run.round()
    return most


class _Run:
    """A run, executed round by round."""

    def __init__(self, protocol: Protocol, states: dict[str, Any], in_flight: list[Any], random: Random) -> None:
        self.states, self.in_flight = states, in_flight
        self._protocol, self._random = protocol, random

    def round(self) -> None:
        """One round."""
        waiting, self.in_flight = self.in_flight, []
        self._random.shuffle(waiting)
        for target, message in waiting:
            if self._random.random() < LATE:
                self.in_flight.append((target, message))
            else:
                self._take(target, Received(message))
        nodes = sorted(self.states)
        self._random.shuffle(nodes)
        for node in nodes:
            self._take(node, Timeout())

    def _take(self, node: str, taken: Input) -> None:
        choices = self._protocol.actor.choices(node, self.states[node], taken)
        (choice,) = self._random.choices(choices, [float(option.probability) for option in choices])
        outcome = self._protocol.actor.react(node, self.states[node], taken, choice)
        self.states[node] = outcome.local
        self.in_flight += [(send.target, send.message) for send in outcome.sends]
