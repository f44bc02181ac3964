"""Protocols of two nodes that are drawn by a seed: few states and messages, coins, nodes that sleep, commands."""

from collections.abc import Sequence
from random import Random
from typing import Any

from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Fault, InFlight, Offer, States
from tests.checker.explore.table.protocols import NODES, fault, instance_of, tabled

MESSAGES = (10, 11, 12)
COMMANDS = (77, "loud")
"""The number is quiet."""


def drawn(seed: int, commanded: bool = False) -> Instance:
    """An instance whose steps tend to lead to lower states: some of these converge, and some do not.

    If it is `commanded`, commands may come, some of them owed, and maybe an assumption or a premise limits them.
    """
    random = Random(seed)
    states, messages = range(random.randint(2, 4)), MESSAGES[: random.randint(1, 3)]
    downward = random.choice((0.5, 0.8, 1.0))

    def after(state: int) -> int:
        return random.randint(0, state) if random.random() < downward else random.choice(states)

    def sends(most: int) -> tuple[tuple[str, int], ...]:
        return tuple((random.choice(NODES), random.choice(messages)) for _ in range(random.randint(0, most)))

    def ways(state: int, most: int) -> tuple[Any, ...]:
        return tuple((after(state), sends(most)) for _ in range(random.choice((1, 1, 2))))

    reactions: dict[Any, Any] = {
        (node, state, taken): ways(state, 2 if taken is None else 1)
        for node in NODES
        for state in states
        for taken in (None, *messages, *(COMMANDS if commanded else ()))
        if random.random() < 0.7
    }
    right = {node: {0, *(state for state in states if random.random() < 0.3)} for node in NODES}
    wrong = {(one, node, state) for one in states for node in NODES for state in states if state not in right[node]}
    harmful = {(one, node, sent) for one in states for node in NODES for sent in messages if random.random() < 0.1}
    protocol = tabled(reactions, wrong, harmful)
    if random.random() < 0.2:
        protocol = protocol.changed(asleep=lambda local: local == states[-1])
    if commanded:
        protocol = protocol.changed(quiet=(int,), **_environment(random, states))
    first = tuple(state for state in states if random.random() < 0.8) or (0,)
    in_flight = tuple((node, sent) for node in NODES for sent in messages if random.random() < 0.5)
    budget = (("once", 1), ("never", 0)) if commanded else ()
    bounds: dict[str, Any] = {"copies": 4, "most": 2 if commanded else 3, "coalesce": False}
    return instance_of(protocol, first, in_flight, random.randint(0, 1), budget=budget, **bounds)


def _environment(random: Random, states: Sequence[int]) -> dict[str, Any]:
    """Offers that depend on the state of one node or of both, and maybe a limit of commands."""
    kinds = [
        (node, command, random.choice(("", "once", "once", "never")), random.random() < 0.5)
        for node in NODES
        for command in COMMANDS
        if random.random() < 0.4
    ]
    when = {
        (kind, one, other): random.random() < random.choice((0.5, 0.9))
        for kind in kinds
        for one in states
        for other in states
    }

    def offers(at: States, in_flight: InFlight) -> tuple[Offer, ...]:
        return tuple(Offer(*kind) for kind in kinds if when.get((kind, at["a"], at["b"])))

    def refused(at: States, in_flight: InFlight) -> tuple[Fault, ...]:
        return fault("b") if at["b"] == states[-1] else ()

    limits: dict[str, Any] = {"assumption": refused, "premise": refused}
    limit = random.choice(("", "", "assumption", "premise"))
    return {"offers": offers} | ({limit: limits[limit]} if limit else {})
