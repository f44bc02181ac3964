"""Disturbances of a run: nodes join, crash and leave, applications look keys up, memberships change."""

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.space import keys_of
from gomboc.spec.protocols.chord.state import Command, Crash, Join, Leave, Lookup, Peers

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""The times of commands, in periods."""

DELAYS = OneOf((1.0, 4.0, 12.0))
"""The delay between a node's join command and its crash, in periods."""

Names = tuple[str, ...]
Told = tuple[tuple[float, Command], ...]
"""An episode without its node."""

Episode = tuple[Disturbance, ...]


def disturbances(parameters: Parameters, size: Size, names: Names) -> Domain:
    """The disturbances of a run of those nodes: every third may end, and nodes outside may join.

    The first r + 1 stay, and let others in. A ring that is not larger may not lose a member, but the next larger one
    may.

    Source: Section 2.2.3, init and crash; Stoica et al. 2003, Section IV-E
    """
    inside, outside = names[: size.nodes], names[size.nodes :]
    staying = inside[: parameters.r + 1]
    mortal = inside[parameters.r + 1 :: 3] or inside[-1:]
    ends = Record(_once, (TIMES, OneOf((Crash(), Leave()))))
    joins = Record(_once, (TIMES, OneOf(tuple(map(Join, staying)))))
    passing = Record(_join_and_end, (TIMES, OneOf(staying), DELAYS, OneOf((Crash(), Leave()))))
    lookups = Record(_once, (TIMES, OneOf(tuple(map(Lookup, keys_of(parameters))))))
    peers = Record(_once, (TIMES, OneOf((Peers(tuple(sorted(names))),))))
    tables = [
        Table(_of_node, mortal, ends, len(mortal)),
        Table(_of_node, outside, Union((joins, passing)), len(outside)),
        Table(_of_node, staying, lookups, 2),
    ]
    tables.append(Table(_of_node, names, peers, len(names) if parameters.meet else 2))
    return Record(_in_order, tuple(tables))


def _once(at: float, command: Command) -> Told:
    return ((at, command),)


def _join_and_end(at: float, contact: str, delay: float, end: Command) -> Told:
    return (at, Join(contact)), (at + delay, end)


def _of_node(node: str, commands: Told) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in commands)


def _in_order(*tables: tuple[Episode, ...]) -> Episode:
    disturbances_of_all = [disturbance for episodes in tables for episode in episodes for disturbance in episode]
    return tuple(sorted(disturbances_of_all, key=lambda disturbance: (disturbance.at, disturbance.node)))
