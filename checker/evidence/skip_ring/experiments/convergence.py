"""Whole runs: from which starts, with which probability, and how soon they succeed."""

from functools import cache
from itertools import islice

from msgspec.structs import replace

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.errata.sample import Sample, sample_rounds
from gomboc.checker.errata.scene import opening, round_of, rounds, take
from gomboc.checker.evidence.skip_ring.experiments.ring import members, ring
from gomboc.checker.evidence.skip_ring.experiments.scenes import scene
from gomboc.checker.evidence.skip_ring.experiments.shortcuts import repeats_without
from gomboc.spec.core.protocol import Start, configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import Subscriber, Supervisor
from gomboc.spec.protocols.skip_ring.subscriber import ASK, tossed
from gomboc.spec.publishing.publications import Parameters, published

SIZES, ENOUGH = range(1, 9), 60

NODES, RUNS, MOST = 4, 10, 200

PARAMETERS = {"key_bits": 64}

SHORT, LONG = 8, 64
"""Bits of two labels."""


def strangers(nodes: int) -> Start:
    """Start with so many subscribers that have wrong labels and know no node, and an empty supervisor."""
    unknown = {node: Subscriber(label_of(index + 5)) for index, node in enumerate(names(nodes))}
    return ring(nodes, **unknown, supervisor=Supervisor())


def partitions_heal() -> Evidence:
    """Rings without any edge: after how many rounds are they right, if every coin says "ask"?"""
    needed = {nodes: _rounds(strangers(nodes)) for nodes in SIZES}
    slow = [nodes for nodes, rounds in needed.items() if rounds is None]
    return Evidence(
        settled(not slow), {"most": SIZES[-1], "rounds": max(count for count in needed.values() if count is not None)}
    )


def _rounds(start: Start) -> int | None:
    """The rounds until the ring is right, if every coin says "ask"; None if it is not soon."""
    stages = islice(rounds(PROTOCOL, opening(start), ASK), ENOUGH)
    return next((number for number, stage in enumerate(stages) if stage.is_legitimate(PROTOCOL)), None)


def arrival_is_guaranteed() -> Evidence:
    """Whether rounds in which every coin is silent come back to where they were; and how long a label may wait."""
    waits = {bits: tossed(bits, often=False)[0].probability for bits in (SHORT, LONG)}
    sampled, forgotten = random_runs(), scene("every_coin_silent").start()
    lucky = _rounds(forgotten)
    return by_readings(
        (settled(sampled.rounds[-1] < MOST and lucky is not None), settled(not repeats_without(PROTOCOL, forgotten))),
        {
            "runs": RUNS,
            "nodes": NODES,
            "most": sampled.rounds[-1],
            "lucky": lucky or 0,
            "short": SHORT,
            "waits": int(1 / waits[SHORT]),
            "long": LONG,
            "longest": f"{float(1 / waits[LONG]):.1e}",
        },
    )


@cache
def random_runs() -> Sample:
    """Random runs from arbitrary states, until they are legitimate."""
    return sample_rounds(PROTOCOL, PROTOCOL, NODES, RUNS, MOST)


def every_node_is_recorded() -> Evidence:
    """Random runs from arbitrary states: in a legitimate one every subscriber is recorded."""
    sample = random_runs()
    return Evidence(settled(sample.rounds[-1] < MOST), {"runs": RUNS, "nodes": NODES, "most": sample.rounds[-1]})


def rounds_of_a_newcomer(nodes: int, publications: int) -> int:
    """The rounds in which a newcomer to SR(nodes) has got that many publications, every coin silent."""
    protocol, parameters = configured(PROTOCOL, PARAMETERS), Parameters(64)
    held = tuple(sorted(published("v1", number, "", parameters) for number in range(publications)))
    old = {node: replace(u, publications=held) for node, u in members(nodes).items()}
    newcomer = names(nodes + 1)[-1]
    stage = opening(ring(nodes, **old, **{newcomer: Subscriber()}))
    for number in range(ENOUGH):
        if len(stage.states[newcomer].publications) == publications:
            return number
        for turn in round_of(stage):
            choices = protocol.actor.choices(turn.node, stage.states[turn.node], turn.taken)
            stage = take(protocol, stage, replace(turn, coin=choices[-1].name))
    return ENOUGH


def newcomers_catch_up() -> Evidence:
    """A newcomer to rings of several sizes, with more and fewer publications."""
    sizes, numbers = (1, 2, 4, 8, 16), (1, 8, 64)
    rounds = {(nodes, number): rounds_of_a_newcomer(nodes, number) for nodes in sizes for number in numbers}
    return Evidence(
        settled(max(rounds.values()) < ENOUGH),
        {"sizes": list(sizes), "numbers": list(numbers), "most": max(rounds.values())},
        {"it takes the same number of rounds in every case": len(set(rounds.values())) == 1},
    )


def every_node_has_everything() -> Evidence:
    """Random runs with arbitrary tries; and a node that is no member, and holds a publication of its own."""
    protocol = configured(PROTOCOL, {"key_bits": 3})
    sample = sample_rounds(protocol, protocol, NODES, RUNS, MOST, publications=4)
    alone = Subscriber(None, wants=False, publications=(published("w1", 0, "", Parameters(3)),))
    return Evidence(
        settled(sample.rounds[-1] < MOST),
        {"runs": RUNS, "nodes": NODES, "most": sample.rounds[-1]},
        {
            "a ring is legitimate though a node that is no member holds more": opening(ring(2, w1=alone)).is_legitimate(
                protocol
            )
        },
    )
