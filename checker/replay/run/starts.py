"""A sample of how the traces of a corpus start: the false conjuncts of legitimacy, and the nodes that are awake."""

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from gomboc.checker.replay.exercised import false_at_start
from gomboc.checker.replay.run.work import Job
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.protocol import Protocol

PACKS = 20
"""Most packs to sample."""

SAMPLE = 400
"""Approximate number of traces to sample."""


class Starts(msgspec.Struct, frozen=True):
    """Counts over some starts: how often each conjunct is false, and the nodes that are awake in at least one."""

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
    """The false conjuncts and the awake nodes of a start; both empty if the header cannot be read."""
    try:
        read = TraceReader(Path(), io.BytesIO(header + b"\n")).header
        false = false_at_start(protocol, read)
        return false, {name for name, local in read.states.items() if not protocol.environment.asleep(local)}
    except Exception:  # noqa: BLE001  # the row of the trace names the fault of its header
        return set(), set()
