"""Each node's steps one after another: chains, intervals of one state, and timeouts."""

import pytest

from gomboc.checker.replay.kernel.frames import turns as stage
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import header, hears, rests

LINES = [
    header(b="bad"),
    rests("a"),
    hears("a", 0, "bad"),
    rests("b", "bad"),
    hears("a", 1),
    rests("a"),
    rests("x"),
]


def told(stages):
    intervals = stages.block.turns.intervals
    texts = [text.decode()[9:-2] for text in stages.distinct.state_texts]
    columns = (column.tolist() for column in (intervals.slot, intervals.state, intervals.start, intervals.end))
    return [(slot, texts[state], start, end) for slot, state, start, end in zip(*columns, strict=True)]


def test_an_interval_is_cut_where_a_state_changes_and_nowhere_else():
    assert told(Stages(LINES)) == [(0, "good", 0, 2), (0, "bad", 2, 4), (0, "good", 4, 7), (1, "bad", 0, 7)]


def test_traces_do_not_meet():
    assert told(Stages([header()], LINES))[:2] == [(0, "good", 0, 1), (1, "good", 0, 1)]
    assert told(Stages([header()], LINES))[2:] == [
        (2, "good", 1, 3),
        (2, "bad", 3, 5),
        (2, "good", 5, 8),
        (3, "bad", 1, 8),
    ]


def test_each_timeout_knows_the_next_one_of_its_node_and_the_last_the_end():
    timeouts = Stages(LINES).block.turns.timeouts
    assert list(zip(timeouts.slot.tolist(), timeouts.position.tolist(), timeouts.following.tolist(), strict=True)) == [
        (0, 1, 5),
        (0, 5, 7),
        (1, 3, 7),
    ]
    assert timeouts.first.tolist() == [1, 3]


def test_a_node_without_timeout_has_the_first_one_after_the_end():
    assert Stages([header(), rests("a")], [header()]).block.turns.timeouts.first.tolist() == [1, 2, 3, 3]


def test_a_claimed_state_that_is_not_the_one_before_breaks_the_chain():
    claims = rests("a", before={"text": "good"}), rests("b", before={"text": "bad"}), rests("a")
    turns = Stages([header(), *claims]).block.turns
    assert turns.broken.tolist() == [1]
    assert not len(turns.unchained)


def test_a_local_step_from_another_state_than_its_nodes_is_unchained():
    stages = Stages([header(), rests("a"), rests("a", "bad"), rests("a", "bad")])
    stages.frame.step[:] = stages.frame.step[[0, 2, 1]]
    assert stages.block.turns.unchained.tolist() == [1, 2]
    assert not len(stages.block.turns.broken)


def test_the_first_local_step_of_a_node_begins_in_the_state_of_the_header():
    stages = Stages([header(), rests("a", "bad"), rests("a", "bad")])
    stages.frame.step[:] = stages.frame.step[[1, 1]]
    assert stages.block.turns.unchained.tolist() == [0]


@pytest.mark.parametrize("nodes", [1 << 16, 1])
def test_more_nodes_than_sixteen_bits_are_sorted_as_well(nodes, monkeypatch):
    monkeypatch.setattr(stage, "FEW_SLOTS", nodes)
    assert told(Stages(LINES, LINES)) == told(Stages(LINES, LINES))
    assert len(told(Stages(LINES, LINES))) == 8
