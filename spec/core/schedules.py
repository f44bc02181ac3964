"""Disturbances of a run as domains: commands at a time, the episodes of single nodes, and all of a run by time."""

from collections.abc import Iterator
from typing import Any

from gomboc.spec.core.domain import Domain, OneOf, Record, Table
from gomboc.spec.core.protocol import Disturbance

TIMES = OneOf(tuple(map(float, range(1, 31))))
"""When an episode begins, in periods."""

Timed = tuple[tuple[float, Any], ...]
"""An episode without its node: commands, each with its time."""

Episode = tuple[Disturbance, ...]


def timed(*commands: Any, times: Domain = TIMES) -> Record:
    """Every episode of one of those commands, at any of the times."""
    return Record(lambda at, command: ((at, command),), (times, OneOf(commands)))


def episodes(nodes: tuple[str, ...], episode: Domain, most: int | None = None) -> Table:
    """At most `most` of those nodes, or any, each with an episode of its own."""
    return Table(_of_node, nodes, episode, len(nodes) if most is None else most)


def _of_node(node: str, commands: Timed) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in commands)


def by_time(*parts: Domain) -> Record:
    """The disturbances of all parts by time; those of one node at one time keep the order of the parts."""
    return Record(in_order, parts)


def in_order(*parts: Any) -> Episode:
    """Disturbances by time and node, out of values that are None, a disturbance, or several of such values."""
    return tuple(sorted(_flat(parts), key=lambda disturbance: (disturbance.at, disturbance.node)))


def _flat(part: Any) -> Iterator[Disturbance]:
    if isinstance(part, Disturbance):
        yield part
    elif part is not None:
        for inner in part:
            yield from _flat(inner)
