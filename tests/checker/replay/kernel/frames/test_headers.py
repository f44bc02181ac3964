"""Headers against columns: any difference between them is refused with the trace's name."""

import json

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.kernel.frames.headers import Shapes, targets
from tests.checker.refusing import sentence
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import UNORDERED, header, in_flight, rests

HEADER = header(messages=[(3, "a", "good"), (5, "x", "bad")], c="mad", bound=7)


def shapes_of(*heads, bound=None):
    stages = Stages(*([head, rests("a")] for head in heads))
    return stages, stages.shapes.read(stages.batch, bound)


def test_traces_with_the_same_nodes_have_the_same_shape():
    stages, (shape, _) = shapes_of(HEADER, header(), header(a="bad"), header(c="good"))
    assert shape.tolist() == [0, 1, 1, 0]
    assert [(entry.names, entry.members) for entry in stages.shapes.known] == [(("a", "b", "c"), 3), (("a", "b"), 2)]


def test_the_bound_is_the_command_lines_then_the_headers_then_the_protocols():
    assert shapes_of(HEADER, header())[1][1].tolist() == [7, 3]
    assert shapes_of(HEADER, header(), bound=0)[1][1].tolist() == [0, 0]


def test_places_say_which_node_of_a_shape_a_name_is():
    stages, _ = shapes_of(HEADER, header())
    places = stages.shapes.places()
    by_name = {name: places[:, number].tolist() for number, name in enumerate(stages.distinct.names.known)}
    assert by_name == {"a": [0, 0], "b": [1, 1], "c": [2, -1]}


def test_targets_are_read_from_the_header_where_no_node_has_the_name():
    assert targets(json.dumps(HEADER).encode()) == ["a", "x"]


LIES = {
    "parameters": {"parameters": {"echo": True}},
    "protocol": {"protocol": "toy_fifo"},
    "a state": {"states": {**HEADER["states"], "b": {"text": "bad"}}},
    "a message less": {"messages": HEADER["messages"][:1]},
    "no message": {"messages": []},
    "another id": {"messages": in_flight((4, "a", "good"), (5, "x", "bad"))},
    "another target": {"messages": in_flight((3, "b", "good"), (5, "x", "bad"))},
    "another content": {"messages": in_flight((3, "a", "bad"), (5, "x", "bad"))},
    "other roles": {"roles": {"a": "teller", "b": "teller"}},
}


@pytest.mark.parametrize("name", LIES)
def test_a_header_that_says_something_else_is_refused(name):
    stages = Stages([HEADER, rests("a")])
    stages.batch.headers[0] = json.dumps({**HEADER, **LIES[name]}).encode()
    assert (
        sentence(Shapes(UNORDERED, {}, stages.distinct).read, stages.batch, None)
        == "trace '0': its header says something else than its columns"
    )


def test_a_header_with_an_unknown_role_is_refused():
    stages = Stages([HEADER, rests("a")])
    stages.batch.headers[0] = json.dumps({**HEADER, "roles": {"a": "king"}}).encode()
    with pytest.raises(UsageError, match="the roles of a header are not those of toy_unordered"):
        stages.shapes.read(stages.batch, None)


def test_a_header_that_spells_its_states_otherwise_is_refused_and_so_left_to_the_naive_judge():
    stages = Stages([HEADER, rests("a")])
    stages.batch.headers[0] = json.dumps(HEADER).encode()
    with pytest.raises(UsageError, match="something else than its columns"):
        stages.shapes.read(stages.batch, None)
