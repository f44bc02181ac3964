"""The smallest trace of each cluster of failures, as JSON Lines, and what the naive judge says of it."""

import io
import re
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from checker.engine.work import Job
from checker.judge import judge_file
from checker.pack.export import Exporter
from checker.report.clusters import Cluster
from checker.trace import TraceReader
from checker.verdict import Judgement
from spec.protocol import Protocol, legitimacy_faults

FOLDER = "witnesses"

SAMPLE = 200
"""Traces whose starts are looked at."""


def with_witness(job: Job, cluster: Cluster, folder: Path, target: Path) -> Cluster:
    """The cluster with its smallest trace written into `folder`, which is to become `target`, and judged naively."""
    name = re.sub(r"[^0-9A-Za-z_]+", "_", f"{cluster.rule} {cluster.conjunct}").strip("_")
    path = folder / FOLDER / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(Exporter(job.pack(cluster.pack)).trace(cluster.trace)))
    return replace(cluster, witness=str(target / FOLDER / path.name), **_judged(cluster, judge_file(path, job.options)))


def _judged(cluster: Cluster, judgement: Judgement) -> dict[str, object]:
    first = judgement.violations()[:1]
    if not first:
        return {"confirmed": False, "says": "nothing is violated"}
    return {"confirmed": (first[0].step, first[0].rule) == (cluster.step, cluster.rule), "says": first[0].says}


def corruptions(job: Job, protocol: Protocol, packs: list[str]) -> dict[str, int]:
    """How many of the first traces have each conjunct false at the start."""
    counted: Counter[str] = Counter()
    if packs:
        pack = job.pack(packs[0])
        headers = pack.traces(0)["header"].slice(0, SAMPLE).to_pylist() if pack.row_groups else []
        for header in headers:
            read = TraceReader(pack.path, io.BytesIO(header + b"\n")).header
            in_flight = tuple((sent.to, sent.message) for sent in read.messages)
            counted.update({fault.rule for fault in legitimacy_faults(protocol, read.states, in_flight)})
    return dict(sorted(counted.items()))
