"""Small directories of one topic that are explored to their end: the starts and the expected results of each.

All claims are settled for any number of messages in flight. The records were made by
`gomboc explore topic_directory --recorded`.
"""

from itertools import product

from gomboc.spec.core.domain import Domain, OneOf
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import HOLDS, Pinned, Results
from gomboc.spec.layers.neighbourhood import adjacent
from gomboc.spec.protocols.topic_directory import PROTOCOL
from gomboc.spec.protocols.topic_directory.space import names
from gomboc.spec.protocols.topic_directory.state import BLANK, Affirm, Ask, Deny, Entry, Meet, Node, Say

BELOW, ABOVE = "news", "sport"
"""A topic for which the least node is responsible, and one for which the greatest is."""


def directory(topic: str, nodes: int, outside: int, in_flight: int, most: int | None) -> Instance:
    """Nodes that know those beside them, and others outside; at first, any of the nodes take part in the topic.

    Each has any node or none as the topic's contact at first, and at most `in_flight` of any messages are in flight.
    """
    every = names(nodes + outside)
    right = adjacent(every[:nodes])

    def local(me: str) -> Domain:
        entries = ((), *((Entry(topic, contact),) for contact in every))
        return OneOf(tuple(Node(True, right[me], topics, held) for topics, held in product(((), (topic,)), entries)))

    messages = tuple(
        (to, kind(topic, name)) for to, kind, name in product(every, (Say, Meet, Ask, Deny, Affirm), every)
    )
    states = {name: local(name) if name in right else OneOf((BLANK,)) for name in every}
    return instance_of(PROTOCOL, states, OneOf(messages), in_flight, most)


ALL_HOLD = (HOLDS,) * 5
"""Closure, convergence twice (AG EF, and in every fair run), not vacuous, canonical."""

MODELS: tuple[Pinned, ...] = (
    Pinned(
        "two",
        "n = 2, any members, entries and two messages; the first node is responsible; no run comes to the bound",
        directory(BELOW, 2, 0, 2, 10),
        Results(7_596, 32_709, 157_398, 4_948, ALL_HOLD),
    ),
    Pinned(
        "two_upwards",
        "the same; the second node is responsible",
        directory(ABOVE, 2, 0, 2, 10),
        Results(7_596, 32_181, 152_221, 3_923, ALL_HOLD),
    ),
    Pinned(
        "one_outside",
        "n = 2 and one outside, which any value may name, and one message; no run comes to the bound",
        directory(BELOW, 2, 1, 1, 8),
        Results(2_944, 39_765, 195_972, 12_578, ALL_HOLD),
    ),
    Pinned(
        "three",
        "n = 3, any members and entries, and one message; the first node is responsible",
        directory(BELOW, 3, 0, 1, 9),
        Results(23_552, 1_805_786, 13_570_597, 211_303, ALL_HOLD, 50_250),
    ),
)
