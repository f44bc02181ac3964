"""How the traces of a corpus start, in a sample: which conjuncts of legitimacy are false, and which nodes are awake."""

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gomboc.checker.judge.trace import TraceReader
from gomboc.checker.replay.exercised import false_at_start
from gomboc.checker.replay.run.work import Job
from gomboc.spec.protocol import Protocol

PACKS = 20
"""Packs that are looked at, at most."""

SAMPLE = 400
"""Traces whose starts are looked at, about."""


class Starts(msgspec.Struct, frozen=True):
    """What is known of some starts: how many have each conjunct false, and the nodes that are awake in one of them."""

    corruptions: dict[str, int]
    awake: frozenset[str]


def starts_of(job: Job, protocol: Protocol, packs: Sequence[str]) -> Starts:
    """The starts of the first traces of some of those packs."""
    counted: Counter[str] = Counter()
    awake: set[str] = set()
    chosen = packs[:: max(1, -(-len(packs) // PACKS))]
    for name in chosen:
        pack = job.pack(name)
        headers = pack.headers(0) if pack.row_groups else []
        for header in headers[: -(-SAMPLE // len(chosen))]:
            false, nodes = looked_at(protocol, header)
            counted.update(false)
            awake.update(nodes)
    return Starts(dict(sorted(counted.items())), frozenset(awake))


def looked_at(protocol: Protocol, header: bytes) -> tuple[set[str], set[str]]:
    """The conjuncts that are false, and the nodes that are awake, at a start; none if the header says none."""
    try:
        read = TraceReader(Path(), io.BytesIO(header + b"\n")).header
        false = false_at_start(protocol, read)
        return false, {name for name, local in read.states.items() if not protocol.asleep(local)}
    except Exception:  # noqa: BLE001  # the row of the trace says what is wrong with its header
        return set(), set()
