"""What may befall a run from outside: nodes come, go and change their topics, and are told of wrong neighbours."""

from functools import partial

from gomboc.spec.domain import Domain, OneOf, Record, Table, Union, optional
from gomboc.spec.neighbourhood import Moved, Stayed, adjacent
from gomboc.spec.protocol import Disturbance, Size
from gomboc.spec.topic_directory.space import TOPICS, inside
from gomboc.spec.topic_directory.state import Announce, Crash, Enter, Retract

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""When something happens, in periods."""

SETTLED = 42.0
"""When the layer below is right again: all has happened by then."""

Episode = tuple[Disturbance, ...]


def disturbances(size: Size, every: tuple[str, ...]) -> Domain:
    """Everything that may befall a run of those nodes. In the end each is told of its right neighbours, and again."""
    members = inside(every, size.outside)
    moving = (*members[1::4], *(name for name in every if name not in members))
    told = (
        Table(_at, tuple(sorted(moving)), Record(_pair, (TIMES, OneOf((Crash(), Enter())))), len(moving)),
        Table(_at, every, Record(_pair, (TIMES, _topical())), len(every)),
        Record(_those, tuple(optional(_is_told(node, every)) for node in every)),
    )
    return Record(partial(_in_order, members), told)


def _topical() -> Domain:
    return Union(tuple(Record(kind, (OneOf(TOPICS),)) for kind in (Announce, Retract)))


def _is_told(node: str, every: tuple[str, ...]) -> Domain:
    """A node is told that any of the others are its neighbours."""
    others = tuple(name for name in every if name != node)
    some = Table(lambda name, _: name, others, OneOf((None,)), len(others))
    return Record(lambda at, neighbours: Disturbance(at, node, Moved(neighbours)), (TIMES, some))


def _those(*told: Disturbance | None) -> Episode:
    return tuple(each for each in told if each is not None)


def _pair(at: float, command: object) -> tuple[float, object]:
    return at, command


def _at(node: str, told: tuple[float, object]) -> Disturbance:
    return Disturbance(told[0], node, told[1])


def _in_order(members: tuple[str, ...], moving: Episode, topical: Episode, wrong: Episode) -> tuple[Disturbance, ...]:
    """All by time; then what the layer below says in the end, knowing who belongs to the directory by then."""
    entering = {each.node for each in moving if isinstance(each.command, Enter)}
    right = adjacent({*members, *entering} - ({each.node for each in moving} - entering))
    told = [*moving, *topical, *wrong]
    told += [Disturbance(SETTLED, name, Moved(beside)) for name, beside in right.items()]
    told += [Disturbance(SETTLED + 2.0, name, Stayed(beside)) for name, beside in right.items()]
    return tuple(sorted(told, key=lambda each: (each.at, each.node)))
