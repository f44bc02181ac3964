"""What may befall a run from outside: nodes join, leave and crash, and come back by another node's hand."""

from functools import partial

from gomboc.spec.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.environment import Offer
from gomboc.spec.model import InFlight, States
from gomboc.spec.protocol import Disturbance, Size
from gomboc.spec.skip_plus.premise import disconnected
from gomboc.spec.skip_plus.space import shuffle
from gomboc.spec.skip_plus.state import ABSENT, Command, Crash, Join, Leave, ascending

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""When something happens, in periods."""

DELAYS = OneOf((1.0, 3.0, 9.0))
"""How long a node stays away, in periods."""

Episode = tuple[Disturbance, ...]


def disturbances(size: Size, names: tuple[str, ...]) -> Domain:
    """Everything that may befall a run of those nodes: every fourth, or whoever is outside, joins, leaves or crashes.

    Whoever joins knows one of those who stay; a contact that is gone would leave it alone.

    Source: Slide 33
    """
    order = shuffle(names)
    members, outside = order[: size.nodes], order[size.nodes :]
    moving = ascending((*members[1::4], *outside))
    staying = tuple(name for name in names if name not in moving)
    return Record(_in_order, (Table(_of_node, moving, _episodes(staying), len(moving)),))


Told = tuple[tuple[float, Command], ...]
"""An episode before it is known whose it is."""


def _episodes(staying: tuple[str, ...]) -> Domain:
    contact = OneOf(staying)
    ends = Union((OneOf((Leave(),)), OneOf((Crash(),))))
    return Union(
        (
            Record(lambda at, end: ((at, end),), (TIMES, ends)),
            Record(lambda at, known: ((at, Join(known)),), (TIMES, contact)),
            Record(
                lambda at, end, delay, known: ((at, end), (at + delay, Join(known))), (TIMES, ends, DELAYS, contact)
            ),
        )
    )


def _of_node(node: str, told: Told) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in told)


def _in_order(episodes: tuple[Episode, ...]) -> Episode:
    told = [each for episode in episodes for each in episode]
    return tuple(sorted(told, key=lambda each: (each.at, each.node)))


def environment(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """Whoever takes part may leave, or crash where that leaves the others connected; whoever does not may join.

    Source: Slide 33
    """
    live = tuple(sorted(name for name, local in states.items() if local.live))
    absent = tuple(sorted(name for name, local in states.items() if local == ABSENT))
    left = partial(_stays_connected, states, in_flight)
    return (
        *(Offer(name, Leave(), "leave") for name in live),
        *(Offer(name, Crash(), "crash") for name in live if left(name)),
        *(Offer(name, Join(contact), "join") for name in absent for contact in live),
    )


def _stays_connected(states: States, in_flight: InFlight, node: str) -> bool:
    """Whether the others are connected without that node."""
    return not disconnected({**states, node: ABSENT}, in_flight)
