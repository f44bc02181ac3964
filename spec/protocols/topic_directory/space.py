"""Starts of the directory: nodes in a list, with any entries, and any messages in flight."""

from collections.abc import Callable

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.topic_directory.state import BLANK, Ask, Deny, Entry, Meet, Node, Say

ROLE = "node"

TOPICS = ("news", "sport", "weather")
"""The topics of the models."""


def names(nodes: int) -> tuple[str, ...]:
    """The names of that many nodes, ascending, spread over the keys of topics."""
    return tuple(f"{256 * number // nodes:02x}" for number in range(nodes)) if nodes <= 256 else ()


def inside(every: tuple[str, ...], outside: int) -> tuple[str, ...]:
    """The nodes of the directory at first: all but every second one, for as many as are outside."""
    away = (*every[1::2], *every[::2])[:outside]
    return tuple(name for name in every if name not in away)


def space(size: Size, expires: int | None = None) -> Domain:
    """Every start with that many nodes inside and outside, and at most that many messages in flight.

    A node inside knows those next to it, as the layer below guarantees, and any others inside. Arbitrary are its
    topics, which its application chooses, its entries, of any age, and any message in any channel.
    """
    every = names(size.nodes + size.outside)
    members = inside(every, size.outside)
    right = adjacent(members)
    locals_ = tuple(_node(members, me, right[me], every, expires) if me in members else OneOf((BLANK,)) for me in every)
    return Record(_started(every), (Record(_tuple, locals_), Bag(messages(every), size.messages)))


def _node(
    members: tuple[str, ...], me: str, right: tuple[str, ...], every: tuple[str, ...], expires: int | None
) -> Domain:
    others = tuple(name for name in members if name not in (me, *right))
    known, topics = (Table(_key, keys, OneOf((None,)), len(keys)) for keys in (others, TOPICS))
    entries = Table(Entry, TOPICS, OneOf(every), len(TOPICS))
    if expires is not None:
        entries = Table(_aged, TOPICS, Record(_tuple, (OneOf(every), OneOf(tuple(range(expires))))), len(TOPICS))
    return Record(_member(right), (known, topics, entries))


def _aged(topic: str, held: tuple[str, int]) -> Entry:
    return Entry(topic, *held)


def _key(key: str, value: None) -> str:
    del value
    return key


def _tuple(*values: object) -> tuple[object, ...]:
    return values


def _member(right: tuple[str, ...]) -> Callable[..., Node]:
    def member(known: tuple[str, ...], topics: tuple[str, ...], entries: tuple[Entry, ...]) -> Node:
        return Node(True, tuple(sorted((*right, *known))), topics, entries)

    return member


def _started(every: tuple[str, ...]) -> Callable[..., Start]:
    roles = tuple((name, ROLE) for name in every)
    return lambda locals_, in_flight: Start(roles, tuple(zip(every, locals_, strict=True)), in_flight)


def messages(every: tuple[str, ...]) -> Domain:
    """Every message that may be in flight, with its target."""
    topic, node = OneOf(TOPICS), OneOf(every)
    return Record(_tuple, (node, Union(tuple(Record(kind, (topic, node)) for kind in (Say, Meet, Ask, Deny)))))


def start(nodes: int) -> Start:
    """That many nodes in a list, without topics."""
    right = adjacent(names(nodes))
    return Start(
        tuple((name, ROLE) for name in right),
        tuple((name, Node(True, beside, (), ())) for name, beside in right.items()),
    )


def bound(nodes: int) -> int:
    """Rounds after which a run that is not legitimate is called divergent: a route may have as many hops as nodes."""
    return 20 + 3 * nodes
