"""Disturbances of a run: clients subscribe, publish and unsubscribe; brokers crash, restart and join."""

from gomboc.spec.core.domain import Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Disturbance, Size
from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes
from gomboc.spec.protocols.delta_fault_tolerance.names import Names, distance, path
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import FILTERS
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    Command,
    Crash,
    Join,
    Publish,
    Restart,
    Subscribe,
    Unsubscribe,
)

EARLY = OneOf(tuple(map(float, range(1, 9))))
TIMES = OneOf(tuple(each / 2 for each in range(16, 61)))
"""When something happens, in periods: subscriptions before most publications."""

CRASHES = OneOf((10.0, 10.5, 11.0, 14.0, 20.0, 24.5))
"""When brokers that lie side by side crash."""

DELAYS = OneOf((0.5, 2.0, 6.0, 15.0))
"""How long they stay away."""

PUBLICATIONS: tuple[Attributes, ...] = (
    (("x", 1),),
    (("x", 2),),
    (("name", "a"), ("x", 1)),
    (("name", "b"),),
)

JOINS = Union(
    (
        Record(lambda at: ((at, Join()),), (OneOf((*EARLY.values, *CRASHES.values)),)),
        Record(
            lambda at, wanted: ((at, Join()), (at + 1, Subscribe(wanted))),
            (OneOf((*EARLY.values, *CRASHES.values)), OneOf(FILTERS)),
        ),
    )
)
"""Joins of a broker: early, or when others crash; some with a subscription right after."""

Episode = tuple[Disturbance, ...]


def disturbances(parameters: Parameters, size: Size, names: Names) -> Domain:
    """All disturbances of a run of these brokers in which never more than delta in a row are away at once.

    The brokers that may crash lie in one group with at most delta in a row; the others stay. Each broker of the group
    crashes up to twice, at any time, so that several failures overlap. Brokers outside may join.

    Source: Section 5, delta-fault-tolerance
    """
    outside = names_outside(size, names)
    subscriptions = Table(
        _at, names, Record(_timed, (EARLY, OneOf(tuple(map(Subscribe, FILTERS))))), min(4, len(names))
    )
    publications = tuple(
        Table(_at, names, Record(_timed, (TIMES, OneOf(tuple(map(Publish, PUBLICATIONS))))), min(3, len(names)))
        for _ in range(3)
    )
    ends = Table(_at, names, Record(_timed, (TIMES, OneOf(tuple(map(Unsubscribe, FILTERS))))), min(2, len(names)))
    crashes = Union(tuple(_crashes(group) for group in groups(parameters.delta, names)))
    joins = (Record(_flat, (Table(_of_broker, outside, JOINS, len(outside)),)),) if outside else ()
    return Record(_in_order, (subscriptions, *publications, ends, crashes, *joins))


def names_outside(size: Size, names: Names) -> Names:
    """Names of the brokers outside at an arbitrary start: their labels follow those of the others."""
    return tuple(name for name in names if int(name.rpartition(".")[2]) >= size.nodes) if size.outside else ()


def groups(delta: int, names: Names) -> tuple[Names, ...]:
    """Groups of brokers that may be away at once: any groups with at most delta brokers in a row.

    Each group is built greedily from the brokers in some order.
    """
    orders = (names, names[::-1], names[1::2] + names[::2], names[2::3] + names[::3] + names[1::3])
    distinct = dict.fromkeys(_greedy(delta, order[: len(names) - 1]) for order in orders if len(order) == len(names))
    return tuple(distinct)


def _greedy(delta: int, order: Names) -> Names:
    group: Names = ()
    for name in order:
        if longest(name, (*group, name)) <= delta:
            group = (*group, name)
    return group


def longest(name: str, group: Names) -> int:
    """The most brokers of a group that lie in a row with this one."""
    inside = frozenset(group)
    ways = (path(one, other) for one in group for other in group if distance(one, other) + 1 <= len(group))
    return max((len(way) for way in ways if name in way and inside.issuperset(way)), default=0)


def _crashes(group: Names) -> Domain:
    once = Record(lambda at, delay: ((at, Crash()), (at + delay, Restart())), (CRASHES, DELAYS))
    again = Record(lambda at, delay: ((at + 20, Crash()), (at + 20 + delay, Restart())), (CRASHES, DELAYS))
    parts = tuple(Table(_of_broker, group, domain, len(group)) for domain in (once, again))
    return Record(_flat, parts)


def _flat(*parts: tuple[Episode, ...]) -> Episode:
    return tuple(disturbance for part in parts for episode in part for disturbance in episode)


def _timed(at: float, command: Command) -> tuple[float, Command]:
    return at, command


def _at(node: str, timed: tuple[float, Command]) -> Disturbance:
    return Disturbance(timed[0], node, timed[1])


def _of_broker(node: str, timed: tuple[tuple[float, Command], ...]) -> Episode:
    return tuple(Disturbance(at, node, command) for at, command in timed)


def _in_order(*parts: Episode) -> Episode:
    return tuple(
        sorted(
            (disturbance for part in parts for disturbance in part),
            key=lambda disturbance: (disturbance.at, disturbance.node),
        )
    )
