"""How the traces of a corpus start: which conjuncts of legitimacy are false then, in a sample."""

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from checker.judge.trace import TraceReader
from checker.replay.run.work import Job
from spec.protocol import Protocol, legitimacy_faults

PACKS = 20
"""Packs that are looked at, at most."""

SAMPLE = 400
"""Traces whose starts are looked at, about."""


def corruptions(job: Job, protocol: Protocol, packs: Sequence[str]) -> dict[str, int]:
    """How many of the first traces of some of those packs have each conjunct false at the start."""
    counted: Counter[str] = Counter()
    chosen = packs[:: max(1, -(-len(packs) // PACKS))]
    for name in chosen:
        pack = job.pack(name)
        headers = pack.headers(0) if pack.row_groups else []
        for header in headers[: -(-SAMPLE // len(chosen))]:
            counted.update(false_at_start(protocol, header))
    return dict(sorted(counted.items()))


def false_at_start(protocol: Protocol, header: bytes) -> set[str]:
    """The conjuncts that are false in the start that a header says; none if it says none."""
    try:
        read = TraceReader(Path(), io.BytesIO(header + b"\n")).header
        in_flight = tuple((sent.to, sent.message) for sent in read.messages)
        if any(map(protocol.malformed, (*read.states.values(), *(message for _, message in in_flight)))):
            return {"canonical"}
        return {fault.rule for fault in legitimacy_faults(protocol, read.states, in_flight)}
    except Exception:  # noqa: BLE001  # the row of the trace says what is wrong with its header
        return set()
