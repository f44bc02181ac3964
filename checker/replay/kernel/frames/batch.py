"""The traces of one row group in columns: shortened to a number of steps, and divided in blocks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from gomboc.checker.distinct.arrays import Array, numbers, spread

BLOCK_EVENTS = 1 << 17
"""Steps in a block, unless one trace has more."""

BLOCK_NODES = 60_000
"""Nodes in a block, all traces together: below 2^16 they are sorted in linear time."""


class BatchLists(NamedTuple):
    """A column of lists: list i is `values[starts[i]:starts[i + 1]]`."""

    starts: Array
    values: Array

    @property
    def lengths(self) -> Array:
        """The length of each list."""
        return np.diff(self.starts)

    def rows(self) -> list[list[int]]:
        """The lists."""
        values, starts = self.values.tolist(), self.starts.tolist()
        return [values[low:high] for low, high in pairwise(starts)]

    def part(self, low: int, high: int, most: Array | None = None) -> "BatchLists":
        """Lists `low` to `high`; with `most`, at most that many values of each."""
        starts = self.starts[low : high + 1]
        if most is None or not np.any(np.diff(starts) > most):
            return BatchLists(starts - starts[0], self.values[starts[0] : starts[-1]])
        kept = np.minimum(np.diff(starts), most)
        return BatchLists(np.concatenate(([0], np.cumsum(kept))), self.values[spread(starts[:-1], kept)])


@dataclass(frozen=True)
class Batch:
    """The traces of a row group. `claimed` is None if no node claims a state in which it took a step."""

    names: list[str]
    headers: list[bytes]
    first: BatchLists
    initial: BatchLists
    initial_to: BatchLists
    initial_content: BatchLists
    events: BatchLists
    took: BatchLists
    sent: BatchLists
    claimed: BatchLists | None

    def __len__(self) -> int:
        return len(self.headers)


LISTS = ("first", "initial", "initial_to", "initial_content", "events", "took", "sent")


def batch_of(traces: pa.Table) -> Batch:
    """The rows of `traces.parquet` that a table holds."""
    columns = {name: _lists(traces[name]) for name in LISTS}
    return Batch(
        names=traces["name"].to_pylist(),
        headers=traces["header"].to_pylist(),
        **columns,
        claimed=_claims(traces["claimed"], columns["events"]),
    )


def _lists(column: pa.ChunkedArray) -> BatchLists:
    lists = column.combine_chunks()
    if isinstance(lists, pa.ChunkedArray):
        lists = pa.concat_arrays(lists.chunks) if lists.num_chunks else pa.array([], column.type)
    starts = numbers(lists.offsets) if len(lists) else np.zeros(1, np.int64)
    return BatchLists(starts - starts[0], numbers(lists.flatten()))


def _claims(column: pa.ChunkedArray, events: BatchLists) -> BatchLists | None:
    """The claims of every step, -1 where there is none; None if there is none at all."""
    if column.null_count == len(column):
        return None
    there = np.flatnonzero(numbers(pc.is_valid(column).combine_chunks(), bool))
    values = np.full(len(events.values), -1, np.int64)
    values[spread(events.starts[there], events.lengths[there])] = _lists(column.drop_null()).values
    return BatchLists(events.starts, values)


def blocks(batch: Batch) -> Iterator[tuple[int, int]]:
    """Ranges of traces, in order, of about as many steps as a block should have."""
    events, nodes = batch.events.starts, batch.first.starts
    low = 0
    while low < len(batch):
        high = int(np.searchsorted(events, events[low] + BLOCK_EVENTS, "right")) - 1
        high = min(high, int(np.searchsorted(nodes, nodes[low] + BLOCK_NODES, "right")) - 1)
        high = min(max(high, low + 1), len(batch))
        yield low, high
        low = high


def shortened(batch: Batch, sends: Array, most: int | None) -> tuple[Batch, Array]:
    """The batch with at most `most` steps of each trace, and a mask of the traces that had more.

    `sends` is the number of messages that each distinct step sends.
    """
    lengths = batch.events.lengths
    if most is None or not (lengths > most).any():
        return batch, np.zeros(len(batch), bool)
    kept = np.full(len(batch), most)
    events = batch.events.part(0, len(batch), kept)
    changed = replace(
        batch,
        events=events,
        took=batch.took.part(0, len(batch), kept),
        sent=batch.sent.part(0, len(batch), _sent_by(events, sends)),
        claimed=None if batch.claimed is None else batch.claimed.part(0, len(batch), kept),
    )
    return changed, lengths > most


def _sent_by(events: BatchLists, sends: Array) -> Array:
    """The number of messages that the steps of each trace send."""
    running = np.concatenate(([0], np.cumsum(sends[events.values])))
    return np.diff(running[events.starts])
