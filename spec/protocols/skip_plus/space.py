"""Starts of Skip+: dense, sparse and tree-like graphs with any messages in flight, or a right graph.

Names are fixed: for each size there are few assignments of strings, so that names recur from start to start. The
assignment also determines the family of the graph, so that no start is in two families.
"""

from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from math import ceil, log2

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Union, optional, several, subset
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import started
from gomboc.spec.protocols.skip_plus.legitimacy import right_state
from gomboc.spec.protocols.skip_plus.names import SEPARATOR, string_of
from gomboc.spec.protocols.skip_plus.state import ABSENT, Gone, Message, NeighbourRanges, Node, Update, ascending

ROLE = "node"

ASSIGNMENTS = 16
"""The number of assignments of strings for a size, if there are so many."""

Names = tuple[str, ...]
Arrow = tuple[str, str]
"""A reference: the first node knows the second."""

Sent = tuple[str, Message]
"""A message in flight, after its target."""


def bits(nodes: int) -> int:
    """The length of the strings of that many nodes: twice the logarithm, rounded up, and at least one bit."""
    return max(1, 2 * ceil(log2(max(nodes, 1))))


@cache
def assignments(nodes: int) -> tuple[Names, ...]:
    """Some different ways to name that many nodes, each ascending."""
    length, distinct = bits(nodes), dict[Names, None]()
    for attempt in range(64 * ASSIGNMENTS):
        if len(distinct) < ASSIGNMENTS:
            strings = [drawn(f"{nodes} {attempt} {position}", length) for position in range(nodes)]
            distinct[tuple(f"{position:03d}{SEPARATOR}{string}" for position, string in enumerate(strings))] = None
    return tuple(distinct)


def drawn(seed: str, length: int) -> str:
    """That many bits, decided by the seed alone."""
    number = int.from_bytes(sha256(seed.encode()).digest())
    return f"{number:0256b}"[:length]


def space(size: Size, most_names: int | None = None) -> Domain:
    """Every start with that many live nodes, nodes outside, and at most that many messages in flight.

    Arbitrary are the references, also to absent nodes, the flags, the told ranges, and any Update in any channel with
    at most so many names. Not corruptible are names, the set of live nodes, and that only absent nodes send Gone.

    Source: Slide 12, "Start from any weakly connected graph"
    """
    families = (dense, sparse, lines, stars, trees)
    named = assignments(size.nodes + size.outside)
    return Union(
        tuple(
            _starts(size, names, families[position % len(families)], most_names) for position, names in enumerate(named)
        )
    )


Family = Callable[[Names, Names], Domain]
"""A function of the live nodes and of all names; its value is a domain of tuples of arrows."""


def _starts(size: Size, names: Names, family: Family, most_names: int | None) -> Domain:
    """Every start with those names and a graph of that family."""
    shuffled = shuffle(names)
    members, outside = ascending(shuffled[: size.nodes]), ascending(shuffled[size.nodes :])

    def build(
        arrows: tuple[Arrow, ...], memories: tuple[Node, ...], in_flight: tuple[tuple[str, Message], ...]
    ) -> Start:
        states = {name: with_neighbours(name, memory, arrows) for name, memory in zip(members, memories, strict=True)}
        locals_ = tuple((name, states.get(name, ABSENT)) for name in names)
        return Start(tuple((name, ROLE) for name in names), locals_, in_flight)

    memories = several(*(memory(name, names) for name in members))
    return Record(build, (family(members, names), memories, Bag(messages(outside, names, most_names), size.messages)))


def with_neighbours(me: str, memory: Node, arrows: tuple[Arrow, ...]) -> Node:
    """A node with that memory, which knows the targets of its arrows."""
    known = ascending(other for node, other in arrows if node == me and other != me)
    return Node(True, known, memory.stable, memory.told)


def shuffle(names: Names) -> Names:
    """The names in an order that is independent of their ids."""
    return tuple(sorted(names, key=lambda name: sha256(name.encode()).digest()))


def dense(members: Names, names: Names) -> Domain:
    """Every graph."""
    return _arrows(members, names, len(names))


def sparse(members: Names, names: Names) -> Domain:
    """Every graph in which no member knows more than two nodes."""
    return _arrows(members, names, 2)


def _arrows(members: Names, names: Names, most: int) -> Domain:
    """Every graph in which each member knows at most `most` nodes."""
    known_of_each = tuple(subset(tuple(name for name in names if name != me), most) for me in members)
    return Record(
        lambda *known: tuple((me, other) for me, others in zip(members, known, strict=True) for other in others),
        known_of_each,
    )


def lines(members: Names, names: Names) -> Domain:
    """A line through all members in a fixed order; each arrow points either way. Any member knows each node outside."""
    return _tree(members, names, lambda position: (position - 1,))


def stars(members: Names, names: Names) -> Domain:
    """A star around one member."""
    return _tree(members, names, lambda _: (0,))


def trees(members: Names, names: Names) -> Domain:
    """Every tree in which each member but the first is connected to an earlier one."""
    return _tree(members, names, lambda position: tuple(range(position)))


def _tree(members: Names, names: Names, beside: Callable[[int], tuple[int, ...]]) -> Domain:
    """One arrow for each member but the first, to or from one at an earlier position, and one to each node outside."""
    order = shuffle(members)
    inner = tuple(
        OneOf(tuple(arrow for other in beside(position) for arrow in _either_way(order[position], order[other])))
        for position in range(1, len(order))
    )
    outer = tuple(OneOf(tuple((me, name) for me in members)) for name in names if name not in members)
    return several(*inner, *outer)


def _either_way(one: str, other: str) -> tuple[Arrow, Arrow]:
    return (one, other), (other, one)


def memory(me: str, names: Names) -> Domain:
    """Every memory of a node, with any references: any flags, and any ranges told by one other node."""
    others = tuple(name for name in names if name != me)
    told_domain = Union((OneOf(((),)), _some_ranges(others, names)))
    return Record(lambda stable, said: Node(True, (), stable, said), (subset(others), told_domain))


def _some_ranges(others: Names, names: Names) -> Domain:
    """Any ranges that one of the others may have told."""
    if not others:
        return OneOf(())
    return Record(lambda said: (said,), (Union(tuple(_ranges(node, names) for node in others)),))


def _ranges(node: str, names: Names) -> Domain:
    return Record(partial(NeighbourRanges, node), (any_ranges(node, names),))


def any_ranges(node: str, names: Names) -> Domain:
    """Any range at each level of a node."""
    return _any_ranges(len(string_of(node)), names)


@cache
def _any_ranges(levels: int, names: Names) -> Domain:
    end = optional(OneOf(names))
    return several(*[several(end, end)] * levels)


def messages(outside: Names, names: Names, most_names: int | None = None) -> Domain:
    """Every message with at most so many names that may be in flight, with its target."""
    inserts = subset(names, most_names)
    updates = Union(tuple(_update(sender, names, inserts) for sender in names))
    gone = Record(Gone, (OneOf(outside), inserts))
    return several(OneOf(names), Union((updates, gone)))


def _update(sender: str, names: Names, inserts: Domain) -> Domain:
    return Record(lambda bounds, some: Update(sender, bounds, some), (any_ranges(sender, names), inserts))


def start(nodes: int) -> Start:
    """A right Skip+ of that many nodes, with nothing in flight. Source: Slides 15 and 16."""
    names = assignments(nodes)[0]
    return started(ROLE, {name: right_state(names, name) for name in names})


def bound(nodes: int, most_names: int | None = None) -> int:
    """Rounds after which a run that is not legitimate is called divergent.

    The bound on the slides is O(log^2 n); short strings cost up to n more. With `most_names` the names for a neighbour,
    at most n, are in so many parts, of which a round sends one. Measured runs are far below it.
    """
    parts = 1 if most_names is None else ceil(nodes / most_names)
    return (20 + nodes + 2 * ceil(log2(max(nodes, 1))) ** 2) * max(1, parts)
