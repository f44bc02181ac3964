"""Network disciplines: when messages arrive and timeouts are due, in periods.

The caller takes events that are due at one time in the order in which they were scheduled.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from gomboc.impl.core.automaton import RandomSource

JITTER = 0.2
"""Periods by which a timeout may come early or late, so that nodes do not march in step."""


class Discipline(Enum):
    """The order that the network keeps."""

    UNORDERED = "unordered"
    """Any message may overtake any other."""
    FIFO = "fifo"
    """Messages from one node to another arrive in the order in which they were sent."""
    ROUNDS = "rounds"
    """A message sent in a round arrives in the next one, before the timeout of its receiver; a period is a round."""


@dataclass(frozen=True, slots=True)
class Times:
    """Times of events that are scheduled now: arrival of a message, next or first timeout of a node, or a command.

    `arrives(now, sender, to)`; `due(now, at)`, where the core has asked for `at`; `first(now)`. A message that is in
    flight before time 0 arrives `initially()`; it has no sender, and keeps no order. A command that is meant for some
    time is `commanded(at)`.
    """

    arrives: Callable[[float, str, str], float]
    due: Callable[[float, float], float]
    first: Callable[[float], float]
    initially: Callable[[], float]
    commanded: Callable[[float], float]


def times(discipline: Discipline, delay: Callable[[], float], jitter: float, random: RandomSource) -> Times:
    """The times of a network with delays drawn by `delay` and periods that vary by `jitter`.

    Under ROUNDS neither has an effect: deliveries fall at random times into the first half of a round, timeouts into
    the second half.
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
    """Arrivals under FIFO: no message arrives before the last one of its link."""
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
        # A node that begins while others already have their timeouts has its own in the next round.
        return whole + (0.5 if now - whole < 0.5 else 1.5) + draw() / 2

    return Times(
        lambda now, _sender, _to: math.floor(now) + 1 + draw() / 2,
        lambda now, _at: math.floor(now) + 1.5 + draw() / 2,
        first,
        lambda: draw() / 2,
        # Before anything else of its round: once all nodes have acted, an observer sees the next round.
        lambda at: float(math.floor(at)),
    )
