"""One axis for all traces of a block: the position and the slot of each step."""

from tests.checker.refusing import sentence
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import header, rests

FIRST = [header(), rests("b"), rests("x"), rests("a")]
SECOND = [header(c="bad"), rests("c", "bad")]
EMPTY = [header()]


def test_a_trace_takes_one_position_more_than_it_has_steps():
    frame = Stages(FIRST, EMPTY, SECOND).frame
    assert frame.base.tolist() == [0, 4, 5, 7]
    assert frame.position.tolist() == [1, 2, 3, 6]
    assert frame.trace_at(frame.position).tolist() == [0, 0, 0, 2]
    assert frame.size == 7


def test_a_slot_is_one_node_of_one_trace_and_none_for_a_stranger():
    frame = Stages(FIRST, EMPTY, SECOND).frame
    assert frame.slot.tolist() == [1, -1, 0, 6]
    assert frame.slot_trace.tolist() == [0, 0, 1, 1, 2, 2, 2]
    assert [frame.distinct.names.known[number] for number in frame.slot_name] == ["a", "b", "a", "b", "a", "b", "c"]


def test_messages_at_the_start_go_to_names_even_of_unknown_nodes():
    start = [(0, "b", "good"), (1, "x", "good"), (2, "a", "good")]
    frame = Stages(EMPTY, [header(messages=start)], [header(messages=start[:1])]).frame
    assert [frame.distinct.names.known[number] for number in frame.initial_to] == ["b", "x", "a", "b"]


def test_a_state_of_another_role_at_the_start_is_refused():
    stages = Stages(FIRST)
    stages.distinct.state_role[0] = -1
    assert sentence(lambda: stages.frame) == "trace '0': a node begins with a state of another role than its own"
