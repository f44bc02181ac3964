"""The traces of one row group in columns: shortened to a number of steps, and divided in blocks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow.compute as pc

from gomboc.checker.core.arrow import pa
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

    @property
    def owner(self) -> Array:
        """The list of each value."""
        return np.repeat(np.arange(len(self.starts) - 1), self.lengths)

    def rows(self) -> list[list[int]]:
        """The lists."""
        values, starts = self.values.tolist(), self.starts.tolist()
        return [values[low:high] for low, high in pairwise(starts)]

    def part(self, low: int, high: int) -> "BatchLists":
        """Lists `low` to `high`."""
        starts = self.starts[low : high + 1]
        return BatchLists(starts - starts[0], self.values[starts[0] : starts[-1]])

    def at_most(self, most: Array | int) -> "BatchLists":
        """At most that many values of each list."""
        kept = np.minimum(self.lengths, most)
        ends = np.repeat(self.starts[:-1] + kept, self.lengths)
        return BatchLists(np.append(0, np.cumsum(kept)), self.values[np.arange(len(ends)) < ends])


class Starts(NamedTuple):
    """The start of each trace: the state of each node; id, target and content of each message in flight."""

    first: BatchLists
    initial: BatchLists
    initial_to: BatchLists
    initial_content: BatchLists

    def part(self, low: int, high: int) -> "Starts":
        """The starts of traces `low` to `high`."""
        return Starts(*(lists.part(low, high) for lists in self))


@dataclass(frozen=True)
class Batch:
    """The traces of a row group: their starts; their local steps, and the ids that these take and send.

    `claimed` are the states in which nodes claim to take their steps; None if no node claims any.
    """

    names: list[str]
    headers: list[bytes]
    starts: Starts
    events: BatchLists
    took: BatchLists
    sent: BatchLists
    claimed: BatchLists | None

    def __len__(self) -> int:
        return len(self.headers)

    def part(self, low: int, high: int) -> "Batch":
        """Traces `low` to `high`."""
        return Batch(
            self.names[low:high],
            self.headers[low:high],
            self.starts.part(low, high),
            self.events.part(low, high),
            self.took.part(low, high),
            self.sent.part(low, high),
            None if self.claimed is None else self.claimed.part(low, high),
        )


def batch_of(traces: pa.Table) -> Batch:
    """The rows of `traces.parquet` that a table holds."""
    columns = {name: _lists(traces[name]) for name in (*Starts._fields, "events", "took", "sent")}
    return Batch(
        traces["name"].to_pylist(),
        traces["header"].to_pylist(),
        Starts(*(columns[name] for name in Starts._fields)),
        columns["events"],
        columns["took"],
        columns["sent"],
        _claims(traces["claimed"], columns["events"]),
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
    events, nodes = batch.events.starts, batch.starts.first.starts
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
    events = batch.events.at_most(most)
    running = np.concatenate(([0], np.cumsum(sends[events.values])))
    changed = replace(
        batch,
        events=events,
        took=batch.took.at_most(most),
        sent=batch.sent.at_most(np.diff(running[events.starts])),
        claimed=None if batch.claimed is None else batch.claimed.at_most(most),
    )
    return changed, lengths > most
