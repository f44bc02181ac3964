"""The trace of a topic that shares its key: every node that watches the key hands its routes to all topics of it.

A node keeps no instance of a topic that needs none there, even if it watches the key for another one. So it takes no
routes there, and writes none: in the topic's trace it is blank but for the next hop, and the steps are added here, with
a timeout in each period, since rounds wait for it. In their place there is no step for the route that an instance is
told when it begins, and before it is dropped.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from math import inf
from operator import itemgetter

from msgspec import Raw
from msgspec.structs import replace

from gomboc.impl.core.routing import Routed, StillRouted
from gomboc.impl.core.trace import Step

Route = Routed | StillRouted

Due = Mapping[str, Sequence[tuple[float, Route]]]
"""The routes towards one key that the layer below has delivered to each node, with their times."""


def routes_due(steps: Iterable[Step], routes: Callable[[object], Route | None]) -> Due:
    """The routes among the deliveries of the layer below."""
    due: dict[str, list[tuple[float, Route]]] = {}
    for step in steps:
        for route in map(routes, step.delivered):
            if route is not None:
                due.setdefault(step.node, []).append((step.at or 0.0, route))
    return due


def with_routes(steps: Sequence[Step], due: Due, blank: Raw, routed: Callable[[Route], Raw]) -> list[Step]:
    """The steps of a topic, with every route that is due at a node in the state of a `blank` one.

    `routed` is the state of a blank node after a route. A node with another state has an instance, which takes its
    routes itself: for it none is added.
    """
    order = count()
    placed: list[tuple[float, int, Step]] = []
    by_node: dict[str, list[tuple[int, Step]]] = {node: [] for node in due}
    for step in steps:
        by_node.setdefault(step.node, []).append((next(order), step))
    for node, own in by_node.items():
        placed += _of_node(node, own, due.get(node, ()), next(order), blank, routed)
    return [step for *_, step in sorted(placed, key=itemgetter(0, 1))]


def _of_node(
    node: str,
    own: Sequence[tuple[int, Step]],
    due: Sequence[tuple[float, Route]],
    last: int,
    blank: Raw,
    routed: Callable[[Route], Raw],
) -> Iterator[tuple[float, int, Step]]:
    """The steps of one node with their times and places; `last` is behind all of them.

    `idle` is its state without an instance, or with one that nothing needs.
    """
    waiting, state, idle = deque(due), bytes(blank), blank

    def add(until: float) -> Iterator[tuple[float, int, Step]]:
        nonlocal state, idle
        while waiting and waiting[0][0] < until:
            at, route = waiting.popleft()
            was, idle = bytes(idle), routed(route)
            if state == was:
                state = bytes(idle)
                yield at, last, Step(node, route, idle, [], at=at)
                if isinstance(route, StillRouted):
                    yield at, last, Step(node, "timeout", idle, [], at=at)

    for number, step in own:
        at = step.at or 0.0
        yield from add(at)
        if isinstance(step.took, Route) and waiting and waiting[0] == (at, step.took):
            idle = routed(waiting.popleft()[1])
        elif isinstance(step.took, Routed):
            continue
        after = idle if bytes(step.state) == bytes(blank) else step.state
        state = bytes(after)
        yield at, number, replace(step, state=after)
    yield from add(inf)
