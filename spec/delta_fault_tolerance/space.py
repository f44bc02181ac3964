"""Where a system may start: any tree of brokers, whose tables are right, with any subscriptions."""

from collections.abc import Callable, Mapping
from hashlib import sha256

from spec.delta_fault_tolerance.filters import Filter, Predicate
from spec.delta_fault_tolerance.legitimacy import Anchor, Share, right_state
from spec.delta_fault_tolerance.parameters import Parameters
from spec.delta_fault_tolerance.tree import Names
from spec.domain import Domain, OneOf, Record, Table, Union
from spec.protocol import Size, Start

ROLE = "broker"

FILTERS: tuple[Filter, ...] = (
    (Predicate("x", "=", 1),),
    (Predicate("x", ">", 1),),
    (Predicate("name", "prefix", "a"), Predicate("x", "exists", None)),
    (),
)
"""What clients subscribe to, here and in what may befall a run."""

TREES = 12
"""How many trees of a size are drawn, besides a line and a star."""

DEEPEST = 20
"""Brokers between the root of a tree that is drawn and its deepest leaf, at most: names have 64 characters."""


def trees(nodes: int) -> tuple[Names, ...]:
    """Some trees of so many brokers: a line, a star, and others, each as its names, ascending."""
    drawn = (_tree(nodes, lambda place, seed=seed: _draw(seed, place)) for seed in range(TREES))  # type: ignore[misc]
    shapes = (line(nodes), star(nodes), *drawn)
    return tuple(dict.fromkeys(shapes))


def _draw(seed: int, place: int) -> int:
    return int.from_bytes(sha256(f"{seed} {place}".encode()).digest()[:4]) % place


def line(nodes: int) -> Names:
    """A line of brokers, whose root is in the middle."""
    return _tree(nodes, lambda place: max(0, place - 2))


def star(nodes: int) -> Names:
    """A star of brokers around the root."""
    return _tree(nodes, lambda _: 0)


def _tree(nodes: int, parent: Callable[[int], int]) -> Names:
    """The tree in which the parent of each broker but the first is that earlier one; ascending."""
    made: list[str] = ["0"]
    for place in range(1, nodes):
        above = made[parent(place)]
        made.append(f"{above if above.count('.') < DEEPEST else made[0]}.{place}")
    return tuple(sorted(made[:nodes]))


def space(given: Parameters, size: Size) -> Domain:
    """Every start on some trees of that many brokers, whose clients have subscribed to anything; nothing is in flight.

    Source: decided here: the paper promises nothing from any other state
    """
    return Union(tuple(_starts(given, names) for names in trees(size.nodes)))


def _starts(given: Parameters, names: Names) -> Domain:
    wanted = Table(_wanted, names, OneOf(FILTERS), min(len(names), 4))
    return Record(lambda subscribed: right_start(given, names, dict(subscribed)), (wanted,))


def _wanted(name: str, wanted: Filter) -> tuple[str, tuple[Filter, ...]]:
    return name, (wanted,)


def right_start(given: Parameters, names: Names, wanted: Mapping[str, tuple[Filter, ...]]) -> Start:
    """Those brokers with those subscriptions, when all is over."""
    brokers: Anchor = tuple((name, Share("operational", wanted.get(name, ()), ())) for name in sorted(names))
    locals_ = tuple((name, right_state(given, brokers, name)) for name, _ in brokers)
    return Start(tuple((name, ROLE) for name, _ in brokers), locals_)


def start(given: Parameters, nodes: int) -> Start:
    """A tree of that many brokers, where one has subscribed.

    Source: Section 4.4
    """
    names = trees(nodes)[-1]
    return right_start(given, names, {names[-1]: FILTERS[:1]})


def bound(nodes: int) -> int:
    """Rounds after which a run that is not legitimate is called divergent. Measured runs are far below it."""
    return 40 + 10 * nodes
