"""Protocols of two nodes that are drawn by a seed: a few states, a few messages, coins, nodes that sleep."""

from random import Random
from typing import Any

from gomboc.spec.core.instance import Instance
from tests.checker.explore.table.protocols import NODES, instance_of, tabled

MESSAGES = (10, 11, 12)


def drawn(seed: int) -> Instance:
    """An instance whose steps tend to lead to lower states: some of these converge, and some do not."""
    random = Random(seed)
    states, messages = range(random.randint(2, 4)), MESSAGES[: random.randint(1, 3)]
    downward = random.choice((0.5, 0.8, 1.0))

    def after(state: int) -> int:
        return random.randint(0, state) if random.random() < downward else random.choice(states)

    def sends(most: int) -> tuple[tuple[str, int], ...]:
        return tuple((random.choice(NODES), random.choice(messages)) for _ in range(random.randint(0, most)))

    def ways(state: int, most: int) -> tuple[Any, ...]:
        return tuple((after(state), sends(most)) for _ in range(random.choice((1, 1, 2))))

    reactions = {
        (node, state, taken): ways(state, 2 if taken is None else 1)
        for node in NODES
        for state in states
        for taken in (None, *messages)
        if random.random() < 0.7
    }
    right = {node: {0, *(state for state in states if random.random() < 0.3)} for node in NODES}
    wrong = {
        (anchor, node, state) for anchor in states for node in NODES for state in states if state not in right[node]
    }
    harmful = {
        (anchor, node, sent) for anchor in states for node in NODES for sent in messages if random.random() < 0.1
    }
    protocol = tabled(reactions, wrong, harmful)
    if random.random() < 0.2:
        protocol = protocol.changed(asleep=lambda local: local == states[-1])
    first = tuple(state for state in states if random.random() < 0.8) or (0,)
    in_flight = tuple((node, sent) for node in NODES for sent in messages if random.random() < 0.5)
    return instance_of(protocol, first, in_flight, random.randint(0, 1), copies=4, most=3, coalesce=False)
