"""A topic is left out of the layers below it, where its broadcasts are: what is left is still a run of the stack."""

import json

import pytest

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.checker.shrink.case import TraceCase, judged, read_case
from gomboc.checker.simulate.stacks.plan import StackPlan
from gomboc.checker.simulate.stacks.simulate import simulate_run
from gomboc.checker.stacks.judge import judge_stack
from gomboc.checker.stacks.less import without_topic, without_turns
from gomboc.checker.stacks.recorded import FILE
from gomboc.checker.stacks.shrink import shrink_run
from tests.checker.stacks.mutating import another
from tests.checker.stacks.runs import read, write

STACK, BROADCASTS = "hyparview_chord_scribe", "hyparview"
UPPER = "scribe/sport"
SWITCHED = {"chord.meet": True, "scribe.high": 3, "scribe.low": 2}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Five nodes that broadcast publications of both topics, until some periods later."""
    folder = tmp_path_factory.mktemp("run")
    simulate_run(StackPlan(STACK, (5,), 2, 7, disturb=True, parameters=SWITCHED, publications=3), folder, 1)
    lines = read(folder / "000001")
    end = 4.0 + max(line["at"] for line in lines[BROADCASTS][1:] if kind_of(line["took"]) == "Spread")
    cut = {name: [head, *(line for line in steps if line["at"] < end)] for name, (head, *steps) in lines.items()}
    return write(folder / "cut", cut, (folder / "000001" / FILE).read_text())


def kind_of(took):
    return took["kind"] if isinstance(took, dict) else None


@pytest.mark.parametrize("topic", ["news", "sport"])
def test_the_layer_that_broadcasts_is_right_without_a_topic(run, topic):
    whole = read_case(run / f"{BROADCASTS}.jsonl")
    assert {step["took"]["topic"] for step in whole.steps if kind_of(step["took"]) == "Spread"} == {"news", "sport"}
    less = without_topic(whole, topic)
    assert topic.encode() not in TraceCase({**less.header, "origin": {}}, less.steps).text()
    assert isinstance(judged(less, DEFAULT).conformance, Holds)


def test_the_other_topic_and_its_broadcasts_are_left_out_of_a_small_run(run, tmp_path):
    lines = read(run)
    routes = [number for number, line in enumerate(lines[UPPER]) if number and kind_of(line["took"]) == "StillRouted"]
    at = routes[len(routes) // 2]
    lines[UPPER][at]["took"]["next"] = another(lines[UPPER][0], lines[UPPER][at])
    write(tmp_path / "wrong", lines, (run / FILE).read_text())
    (tmp_path / "small").mkdir()
    shrunk = shrink_run(tmp_path / "wrong", tmp_path / "small", "small")
    small = read(tmp_path / "small")
    assert small.keys() == {"chord", BROADCASTS, UPPER}
    assert json.loads((tmp_path / "small" / FILE).read_text())["topics"].keys() == {"sport"}
    assert not any("news" in str(lines[0]["states"]) for lines in small.values())
    assert shrunk.now[1] == 2
    judged_small = judge_stack(tmp_path / "small")
    assert not any(isinstance(judged_small.traces[name].conformance, Violated) for name in ("chord", BROADCASTS))
    before, after = judge_stack(tmp_path / "wrong").layers, judged_small.layers
    assert isinstance(before.verdict, Violated)
    assert isinstance(after.verdict, Violated)
    assert (before.trace, before.verdict.rule, before.verdict.node, before.verdict.differences) == (
        after.trace,
        after.verdict.rule,
        after.verdict.node,
        after.verdict.differences,
    )


STEPS = (
    {
        "node": "a",
        "took": {"kind": "Spread", "topic": "news"},
        "state": {},
        "sent": [{"id": 1, "message": {}}],
        "at": 1,
    },
    {"node": "b", "took": 1, "state": {}, "sent": [{"id": 2, "message": {}}], "at": 2},
    {"node": "a", "took": 2, "state": {}, "sent": [], "at": 3},
    {"node": "a", "took": "timeout", "state": {"held": [["news", "x"], ["sport", "y"]]}, "sent": [], "at": 4},
)


def test_what_a_topic_has_caused_is_left_out_with_it():
    """A crashed node answers a message of the topic by one that does not name it."""
    sent = [{**one, "to": "b"} for one in STEPS[0]["sent"]], [{**one, "to": "a"} for one in STEPS[1]["sent"]], [], []
    steps = tuple({**step, "sent": its} for step, its in zip(STEPS, sent, strict=True))
    case = TraceCase({"roles": {"a": "node", "b": "node"}, "states": {}, "messages": []}, steps)
    (left,) = without_topic(case, "news").steps
    assert left["state"] == {"held": [["sport", "y"]]}
    assert without_turns(case, {(2, "b"), (3, "b")}).steps == (steps[0], *steps[2:])
