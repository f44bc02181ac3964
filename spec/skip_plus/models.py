"""Small systems of Skip+ that are explored to their end: where each starts, and what must come out.

Each claim is bounded as its instance says. The records were made by `gomboc explore skip_plus --recorded --exhaustive`.
"""

from collections.abc import Iterator
from itertools import chain, combinations, product
from typing import Any

from spec.domain import Domain, OneOf, Record
from spec.instance import Instance
from spec.pinned import Closure, Pinned, Results
from spec.protocol import Protocol, Start
from spec.skip_plus import PROTOCOL
from spec.skip_plus.legitimacy import right_state
from spec.skip_plus.names import SEPARATOR, string_of
from spec.skip_plus.ranges import UNBOUNDED, neighbours, ranges
from spec.skip_plus.space import ROLE, Names, any_ranges
from spec.skip_plus.state import ABSENT, Node, Told, Update, ascending


def named(*strings: str) -> Names:
    """Nodes a, b, c, ... with those strings."""
    return tuple(f"{chr(ord('a') + place)}{SEPARATOR}{string}" for place, string in enumerate(strings))


def every_naming(nodes: int, bits: int) -> Iterator[Names]:
    """Every way to give that many nodes strings of that many bits."""
    strings = ["".join(each) for each in product("01", repeat=bits)]
    return (named(*chosen) for chosen in product(strings, repeat=nodes))


def printed(name: str) -> Protocol:
    """The protocol with a rule as printed."""
    (found,) = (erratum.protocol for erratum in PROTOCOL.errata if erratum.name == name)
    return found


def subsets(names: Names) -> tuple[Names, ...]:
    """Every set of those names, ascending."""
    return tuple(chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)))


def instance(
    names: Names, locals_: tuple[Domain, ...], messages: Domain, in_flight: int, variant: str | None = None
) -> Instance:
    """Nodes that start in those domains, with at most so many of those messages in flight at first."""
    return Instance(
        protocol=PROTOCOL if variant is None else printed(variant),
        locals=tuple((name, ROLE, domain) for name, domain in zip(names, locals_, strict=True)),
        messages=messages,
        in_flight=in_flight,
        copies=1,
        most=None,
    )


def anything(names: Names, in_flight: int) -> Instance:
    """Nodes that know anybody, and remember any flags and any ranges of the others; and any Updates in flight."""

    def local(me: str) -> Domain:
        others = tuple(name for name in names if name != me)
        told = Record(_told, (OneOf((False, True)), *(any_ranges(name, names) for name in others)))
        return Record(
            lambda known, stable, told: Node(True, known, stable, tuple(map(Told, others, told)) if told else ()),
            (OneOf(subsets(names)), OneOf(subsets(others)), told),
        )

    updates = tuple(
        (target, Update(sender, (UNBOUNDED,) * len(string_of(sender)), inserts))
        for target in names
        for sender in names
        for inserts in subsets(names)
    )
    return instance(names, tuple(map(local, names)), OneOf(updates), in_flight)


def _told(anything: bool, *bounds: Any) -> tuple[Any, ...]:
    return bounds if anything else ()


def graphs(names: Names, alike: bool = True) -> Instance:
    """Every graph of nodes with any flags, each told nothing, the truth or that it is unbounded by each other one.

    If all is `alike`, a node was told the one or the other by all.
    """

    def local(me: str) -> Domain:
        others = tuple(name for name in names if name != me)
        said = tuple((None, ranges(name, names), (UNBOUNDED,) * len(string_of(name))) for name in others)
        told = OneOf(tuple(zip(*said, strict=True)) if alike else tuple(product(*said)))
        return Record(
            lambda known, stable, told: Node(
                True, known, stable, tuple(Told(*each) for each in zip(others, told, strict=True) if each[1])
            ),
            (OneOf(subsets(others)), OneOf(subsets(others)), told),
        )

    return instance(names, tuple(map(local, names)), OneOf(()), 0)


def right_start(names: Names, absent: Names = (), told_of_itself: bool = False) -> Start:
    """The right Skip+ of those nodes but some that do not take part; maybe each has just been told of itself."""
    live = tuple(name for name in names if name not in absent)

    def local(me: str) -> Node:
        if me in absent:
            return ABSENT
        right = right_state(live, me)
        return Node(True, ascending((*right.neighbours, me)), right.stable, right.told) if told_of_itself else right

    return Start(tuple((name, ROLE) for name in names), tuple((name, local(name)) for name in names))


def around_right(names: Names, variant: str | None = None) -> Instance:
    """The right Skip+ of those nodes, with nothing in flight."""
    start = right_start(names)
    return instance(names, tuple(OneOf((local,)) for _, local in start.locals), OneOf(()), 0, variant)


def closure(most: int, bits: int) -> Closure:
    """Every right state of 1 to `most` nodes with strings of that many bits, of whom one may not take part."""

    def rights() -> tuple[Start, ...]:
        return tuple(
            right_start(names, absent, told)
            for nodes in range(1, most + 1)
            for names in every_naming(nodes, bits)
            for absent in ((), names[:1])
            for told in (False, True)
        )

    bounds = (
        f"n from 1 to {most}, all strings of {bits} bits, all or all but the first take part; "
        "any number of messages in flight"
    )
    return Closure(PROTOCOL, rights, about_right, bounds)


def about_right(start: Start) -> tuple[tuple[str, Any], ...]:
    """Every Update that is right in a right state, with its target. Others are at fault by definition."""
    live = tuple(name for name, local in start.locals if local.live)
    return tuple(
        (target, Update(sender, ranges(sender, live), inserts))
        for target in live
        for around in (neighbours(target, live),)
        for sender in around
        for inserts in subsets(ascending((*around, target)))
    )


HOLDS, VIOLATED = "holds", "violated"
ALL_HOLD = (HOLDS,) * 5
"""Closure, convergence twice (AG EF, and in every fair run), not vacuous, canonical."""

MISFITS = named("000", "011", "110", "101", "010", "000", "000")

THREE = {
    "three": named("0", "1", "0"),
    "three_equal": named("0", "0", "0"),
    "three_of_two_bits": named("00", "01", "10"),
    "three_of_other_bits": named("11", "00", "10"),
}
"""Nodes whose strings share nothing, all, or some bits."""

RECORDS: dict[str, Results] = {}

MODELS: tuple[Pinned, ...] = (
    *(
        Pinned(
            name,
            f"n = 2, with the strings {strings}: whoever knows whom, with any memory, and any Update in flight",
            anything(names, 1),
            RECORDS.get(name),
        )
        for name, strings, names in (
            ("two", "0 and 1", named("0", "1")),
            ("two_equal", "0 and 0", named("0", "0")),
        )
    ),
    *(
        Pinned(
            name,
            f"n = 3, {', '.join(names)}: every connected graph, with any flags, and true, unbounded or no ranges told",
            graphs(names),
            RECORDS.get(name),
        )
        for name, names in THREE.items()
    ),
    *(
        Pinned(
            f"{name}_each",
            f"n = 3, {', '.join(names)}: the same, and what is told by one is so without regard to what another tells",
            graphs(names, alike=False),
            RECORDS.get(f"{name}_each"),
            long=True,
        )
        for name, names in THREE.items()
    ),
    Pinned(
        "misfits",
        'a right graph of seven by Rule 3b for "at least i", which is meant to fail: it does not stay right',
        around_right(MISFITS, "linearize_at_least"),
        RECORDS.get("misfits"),
        "linearize_at_least",
    ),
    Pinned(
        "closure",
        "every right state of up to four nodes, each step by itself, with any right messages in flight",
        closure(4, 2),
        RECORDS.get("closure"),
    ),
    Pinned(
        "closure_of_five",
        "every right state of up to five nodes, each step by itself, with any right messages in flight",
        closure(5, 2),
        RECORDS.get("closure_of_five"),
        long=True,
    ),
)
