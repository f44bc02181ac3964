"""Failures grouped by violated rule and conjunct: each cluster once, with its smallest trace."""

from collections.abc import Iterable, Iterator

import msgspec

from gomboc.checker.judge.naive import Options
from gomboc.checker.summary.repro_command import check_again

RUN = "It is a new run of the implementation."
CUT = "It is cut out of the trace, and was not run: no implementation is here that does the same."


class Cluster(msgspec.Struct, frozen=True):
    """Traces with a first violation of the same rule and conjunct.

    `pack`, `trace` and `step` are those of the smallest witness, and `witness` is its file; `says` is the naive judge's
    sentence on it. `confirmed`: the sentence names the same step and rule. `small` is a smaller trace with the same
    violation, if one was requested, and `run` tells whether it is a new run, or cut out of the witness.
    """

    rule: str
    conjunct: str
    traces: int
    pack: str
    trace: str
    step: int
    steps: int
    witness: str | None = None
    says: str | None = None
    confirmed: bool | None = None
    small: str | None = None
    run: bool | None = None

    @property
    def size(self) -> tuple[int, int, str, str]:
        """The key by which witnesses are compared: the violation's step, the trace's length, and then the names."""
        return self.step, self.steps, self.pack, self.trace


def merged(clusters: Iterable[Cluster]) -> tuple[Cluster, ...]:
    """Clusters of the same rule and conjunct joined into one, independent of their order; the largest first."""
    clusters_by_kind: dict[tuple[str, str], Cluster] = {}
    for cluster in clusters:
        key = cluster.rule, cluster.conjunct
        held = clusters_by_kind.get(key)
        if held is not None:
            smallest = min(held, cluster, key=lambda other: other.size)
            cluster = msgspec.structs.replace(smallest, traces=held.traces + cluster.traces)
        clusters_by_kind[key] = cluster
    return tuple(sorted(clusters_by_kind.values(), key=lambda other: (-other.traces, other.rule, other.conjunct)))


def lines(clusters: Iterable[Cluster]) -> Iterator[str]:
    """The clusters as text."""
    for cluster in clusters:
        failure = f"{cluster.rule}, {cluster.conjunct}" if cluster.conjunct else cluster.rule
        yield f"  {cluster.traces:,} by {failure}: first at step {cluster.step} of {cluster.trace}"
        if cluster.says:
            yield f"    {cluster.says}"
        if cluster.confirmed is False:
            yield "    The naive judge does not say the same of it: this is a fault of gomboc."
        if cluster.witness:
            yield f"    {check_again(cluster.witness, Options())}"
        if cluster.small:
            yield f"    {check_again(cluster.small, Options())}"
            yield f"    {RUN if cluster.run else CUT}"
