"""A trace for other viewers: their formats, with the content of the trace."""

import json
import re
from pathlib import Path

import pytest

from gomboc.checker.judge.naive import DEFAULT, judge_file
from gomboc.checker.report.formats import FORMATS
from gomboc.checker.report.formats.events import story_of
from gomboc.checker.report.formats.mermaid import MOST_EVENTS, around
from gomboc.checker.report.formats.shiviz import PARSER
from tests.checker.cli.command import gomboc

TRACES = Path(__file__).resolve().parents[4] / "traces" / "skip_ring"
LIE = TRACES / "neighbour_forgotten.bad.jsonl"
LATE = TRACES / "never_converges.bad.jsonl"


def written(kind, path=LIE):
    return FORMATS[kind][1](story_of(path), judge_file(path, DEFAULT))


def test_a_clock_knows_what_its_node_knows_and_nothing_else():
    """By the definition: a step knows the node's steps before, and all that was known where its message was sent."""
    events = story_of(LIE).events
    known = {}
    for event in events:
        before = [earlier for earlier in events[: event.number - 1] if earlier.node == event.node][-1:]
        if event.taken is not None and event.taken.sent_at:
            before.append(events[event.taken.sent_at - 1])
        known[event.number] = {event.number}.union(*(known[earlier.number] for earlier in before))
        counted = {}
        for number in known[event.number]:
            counted[events[number - 1].node] = counted.get(events[number - 1].node, 0) + 1
        assert dict(event.clock) == counted


def test_shiviz_is_read_by_its_own_expression_and_clocks_count_each_host_on():
    expression = re.compile(PARSER.replace("(?<", "(?P<"))
    matches = [*expression.finditer(written("shiviz"))]
    assert len(matches) == len(story_of(LIE).events)
    steps = {}
    for match in matches:
        host, clock = match["host"], json.loads(match["clock"])
        steps[host] = steps.get(host, 0) + 1
        assert clock[host] == steps[host]
    assert [match["event"] for match in matches if "VIOLATED" in match["event"]] == [matches[17]["event"]]


def test_itf_has_a_state_before_the_first_step_and_one_after_each_and_no_null():
    document = json.loads(written("itf"))
    assert document["#meta"]["format"] == "ITF"
    assert document["#meta"]["description"].startswith("violated at step 18")
    assert [state["#meta"]["index"] for state in document["states"]] == [*range(117)]
    assert all([*state] == ["#meta", *document["vars"]] for state in document["states"])
    assert "null" not in written("itf")
    nodes = [
        dict(map(tuple, ((name, local["left"]) for name, local in state["nodes"]["#map"] if name == "v3")))
        for state in document["states"]
    ]
    assert [node["v3"] for node in nodes[17:19]] == [["001", "v5"], "none"]


def test_mermaid_draws_at_most_forty_steps_and_the_violation_is_among_them():
    for path, step in ((LIE, 18), (LATE, 25)):
        lines = written("mermaid", path).splitlines()
        assert lines[0] == "sequenceDiagram"
        assert sum("VIOLATED" in line for line in lines) >= 1
        events = [line for line in lines if re.search(r": \d+ ", line)]
        assert len(events) == min(MOST_EVENTS, len(story_of(path).events))
        assert any(re.search(rf": {step} ", line) for line in events)
        assert all(line.count(":") <= 1 and ";" not in line.replace("#58;", "") for line in lines[1:])


@pytest.mark.parametrize("step", [1, 18, 60, 116])
def test_around_a_step_are_forty_steps_with_it_among_them(step):
    shown = around(story_of(LIE), step)
    assert len(shown) == MOST_EVENTS
    assert step in [event.number for event in shown]


def test_perfetto_has_a_slice_for_each_step_and_both_ends_of_each_arrow():
    events = json.loads(written("perfetto"))["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    assert [event["args"]["step"] for event in slices] == [*range(1, 117)]
    assert [event["args"]["step"] for event in slices if event["cat"] == "violated"] == [18]
    begins, ends = ([event for event in events if event["ph"] == end] for end in "sf")
    assert [event["id"] for event in begins] == [event["id"] for event in ends]
    assert all(first["ts"] < last["ts"] for first, last in zip(begins, ends, strict=True))
    threads = {event["tid"] for event in events if event["ph"] == "M" and "tid" in event}
    assert {event["tid"] for event in slices} <= threads


def test_the_command_writes_a_file_by_the_name_of_the_trace(tmp_path):
    for kind, (ending, _) in FORMATS.items():
        assert gomboc("export", LIE, "--as", kind, "--output", tmp_path) == (0, f"{tmp_path}: 1 trace.\n", "")
        assert (tmp_path / f"neighbour_forgotten.bad{ending}").read_text() == written(kind)


def test_traces_of_a_corpus_are_written_for_a_viewer_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "--nodes 2 --traces 2 --into packs --output corpus"
    assert gomboc("simulate", "skip_ring", *words.split()).code == 0
    assert gomboc("export", "corpus", "skip_ring-000001", "--as", "mermaid", "--output", "seen").code == 0
    assert [path.name for path in Path("seen").glob("*")] == ["skip_ring-000001.mmd"]
