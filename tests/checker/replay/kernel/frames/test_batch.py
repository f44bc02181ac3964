"""Row groups in columns: shortened, and divided in blocks without losing a trace."""

import numpy as np
import pytest

from gomboc.checker.replay.kernel.frames import batch as batches
from gomboc.checker.replay.kernel.frames.batch import BatchLists, blocks, shortened
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import header, in_flight, rests, tells

TELLING = [header(), tells("a", 0), rests("b"), rests("a", sent=in_flight((1, "b", "good"), (2, "b", "good")))]
RESTING = [header(), rests("a"), rests("b", before={"text": "good"})]


def test_a_part_of_lists_has_those_and_at_most_so_many_values_of_each():
    lists = BatchLists(np.array([0, 2, 2, 5]), np.arange(5))
    assert lists.part(1, 3).rows() == [[], [2, 3, 4]]
    assert lists.at_most(np.array([1, 9, 2])).rows() == [[0], [], [2, 3]]


def test_claims_stand_at_their_steps_and_nowhere_else():
    assert Stages(TELLING).batch.claimed is None
    assert Stages(TELLING, RESTING).batch.claimed.rows() == [[-1, -1, -1], [-1, 0]]


@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, None])
def test_a_shortened_trace_keeps_inputs_and_sends_of_its_first_steps(most):
    stages = Stages(TELLING, RESTING)
    batch, was_cut = shortened(stages.batch, stages.distinct.sends, most)
    many = 3 if most is None else most
    assert was_cut.tolist() == [many < 3, many < 2]
    assert batch.events.lengths.tolist() == [min(many, 3), min(many, 2)]
    assert batch.took.lengths.tolist() == batch.claimed.lengths.tolist() == batch.events.lengths.tolist()
    assert batch.sent.rows() == [{0: [], 1: [0], 2: [0]}.get(many, [0, 1, 2]), []]


@pytest.mark.parametrize(("events", "nodes"), [(1, 99), (4, 99), (99, 2), (99, 5), (99, 99)])
def test_every_trace_is_in_one_block_and_no_block_is_empty(events, nodes, monkeypatch):
    monkeypatch.setattr(batches, "BLOCK_EVENTS", events)
    monkeypatch.setattr(batches, "BLOCK_NODES", nodes)
    batch = Stages(*[TELLING, RESTING] * 4).batch
    ranges = list(blocks(batch))
    assert [index for low, high in ranges for index in range(low, high)] == list(range(8))
    for low, high in ranges:
        assert high - low == 1 or batch.events.starts[high] - batch.events.starts[low] <= events
        assert high - low == 1 or batch.starts.first.starts[high] - batch.starts.first.starts[low] <= nodes
