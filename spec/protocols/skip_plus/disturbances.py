"""Disturbances of a run from outside: nodes join, leave and crash, and join again through another node."""

from gomboc.spec.core.domain import Domain, OneOf, Record, Union
from gomboc.spec.core.protocol import Size
from gomboc.spec.core.schedules import TIMES, by_time, episodes, timed
from gomboc.spec.protocols.skip_plus.space import shuffle
from gomboc.spec.protocols.skip_plus.state import Join, Leave, ascending
from gomboc.spec.types.kinds import Crash

DELAYS = OneOf((1.0, 3.0, 9.0))
"""The times for which a node stays away, in periods."""


def disturbances(size: Size, names: tuple[str, ...]) -> Domain:
    """Every disturbance of a run of those nodes: every fourth node, and each that is outside, joins, leaves or crashes.

    A joining node knows one of the nodes that stay; a contact that is gone would leave it alone.

    Source: Slide 33
    """
    order = shuffle(names)
    members, outside = order[: size.nodes], order[size.nodes :]
    moving = ascending((*members[1::4], *outside))
    staying = tuple(name for name in names if name not in moving)
    return by_time(episodes(moving, _episode(staying)))


def _episode(staying: tuple[str, ...]) -> Domain:
    joins, ends = OneOf(tuple(map(Join, staying))), Union((OneOf((Leave(),)), OneOf((Crash(),))))
    leaves = Record(lambda at, end: ((at, end),), (TIMES, ends))
    away = Record(lambda at, end, delay, join: ((at, end), (at + delay, join)), (TIMES, ends, DELAYS, joins))
    return Union((leaves, timed(*joins.values), away))
