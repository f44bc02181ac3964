"""Traces cut after a number of steps, as `--max-steps` says."""

from dataclasses import replace

import numpy as np

from checker.replay.kernel.arrays import Array
from checker.replay.kernel.batch import Batch, Lists
from checker.replay.kernel.dictionary import Dictionary


def cut(batch: Batch, dictionary: Dictionary, most: int | None) -> tuple[Batch, Array]:
    """The batch with at most that many steps of each trace, and which traces had more."""
    lengths = batch.events.lengths
    if most is None or not (lengths > most).any():
        return batch, np.zeros(len(batch), bool)
    kept = np.full(len(batch), most)
    events = batch.events.part(0, len(batch), kept)
    changed = replace(
        batch,
        events=events,
        took=batch.took.part(0, len(batch), kept),
        sent=batch.sent.part(0, len(batch), _sent(events, dictionary)),
        claimed=None if batch.claimed is None else batch.claimed.part(0, len(batch), kept),
    )
    return changed, lengths > most


def _sent(events: Lists, dictionary: Dictionary) -> Array:
    """How many messages the steps of each trace send."""
    running = np.concatenate(([0], np.cumsum(dictionary.sends[events.values])))
    return np.diff(running[events.starts])
