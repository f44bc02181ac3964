"""Starts of the directory: nodes in a list, with any entries, and any messages in flight."""

from functools import partial
from math import ceil

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, Table, Union, several, subset
from gomboc.spec.core.protocol import Size, Start
from gomboc.spec.core.starts import every_start, started
from gomboc.spec.layers.lists import also_known, inside, with_adjacent
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.topic_directory.state import (
    BLANK,
    USUAL,
    Affirm,
    Ask,
    Deny,
    Entry,
    Meet,
    Node,
    Parameters,
    Say,
)

ROLE = "node"

TOPICS = ("news", "sport", "weather")
"""The topics of the models."""


def names(nodes: int) -> tuple[str, ...]:
    """The names of that many nodes, ascending, spread over the keys of topics."""
    return tuple(f"{256 * number // nodes:02x}" for number in range(nodes)) if nodes <= 256 else ()


def space(size: Size, parameters: Parameters = USUAL) -> Domain:
    """Every start with that many nodes inside and outside, and at most that many messages in flight.

    A node inside knows those next to it, as the layer below guarantees, and any others inside. Arbitrary are its
    topics, which its application chooses, its entries, of any age, where it stopped, and any message in any channel.
    """
    every = names(size.nodes + size.outside)
    members = inside(every, size.outside)
    states = [_node(members, me, every, parameters) if me in members else OneOf((BLANK,)) for me in every]
    return every_start(tuple((name, ROLE) for name in every), states, Bag(messages(every), size.messages))


def _node(members: tuple[str, ...], me: str, every: tuple[str, ...], parameters: Parameters) -> Domain:
    expires, stops = parameters.expires, (None,) if parameters.topics_in_period is None else (None, *TOPICS)
    entries = Table(Entry, TOPICS, OneOf(every), len(TOPICS))
    if expires is not None:
        entries = Table(_aged, TOPICS, several(OneOf(every), OneOf(tuple(range(expires)))), len(TOPICS))
    return Record(partial(_member, members, me), (also_known(members, me), subset(TOPICS), entries, OneOf(stops)))


def _aged(topic: str, held: tuple[str, int]) -> Entry:
    return Entry(topic, *held)


def _member(
    members: tuple[str, ...],
    me: str,
    known: tuple[str, ...],
    topics: tuple[str, ...],
    entries: tuple[Entry, ...],
    after: str | None,
) -> Node:
    return Node(True, with_adjacent(members, me, known), topics, entries, after)


def messages(every: tuple[str, ...]) -> Domain:
    """Every message that may be in flight, with its target."""
    topic, node = OneOf(TOPICS), OneOf(every)
    return several(node, Union(tuple(Record(kind, (topic, node)) for kind in (Say, Meet, Ask, Deny, Affirm))))


def start(nodes: int) -> Start:
    """That many nodes in a list, without topics."""
    return started(ROLE, {name: Node(True, beside, (), ()) for name, beside in adjacent(names(nodes)).items()})


def bound(nodes: int, parameters: Parameters = USUAL) -> int:
    """Rounds after which a run that is not legitimate is called divergent: a route may have as many hops as nodes.

    So many for each period of a turn: of the topics here, or of as many as each node may be the contact of.
    """
    topics = max(len(TOPICS), nodes * (parameters.topics_of_contact or 0))
    return (20 + 3 * nodes) * ceil(topics / (parameters.topics_in_period or topics))
