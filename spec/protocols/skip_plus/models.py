"""Small systems of Skip+ that are explored to their end: the starts. The results are in `models.toml`.

Each claim has the bounds of its instance.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain, combinations, product
from typing import Any

from gomboc.spec.core.domain import Domain, OneOf, Record
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import Closure, read_models
from gomboc.spec.core.protocol import Protocol, Start, configured, variant
from gomboc.spec.core.starts import started
from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.legitimacy import right_state
from gomboc.spec.protocols.skip_plus.names import SEPARATOR, string_of
from gomboc.spec.protocols.skip_plus.ranges import UNBOUNDED, neighbours, ranges
from gomboc.spec.protocols.skip_plus.space import ROLE, Names, any_ranges
from gomboc.spec.protocols.skip_plus.state import ABSENT, NeighbourRanges, Node, Update, ascending


def named(*strings: str) -> Names:
    """Nodes a, b, c, ... with those strings."""
    return tuple(f"{chr(ord('a') + position)}{SEPARATOR}{string}" for position, string in enumerate(strings))


def every_naming(nodes: int, bits: int) -> Iterator[Names]:
    """Every way to give that many nodes strings of that many bits."""
    strings = ["".join(bits_of_one) for bits_of_one in product("01", repeat=bits)]
    return (named(*chosen) for chosen in product(strings, repeat=nodes))


def subsets(names: Names) -> tuple[Names, ...]:
    """Every set of those names, ascending."""
    return tuple(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


def anything(names: Names, in_flight: int) -> Instance:
    """Nodes that know any nodes, with any flags and any ranges of the others; and any Updates in flight."""

    def local(me: str) -> Domain:
        others = tuple(name for name in names if name != me)
        bounds = Record(_ranges, (OneOf((False, True)), *(any_ranges(name, names) for name in others)))
        return Record(
            lambda known, stable, bounds: Node(
                True, known, stable, tuple(map(NeighbourRanges, others, bounds)) if bounds else ()
            ),
            (OneOf(subsets(names)), OneOf(subsets(others)), bounds),
        )

    updates = tuple(
        (target, Update(sender, (UNBOUNDED,) * len(string_of(sender)), inserts))
        for target in names
        for sender in names
        for inserts in subsets(names)
    )
    return instance_of(PROTOCOL, {name: local(name) for name in names}, OneOf(updates), in_flight)


def _ranges(anything: bool, *bounds: Any) -> tuple[Any, ...]:
    return bounds if anything else ()


def by(most_names: int | None) -> Protocol:
    """Skip+ with so many names in a message."""
    return configured(PROTOCOL, {} if most_names is None else {"most_names": most_names})


def graphs(names: Names, most_names: int | None = None) -> Instance:
    """Every graph of nodes with any flags; each is told no, the true or unbounded ranges by each other node."""

    def local(me: str) -> Domain:
        others = tuple(name for name in names if name != me)
        said = tuple((None, ranges(name, names), (UNBOUNDED,) * len(string_of(name))) for name in others)
        return Record(
            lambda known, stable, bounds: Node(
                True,
                known,
                stable,
                tuple(NeighbourRanges(*pair) for pair in zip(others, bounds, strict=True) if pair[1]),
            ),
            (OneOf(subsets(others)), OneOf(subsets(others)), OneOf(tuple(product(*said)))),
        )

    return instance_of(by(most_names), {name: local(name) for name in names})


def sparse_graphs(names: Names, most_names: int) -> Instance:
    """Every graph in which each node knows one other at most, and nothing else."""

    def local(me: str) -> Domain:
        others = (name for name in names if name != me)
        return OneOf((Node(), *(Node(neighbours=(other,)) for other in others)))

    return instance_of(by(most_names), {name: local(name) for name in names})


def right_start(names: Names, absent: Names = (), told_of_itself: bool = False) -> Start:
    """The right Skip+ of those nodes without the absent ones; `told_of_itself`: each has itself as a neighbour."""
    live = tuple(name for name in names if name not in absent)

    def local(me: str) -> Node:
        if me in absent:
            return ABSENT
        right = right_state(live, me)
        return Node(True, ascending((*right.neighbours, me)), right.stable, right.told) if told_of_itself else right

    return started(ROLE, {name: local(name) for name in names})


def around_right(names: Names, printed: str | None = None) -> Instance:
    """The right Skip+ of those nodes, with nothing in flight."""
    right = {name: OneOf((local,)) for name, local in right_start(names).locals}
    return instance_of(variant(PROTOCOL, printed), right)


def closure(most: int, bits: int, most_names: int | None = None) -> Closure:
    """Every right state of 1 to `most` nodes with strings of that many bits; one of them may be absent."""

    def rights() -> tuple[Start, ...]:
        return tuple(
            right_start(names, absent, told_of_itself)
            for nodes in range(1, most + 1)
            for names in every_naming(nodes, bits)
            for absent in ((), names[:1])
            for told_of_itself in (False, True)
        )

    bounds = (
        f"n from 1 to {most}, all strings of {bits} bits, all or all but the first take part; "
        "any number of messages in flight"
    )
    return Closure(by(most_names), rights, partial(about_right, most_names=most_names), bounds)


def about_right(start: Start, most_names: int | None = None) -> tuple[tuple[str, Any], ...]:
    """Every Update that is right in a right state, with its target. All others are faulty by definition."""
    live = tuple(name for name, local in start.locals if local.live)
    return tuple(
        (target, Update(sender, ranges(sender, live), inserts))
        for target in live
        for around in (neighbours(target, live),)
        for sender in around
        for inserts in subsets(ascending((*around, target)))
        if most_names is None or len(inserts) <= most_names
    )


MISFITS = named("000", "011", "110", "101", "010", "000", "000")
"""The smallest right graph that we know in which Rule 3b for "at least i" introduces nodes that are no neighbours."""

MODELS = read_models(
    __name__,
    {
        "two": anything(named("0", "1"), 2),
        "two_equal": anything(named("0", "0"), 2),
        "three": graphs(named("0", "1", "0")),
        "three_equal": graphs(named("0", "0", "0")),
        "three_of_two_bits": graphs(named("00", "01", "10")),
        "three_of_other_bits": graphs(named("11", "00", "10")),
        "three_by_one": graphs(named("0", "1", "0"), 1),
        "three_equal_by_one": graphs(named("0", "0", "0"), 1),
        "three_of_two_bits_by_one": graphs(named("00", "01", "10"), 1),
        "three_of_other_bits_by_one": graphs(named("11", "00", "10"), 1),
        "four_by_one": sparse_graphs(named("00", "01", "10", "11"), 1),
        "four_equal_by_two": sparse_graphs(named("0", "0", "0", "0"), 2),
        "misfits": around_right(MISFITS, "linearize_at_least"),
        "closure_of_three": closure(3, 2),
        "closure_by_one": closure(3, 2, 1),
        "closure": closure(4, 2),
        "closure_of_five": closure(5, 2),
    },
)
