"""Disturbances of a run from outside: nodes join, leave and crash, are suspected then, and join again elsewhere."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.core.schedules import TIMES, Episode, Timed, by_time, timed
from gomboc.spec.protocols.skip_plus.space import shuffle
from gomboc.spec.protocols.skip_plus.state import Join, Leave, ascending
from gomboc.spec.types.kinds import Crash, Suspect

DELAYS = OneOf((1.0, 3.0, 9.0))
"""The times for which a node stays away, in periods."""


def disturbances(size: Size, names: tuple[str, ...]) -> Domain:
    """Every disturbance of a run of those nodes: every fourth node, and each that is outside, joins, leaves or crashes.

    A joining node knows one of the nodes that stay; a contact that is gone would leave it alone. A node that crashes
    for good may be suspected by all nodes that stay.

    Source: Slide 33
    """
    order = shuffle(names)
    members, outside = order[: size.nodes], order[size.nodes :]
    moving = ascending((*members[1::4], *outside))
    staying = tuple(name for name in names if name not in moving)
    return by_time(Table(partial(_of_node, staying), moving, _episode(staying), len(moving)))


def _episode(staying: tuple[str, ...]) -> Domain:
    joins, ends = OneOf(tuple(map(Join, staying))), Union((OneOf((Leave(),)), OneOf((Crash(),))))
    leaves = Record(lambda at, end: ((at, end),), (TIMES, ends))
    suspected = Record(lambda at: ((at, Crash()), (at + 1.0, Suspect)), (TIMES,))
    away = Record(lambda at, end, delay, join: ((at, end), (at + delay, join)), (TIMES, ends, DELAYS, joins))
    return Union((leaves, suspected, timed(*joins.values), away))


def _of_node(staying: tuple[str, ...], node: str, commands: Timed) -> Episode:
    return tuple(
        Disturbance(at, hearer, Suspect(node) if command is Suspect else command)
        for at, command in commands
        for hearer in (staying if command is Suspect else (node,))
    )
