"""Disturbances of a run from outside: nodes enter, crash and change their topics, and are told wrong neighbours."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union, optional
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.layers.neighbourhood import Moved, Stayed, adjacent
from gomboc.spec.protocols.topic_directory.space import TOPICS, inside
from gomboc.spec.protocols.topic_directory.state import Announce, Crash, Enter, Retract

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""The times of events, in periods."""

SETTLED = 42.0
"""The period at which the layer below is right again, after all other disturbances."""

Episode = tuple[Disturbance, ...]


def disturbances(size: Size, every: tuple[str, ...]) -> Domain:
    """Every disturbance of a run of those nodes. In the end each is told its right neighbours, twice."""
    members = inside(every, size.outside)
    moving = (*members[1::4], *(name for name in every if name not in members))
    domains = (
        Table(_at, tuple(sorted(moving)), Record(_pair, (TIMES, OneOf((Crash(), Enter())))), len(moving)),
        Table(_at, every, Record(_pair, (TIMES, _topical())), len(every)),
        Record(_those, tuple(optional(_is_informed(node, every)) for node in every)),
    )
    return Record(partial(_in_order, members), domains)


def _topical() -> Domain:
    return Union(tuple(Record(kind, (OneOf(TOPICS),)) for kind in (Announce, Retract)))


def _is_informed(node: str, every: tuple[str, ...]) -> Domain:
    """A node is told that any of the others are its neighbours."""
    others = tuple(name for name in every if name != node)
    some = Table(lambda name, _: name, others, OneOf((None,)), len(others))
    return Record(lambda at, neighbours: Disturbance(at, node, Moved(neighbours)), (TIMES, some))


def _those(*chosen: Disturbance | None) -> Episode:
    return tuple(disturbance for disturbance in chosen if disturbance is not None)


def _pair(at: float, command: object) -> tuple[float, object]:
    return at, command


def _at(node: str, timed: tuple[float, object]) -> Disturbance:
    return Disturbance(timed[0], node, timed[1])


def _in_order(members: tuple[str, ...], moving: Episode, topical: Episode, wrong: Episode) -> tuple[Disturbance, ...]:
    """All by time; then the right neighbours from the layer below, for the nodes that are in the directory by then."""
    entering = {disturbance.node for disturbance in moving if isinstance(disturbance.command, Enter)}
    right = adjacent({*members, *entering} - ({disturbance.node for disturbance in moving} - entering))
    everything = [*moving, *topical, *wrong]
    everything += [Disturbance(SETTLED, name, Moved(beside)) for name, beside in right.items()]
    everything += [Disturbance(SETTLED + 2.0, name, Stayed(beside)) for name, beside in right.items()]
    return tuple(sorted(everything, key=lambda disturbance: (disturbance.at, disturbance.node)))
