"""Disturbances of a run: nodes join, crash and leave, keys are looked up and watched, memberships change."""

from gomboc.spec.core.domain import Domain, OneOf, Record, Union
from gomboc.spec.core.protocol import Size
from gomboc.spec.core.schedules import TIMES, Timed, by_time, episodes, timed
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import keys_of
from gomboc.spec.protocols.chord.state import Command, Join, Leave, Lookup, Peers, Unwatch, Watch
from gomboc.spec.types.kinds import Crash

DELAYS = OneOf((1.0, 4.0, 12.0))
"""The delay between a node's join command and its crash, and how long a key is watched, in periods."""

Names = tuple[str, ...]


def disturbances(parameters: Parameters, size: Size, names: Names) -> Domain:
    """The disturbances of a run of those nodes: every third may end, and nodes outside may join.

    The first r + 1 stay, and let others in. A ring that is not larger may not lose a member, but the next larger one
    may.

    Source: Section 2.2.3, init and crash; Stoica et al. 2003, Section IV-E
    """
    inside, outside = names[: size.nodes], names[size.nodes :]
    staying = inside[: parameters.r + 1]
    mortal = inside[parameters.r + 1 :: 3] or inside[-1:]
    passing = Record(_join_and_end, (TIMES, OneOf(staying), DELAYS, OneOf((Crash(), Leave()))))
    return by_time(
        episodes(mortal, timed(Crash(), Leave())),
        episodes(outside, Union((timed(*map(Join, staying)), passing))),
        episodes(staying, timed(*map(Lookup, keys_of(parameters))), 2),
        episodes(names, timed(Peers(tuple(sorted(names)))), len(names) if parameters.meet else 2),
        episodes(names, _watching(keys_of(parameters)), 2),
    )


def _watching(keys: Names) -> Domain:
    """A key is watched, for a while or for ever."""
    watches = Record(lambda at, key: ((at, Watch(key)),), (TIMES, OneOf(keys)))
    ends = Record(lambda at, key, delay: ((at, Watch(key)), (at + delay, Unwatch(key))), (TIMES, OneOf(keys), DELAYS))
    return Union((watches, ends))


def _join_and_end(at: float, contact: str, delay: float, end: Command) -> Timed:
    return (at, Join(contact)), (at + delay, end)
