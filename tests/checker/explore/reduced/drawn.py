"""Protocols of three or four nodes over links that keep an order, drawn by a seed; of most of them all runs end."""

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Choice, Fault, InFlight, Input, Offer, Outcome, Received, States
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Discipline, Protocol
from tests.checker.explore.table.protocols import fault, tabled

MESSAGES = (10, 11, 12)
COMMANDS = (77, "loud")
"""The number is quiet."""
MOST = 4
"""The highest state of a node; steps that send lead to higher ones."""


def drawn(seed: int) -> Instance:
    """An instance in exact channels."""
    random = Random(seed)
    nodes = "abcd"[: random.choice((3, 3, 4))]
    commanded = random.random() < 0.6
    protocol = _tabled(random, nodes, commanded).changed(discipline=Discipline.FIFO)
    if random.random() < 0.4:
        asleep = random.randint(1, MOST)
        protocol = protocol.changed(asleep=lambda local: local == asleep)
    if commanded:
        protocol = protocol.changed(quiet=(int,), **_environment(random, nodes))
    if random.random() < 0.5:
        protocol = _observed(random, protocol)
    sent = tuple((node, message) for node in nodes for message in MESSAGES if random.random() < 0.3)
    first = OneOf((0,) if random.random() < 0.8 else (0, 1))
    return Instance(
        protocol=protocol,
        locals=tuple((node, "node", first if node == nodes[0] else OneOf((0,))) for node in nodes),
        messages=OneOf(sent),
        in_flight=random.randint(0, 1),
        copies=99,
        most=None,
        coalesce=False,
        budget=(("often", 2), ("once", 1)) if commanded else (),
    )


def _tabled(random: Random, nodes: str, commanded: bool) -> Protocol:
    rising = random.choice((0.97, 1.0, 1.0, 1.0))

    def way(state: int) -> tuple[int, tuple[tuple[str, int], ...]]:
        if state == MOST or random.random() < 0.25:
            return state, ()
        after = random.randint(state + 1, MOST) if random.random() < rising else random.randint(0, state)
        return after, tuple((random.choice(nodes), random.choice(MESSAGES)) for _ in range(random.choice((0, 1, 1, 2))))

    taken = (None, *MESSAGES, *(COMMANDS if commanded else ()))
    reactions: dict[Any, Any] = {
        (node, state, item): tuple(way(state) for _ in range(random.choice((1, 1, 1, 2))))
        for node in nodes
        for state in range(MOST + 1)
        for item in taken
        if random.random() < (0.25 if item is None else 0.8)
    }
    wrong = {(one, node, state) for one in range(MOST + 1) for node in nodes for state in range(MOST + 1)}
    kept = {item for item in sorted(wrong) if random.random() < 0.25}
    malformed = {random.randint(3, 13)} if random.random() < 0.3 else ()
    return tabled(reactions, kept, {(1, "b", 11)}, malformed=malformed)


def _environment(random: Random, nodes: str) -> dict[str, Any]:
    """Offers that depend on the states of two nodes or on messages, and maybe a limit of commands."""
    kinds = [
        (node, command, random.choice(("often", "once", "once")), random.random() < 0.5)
        for node in nodes
        for command in COMMANDS
        if random.random() < 0.5
    ]
    reader, other = random.choice(nodes), random.choice(nodes)
    when = {(kind, one, two): random.random() < 0.5 for kind in kinds for one in range(3) for two in range(3)}
    reads_messages = random.random() < 0.1

    def offers(at: States, in_flight: InFlight) -> tuple[Offer, ...]:
        if reads_messages and len(in_flight) > 1:
            return ()
        return tuple(Offer(*kind) for kind in kinds if when[kind, at[reader] % 3, at[other] % 3])

    def refused(at: States, in_flight: InFlight) -> tuple[Fault, ...]:
        return fault("b") if (at["b"] % 3, at["c"] % 3) == (2, 1) else ()

    limit = random.choice(({}, {"commands_assumption": refused}))
    projection = {} if reads_messages else {"projection": lambda value: value % 3 if value < 10 else None}
    return {"offers": offers} | limit | projection


def _observed(random: Random, protocol: Protocol) -> Protocol:
    """The protocol with an observer of each node and one of all, which see deliveries of one kind, and a sum."""
    shown, unkept = random.choice(MESSAGES), random.randint(2, 9)

    def react(me: str, local: Any, taken: Input, choice: Choice) -> Outcome:
        outcome = protocol.actor.react(me, local, taken, choice)
        delivered = isinstance(taken, Received) and taken.message == shown
        return replace(outcome, delivered=((me, local),) if delivered else ())

    def counts(node: str, seen: int, delivered: Any) -> tuple[int, tuple[Fault, ...]]:
        return min(3, seen + 1), (fault(node) if seen == 1 else ())

    def follows(node: str, seen: str, delivered: Any) -> tuple[str, tuple[Fault, ...]]:
        return node, (fault(node) if seen > node else ())

    def adds_up(at: States, in_flight: InFlight) -> tuple[Fault, ...]:
        return fault("a") if sum(at.values()) == unkept else ()

    each = Observer("counts", "nowhere", 0, counts)
    whole: Sequence[Observer] = (Observer("follows", "nowhere", "", follows, whole=True),) * (random.random() < 0.6)
    return protocol.changed(react=react, observers=(each, *whole), always=(Always("adds_up", "nowhere", adds_up),))
