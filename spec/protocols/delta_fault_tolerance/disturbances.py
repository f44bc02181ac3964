"""Disturbances of a run: clients subscribe, publish and unsubscribe; brokers crash, restart and join."""

from gomboc.spec.core.domain import Domain, OneOf, Record, Union, several
from gomboc.spec.core.protocol import Size
from gomboc.spec.core.schedules import by_time, episodes, timed
from gomboc.spec.protocols.delta_fault_tolerance.commands import Join, Publish, Subscribe, Unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.filters import Attributes
from gomboc.spec.protocols.delta_fault_tolerance.names import Names
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.premise import longest_chain
from gomboc.spec.protocols.delta_fault_tolerance.space import FILTERS
from gomboc.spec.types.kinds import Crash, Restart

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

JOINING = OneOf((*EARLY.values, *CRASHES.values))
JOINS = Union(
    (
        Record(lambda at: ((at, Join()),), (JOINING,)),
        Record(lambda at, wanted: ((at, Join()), (at + 1, Subscribe(wanted))), (JOINING, OneOf(FILTERS))),
    )
)
"""Joins of a broker: early, or when others crash; some with a subscription right after."""


def disturbances(parameters: Parameters, size: Size, names: Names) -> Domain:
    """All disturbances of a run of these brokers in which never more than delta in a row are away at once.

    The brokers that may crash lie in one group with at most delta in a row; the others stay. Each broker of the group
    crashes up to twice, at any time, so that several failures overlap. Brokers outside may join.

    Source: Section 5, delta-fault-tolerance
    """
    outside, few = names_outside(size, names), len(names)
    subscriptions = episodes(names, timed(*map(Subscribe, FILTERS), times=EARLY), min(4, few))
    publications = episodes(names, timed(*map(Publish, PUBLICATIONS), times=TIMES), min(3, few))
    ends = episodes(names, timed(*map(Unsubscribe, FILTERS), times=TIMES), min(2, few))
    crashes = Union(tuple(_crashes(group) for group in groups(parameters.delta, names)))
    joins = (several(episodes(outside, JOINS)),) if outside else ()
    return by_time(subscriptions, *[publications] * 3, ends, crashes, *joins)


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
        if len(longest_chain((*group, name))) <= delta:
            group = (*group, name)
    return group


def _crashes(group: Names) -> Domain:
    once = Record(lambda at, delay: ((at, Crash()), (at + delay, Restart())), (CRASHES, DELAYS))
    again = Record(lambda at, delay: ((at + 20, Crash()), (at + 20 + delay, Restart())), (CRASHES, DELAYS))
    return several(episodes(group, once), episodes(group, again))
