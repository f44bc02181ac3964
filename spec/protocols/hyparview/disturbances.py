"""Disturbances of a run: nodes join, crash and leave, and members publish."""

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.core.schedules import TIMES, Timed, by_time, episodes, timed
from gomboc.spec.protocols.hyparview.parameters import Parameters
from gomboc.spec.protocols.hyparview.space import items_of
from gomboc.spec.protocols.hyparview.state import Command, Item, JoinCommand, Leave, Spread
from gomboc.spec.protocols.hyparview.views import Names
from gomboc.spec.types.kinds import Crash

DELAYS = OneOf((1.0, 4.0, 12.0))
"""The delay between a node's join command and its crash, in periods."""


def disturbances(parameters: Parameters, size: Size, names: Names) -> Domain:
    """The disturbances of a run of those nodes: every third may end, nodes outside may join, members publish.

    The publications differ from the initial ones.

    Source: HyParView, Section 5; decided here
    """
    inside, outside = names[: size.nodes], names[size.nodes :]
    staying, mortal = inside[::3] + inside[1::3], inside[2::3]
    passing = Record(_join_and_end, (TIMES, OneOf(staying), DELAYS, OneOf((Crash(), Leave()))))
    fresh = items_of(parameters, staying, 2 * size.publications + 4)[2 * size.publications :]
    return by_time(
        episodes(mortal, timed(Crash(), Leave())),
        episodes(outside, Union((timed(*map(JoinCommand, staying)), passing))),
        Table(_spread, fresh, TIMES, len(fresh)),
    )


def _join_and_end(at: float, contact: str, delay: float, end: Command) -> Timed:
    return (at, JoinCommand(contact)), (at + delay, end)


def _spread(item: Item, at: float) -> Disturbance:
    return Disturbance(at, item.publication.publisher, Spread(item.topic, item.publication))
