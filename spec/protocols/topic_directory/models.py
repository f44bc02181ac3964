"""Small directories of one topic that are explored to their end: the starts. The results are in `models.toml`.

All claims are settled for any number of messages in flight.
"""

from itertools import product

from gomboc.spec.core.domain import Domain, OneOf
from gomboc.spec.core.instance import Instance, instance_of
from gomboc.spec.core.pinned import read_models
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


MODELS = read_models(
    __name__,
    {
        "two": directory(BELOW, 2, 0, 2, 10),
        "two_upwards": directory(ABOVE, 2, 0, 2, 10),
        "one_outside": directory(BELOW, 2, 1, 1, 8),
        "three": directory(BELOW, 3, 0, 1, 9),
    },
)
