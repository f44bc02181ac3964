"""Witnesses: the smallest trace of each cluster of failures, as JSON Lines, with the naive judge's verdict."""

import re
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Judgement
from gomboc.checker.replay.pack.export import Exporter
from gomboc.checker.replay.run.work import Job
from gomboc.checker.summary.clusters import Cluster

FOLDER = "witnesses"

Shrink = Callable[[Path, Options], tuple[Path, bool] | None]
"""Writes a smaller trace with the same violation beside the trace at the path, and returns its path and whether it was
run.

None if there is no smaller trace.
"""


def with_witness(job: Job, cluster: Cluster, folder: Path, target: Path, shrink: Shrink | None = None) -> Cluster:
    """The cluster with its smallest trace written into `folder`, which is to become `target`, and judged naively.

    With `shrink`, a confirmed trace is shrunk, too.
    """
    name = re.sub(r"[^0-9A-Za-z_]+", "_", f"{cluster.rule} {cluster.conjunct}").strip("_")
    path = folder / FOLDER / f"{name}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(Exporter(job.pack(cluster.pack)).trace(cluster.trace)))
    try:
        judged = _judged(cluster, judge_file(path, job.options))
    except UsageError as error:
        judged = {"confirmed": False, "says": str(error)}
    confirmed = replace(cluster, witness=str(target / FOLDER / path.name), **judged)
    smaller = shrink(path, job.options) if shrink and confirmed.confirmed else None
    if smaller is None:
        return confirmed
    small, run = smaller
    return replace(confirmed, small=str(target / FOLDER / small.name), run=run)


def _judged(cluster: Cluster, judgement: Judgement) -> dict[str, object]:
    first = judgement.violations()[:1]
    if not first:
        return {"confirmed": False, "says": "nothing is violated"}
    return {"confirmed": (first[0].step, first[0].rule) == (cluster.step, cluster.rule), "says": first[0].says}
