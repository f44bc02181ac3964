"""Disturbances of a run from outside: nodes join, leave and crash, and join again through another node."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.environment import Offer
from gomboc.spec.core.model import InFlight, States
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.protocols.skip_plus.premise import disconnected
from gomboc.spec.protocols.skip_plus.space import shuffle
from gomboc.spec.protocols.skip_plus.state import ABSENT, Command, Crash, Join, Leave, ascending

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""The times of events, in periods."""

DELAYS = OneOf((1.0, 3.0, 9.0))
"""The times for which a node stays away, in periods."""

Episode = tuple[Disturbance, ...]


def disturbances(size: Size, names: tuple[str, ...]) -> Domain:
    """Every disturbance of a run of those nodes: every fourth node, and each that is outside, joins, leaves or crashes.

    A joining node knows one of the nodes that stay; a contact that is gone would leave it alone.

    Source: Slide 33
    """
    order = shuffle(names)
    members, outside = order[: size.nodes], order[size.nodes :]
    moving = ascending((*members[1::4], *outside))
    staying = tuple(name for name in names if name not in moving)
    return Record(_in_order, (Table(_of_node, moving, _episodes(staying), len(moving)),))


Told = tuple[tuple[float, Command], ...]
"""An episode without its node."""


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


def _of_node(node: str, moves: Told) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in moves)


def _in_order(episodes: tuple[Episode, ...]) -> Episode:
    disturbed = [disturbance for episode in episodes for disturbance in episode]
    return tuple(sorted(disturbed, key=lambda disturbance: (disturbance.at, disturbance.node)))


def environment(states: States, in_flight: InFlight) -> tuple[Offer, ...]:
    """A live node may leave, or crash if that leaves the others connected; an absent node may join.

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
