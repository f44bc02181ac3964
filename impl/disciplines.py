"""The orders that a network may keep: when what is sent arrives, and when a timeout is due, in periods.

Whoever schedules takes what is due at one time in the order in which it was scheduled.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from gomboc.impl.automaton import RandomSource

JITTER = 0.2
"""Periods by which a timeout may come early or late, so that nodes do not march in step."""


class Discipline(Enum):
    """Which order it is."""

    UNORDERED = "unordered"
    """Any message may overtake any other."""
    FIFO = "fifo"
    """What one node sends to another arrives in the order in which it was sent."""
    ROUNDS = "rounds"
    """What is sent in a round arrives in the next one, before the timeout of whom it is for; a period is a round."""


@dataclass(frozen=True, slots=True)
class Times:
    """When things happen that are decided now: a message arrives, a node has its next timeout, or its first one.

    `arrives(now, sender, to)`; `due(now, at)`, where the core has asked for `at`; `first(now)`. A message that is in
    flight before time 0 arrives `initially()`; it comes from nobody, and keeps no order. A command that is meant for
    some time is `commanded(at)`.
    """

    arrives: Callable[[float, str, str], float]
    due: Callable[[float, float], float]
    first: Callable[[float], float]
    initially: Callable[[], float]
    commanded: Callable[[float], float]


def times(discipline: Discipline, delay: Callable[[], float], jitter: float, random: RandomSource) -> Times:
    """Those of a network whose delays are drawn by `delay` and whose periods are longer or shorter by `jitter`.

    Under ROUNDS neither means anything: within its round, the first half of which has the deliveries, all is by chance.
    """
    match discipline:
        case Discipline.UNORDERED:
            return _free(lambda now, _sender, _to: now + delay(), delay, jitter, random)
        case Discipline.FIFO:
            return _free(_in_order(delay), delay, jitter, random)
        case Discipline.ROUNDS:
            return _in_rounds(random)


def _free(
    arrives: Callable[[float, str, str], float], delay: Callable[[], float], jitter: float, random: RandomSource
) -> Times:
    draw = random.random
    return Times(
        arrives, lambda _now, at: at + jitter * (2 * draw() - 1), lambda now: now + draw(), delay, lambda at: at
    )


def _in_order(delay: Callable[[], float]) -> Callable[[float, str, str], float]:
    """No message arrives before the last one of its link."""
    last: dict[tuple[str, str], float] = {}

    def arrives(now: float, sender: str, to: str) -> float:
        link = sender, to
        last[link] = max(now + delay(), last.get(link, 0.0))
        return last[link]

    return arrives


def _in_rounds(random: RandomSource) -> Times:
    draw = random.random

    def first(now: float) -> float:
        whole = math.floor(now)
        # Who begins while others already have their timeouts has its own in the next round.
        return whole + (0.5 if now - whole < 0.5 else 1.5) + draw() / 2

    return Times(
        lambda now, _sender, _to: math.floor(now) + 1 + draw() / 2,
        lambda now, _at: math.floor(now) + 1.5 + draw() / 2,
        first,
        lambda: draw() / 2,
        # Before anything else of its round: once all nodes have acted the next round has begun for everybody who looks.
        lambda at: float(math.floor(at)),
    )
