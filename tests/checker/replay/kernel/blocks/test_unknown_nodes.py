"""Where a trace names a node that it does not have, while others of its pack have it."""

from gomboc.checker.replay.kernel.blocks.unknown_nodes import positions_of_strangers
from tests.checker.replay.kernel.framed import Stages
from tests.toys.words.spec import UNORDERED, header, hears, in_flight, obeys, rests, tells

NAMING = UNORDERED.changed(named=lambda value: (value.text,) if len(value.text) < 3 else ())


def positions(*traces):
    """Relative to each trace, with its number."""
    stages = Stages(*map(list, traces), protocol=NAMING)
    positions = positions_of_strangers(stages.frame, stages.naming, stages.marks, stages.first)
    traces = stages.frame.trace_at(positions)
    return list(zip(traces.tolist(), (positions - stages.frame.base[traces]).tolist(), strict=True))


def three(*args, **more):
    return header(*args, protocol=NAMING, c="good", **more)


def two(*args, **more):
    return header(*args, protocol=NAMING, **more)


def test_the_nodes_of_a_trace_may_be_named():
    lines = rests("a", "b"), tells("b", 0, "a"), hears("a", 0, "a")
    assert positions([two(), *lines], [three("c"), *lines, rests("b", "c")]) == []


def test_a_state_names_a_stranger_at_the_start_or_after_a_step():
    assert positions([three("c"), rests("a")], [two("c"), rests("a")], [two(), rests("b"), rests("a", "c")]) == [
        (1, 0),
        (2, 2),
    ]


def test_a_message_names_a_stranger_at_the_start_or_where_it_is_sent():
    sends = rests("a", sent=in_flight((1, "b", "good"), (2, "b", "c")))
    assert positions([three(messages=[(0, "a", "c")]), sends], [two(messages=[(0, "a", "c")]), rests("b"), sends]) == [
        (1, 0),
        (1, 2),
    ]


def test_a_command_names_a_stranger():
    traces = [[start, rests("a"), obeys("b", "c", state={"text": "good"})] for start in (two(), three())]
    assert positions(*traces) == [(0, 2)]
    wrong = rests("a", "bad")
    traces = [[start, wrong, obeys("b", "c", state={"text": "good"}), rests("b")] for start in (two(), three())]
    assert positions(*traces) == [(0, 2)]


def test_the_sends_of_an_unknown_nodes_step_are_compared():
    assert positions([two(), rests("x", "y")], [two(), rests("x", sent=in_flight((0, "a", "y")))]) == [(1, 1)]


def test_an_unsent_message_may_name_an_unknown_node():
    lines = hears("a", 7, "c"), rests("a", "c"), rests("b")
    assert positions([two(), *lines], [three(), *lines]) == [(0, 1), (0, 2)]


def test_names_in_a_value_that_is_no_word_are_not_computed():
    assert positions([two(""), rests("b", "")], [two(messages=[(0, "a", "")])]) == []


def test_more_names_than_one_word_of_bits_holds():
    names = [f"{number}" for number in range(10, 99)]
    traces = [[two(), rests("a"), rests("b", name)] for name in names]
    assert positions(*traces) == [(number, 2) for number in range(len(names))]
    for trace in traces[::3]:
        trace[0] = {**two(), "roles": dict.fromkeys(("a", "b", trace[2]["state"]["text"]), "teller")}
        trace[0]["states"] = {name: {"text": "good"} for name in trace[0]["roles"]}
    assert positions(*traces) == [(number, 2) for number in range(len(names)) if number % 3]
