"""Disturbances of a run from outside: nodes enter, crash and change their topics, and are told wrong neighbours."""

from functools import partial

from gomboc.spec.core.domain import Domain, OneOf, Record, Union
from gomboc.spec.core.protocol import Size
from gomboc.spec.core.schedules import TIMES, Episode, episodes, in_order, timed
from gomboc.spec.layers.lists import inside, misled, put_right
from gomboc.spec.protocols.topic_directory.space import TOPICS
from gomboc.spec.protocols.topic_directory.state import Announce, Enter, Retract
from gomboc.spec.types.kinds import Crash


def disturbances(size: Size, every: tuple[str, ...]) -> Domain:
    """Every disturbance of a run of those nodes. In the end each is told its right neighbours, twice."""
    members = inside(every, size.outside)
    moving = (*members[1::4], *(name for name in every if name not in members))
    moves = episodes(tuple(sorted(moving)), timed(Crash(), Enter()))
    return Record(partial(_settled, members), (moves, episodes(every, _topical()), misled(every)))


def _topical() -> Domain:
    commands = Union(tuple(Record(kind, (OneOf(TOPICS),)) for kind in (Announce, Retract)))
    return Record(lambda at, command: ((at, command),), (TIMES, commands))


def _settled(
    members: tuple[str, ...], moving: tuple[Episode, ...], topical: tuple[Episode, ...], wrong: Episode
) -> Episode:
    """All by time; then the right neighbours from the layer below, for the nodes that are in the directory by then."""
    moved = {disturbance.node: disturbance for (disturbance,) in moving}
    entering = {node for node, disturbance in moved.items() if isinstance(disturbance.command, Enter)}
    live = {*members, *entering} - ({*moved} - entering)
    return in_order(moving, topical, wrong, put_right(live))
