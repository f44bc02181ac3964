"""The golden traces: their headers give the judge's verdicts, and each lie in them is the only one."""

import io
import json
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from gomboc.checker.cli.commands.check import command as check
from gomboc.checker.judge.naive import Options, judge, judge_file
from gomboc.checker.judge.verdict import HOLDS, VIOLATED, Holds
from gomboc.checker.traces.trace import TraceReader, open_trace
from gomboc.spec.core.faults import anchor_of
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.core.registry import find_protocol
from tests.golden.drive import lines_of, reached
from tests.golden.make import TRACES, folder, made, protocols
from tests.sampling import SHARE, THOROUGH

pytestmark = pytest.mark.long

OK = sorted(path for protocol in protocols() for path in folder(protocol).glob("*.ok.jsonl"))
BAD = sorted(path for protocol in protocols() for path in folder(protocol).glob("*.bad.jsonl"))
EACH = 1 if THOROUGH else SHARE
"""Of so many steps, one is asked alone; in each trace another one is the first."""

RULES_OF_ANY_TRACE = {
    "known_node",
    "known_message",
    "sent_before_delivered",
    "delivered_once",
    "delivered_to_target",
    "delivered_unaltered",
    "fresh_id",
    "steps_chain",
    "canonical",
    "input_has_rule",
    "closure",
    "convergence",
}
"""Those that `traces/README.md` names, without `delivered_in_order`: not all channels keep an order."""


def name_of(path):
    return f"{path.parent.name}/{path.name}"


def promises_of(path):
    """The names of the promises over every state, and of which one lie may break several."""
    with open_trace(path) as reader:
        return {promise.name for promise in reader.protocol.promises.always}


@cache
def judgement_of(path):
    """The judge's verdict on a golden trace."""
    return judge_file(path)


def judged(lines):
    written = "".join(json.dumps(line) + "\n" for line in lines).encode()
    return judge(TraceReader(Path("a trace"), io.BytesIO(written)), Options())


def rounds_in(lines):
    """How many times every node has had a timeout, and everything in flight has arrived, since the last time."""
    completed, nodes, messages = 0, set(lines[0]["roles"]), {message["id"] for message in lines[0]["messages"]}
    for number, step in enumerate(lines[1:], 1):
        nodes.discard(step["node"] if step["took"] == "timeout" else None)
        messages.discard(step["took"])
        if not nodes and not messages:
            completed, nodes, messages = completed + 1, set(lines[0]["roles"]), set(reached(lines[: number + 1])[1])
    return completed


@pytest.mark.parametrize("protocol", protocols())
def test_making_them_again_gives_the_same_files_and_no_others(protocol):
    there = {path.name: path.read_bytes() for path in folder(protocol).glob("*.jsonl")}
    assert dict(made(protocol)) == there


@pytest.mark.parametrize("protocol", protocols())
def test_there_is_a_lie_for_every_rule_that_a_trace_can_break(protocol):
    keeps_order = find_protocol(protocol).discipline is not Discipline.UNORDERED
    broken = {lines_of(path)[0]["expect"]["rule"] for path in BAD if path.parent.name == protocol}
    assert broken >= RULES_OF_ANY_TRACE | ({"delivered_in_order"} if keeps_order else set())


@pytest.mark.parametrize("path", OK, ids=name_of)
def test_an_honest_trace_holds(path):
    assert lines_of(path)[0]["expect"] == {"verdict": "holds"}
    judgement = judgement_of(path)
    assert judgement.steps == len(lines_of(path)) - 1
    assert [verdict for _, verdict in judgement.verdicts() if not isinstance(verdict, Holds)] == []
    assert judgement.rounds_after == 3


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_a_lie_is_named_where_it_is_told_and_nothing_before_it(path):
    judgement, (head, *steps) = judgement_of(path), lines_of(path)
    assert judgement.steps == len(steps)
    violations, expected = judgement.violations(), head["expect"]
    first = [violated for violated in violations if violated.step == violations[0].step]
    assert first[0].step == expected["step"]
    assert expected["rule"] in [violated.rule for violated in first]


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_a_lie_breaks_one_rule_only_and_another_only_in_the_same_step(path):
    expected = lines_of(path)[0]["expect"]
    violations = judgement_of(path).violations()
    assert {violated.step for violated in violations} == {expected["step"]}
    promised = promises_of(path)
    beside = {violated.rule for violated in violations} - (promised if expected["rule"] in promised else set())
    most = {"closure": 2}.get(expected["rule"], 1)
    assert len(beside) <= most if expected["rule"] in promised else len(violations) == most


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_after_a_lie_all_is_honest_again(path):
    lines = lines_of(path)
    lie = lines[0]["expect"]["step"] + (2 if path.name == "delivered_before_it_was_sent.bad.jsonl" else 1)
    states, in_flight = reached(lines[:lie])
    rest = [{**lines[0], "states": states, "messages": list(in_flight.values())}, *lines[lie:]]
    if len(rest) == 1:
        return
    assert isinstance(judged(rest).conformance, Holds)


def test_the_trace_that_never_converges_is_honest_and_as_long_as_its_bound():
    path = folder("skip_ring") / "never_converges.bad.jsonl"
    lines = lines_of(path)
    assert isinstance(judge_file(path).conformance, Holds)
    assert (rounds_in(lines), rounds_in(lines[:-1])) == (lines[0]["bound"], lines[0]["bound"] - 1)
    assert {step["coin"] for step in lines[1:] if "coin" in step} == {"silent"}


def test_the_printed_linearize_is_true_to_itself():
    path = folder("skip_ring") / "printed_linearize.bad.jsonl"
    assert isinstance(judge_file(path, Options(variant="printed_linearize")).conformance, Holds)


@pytest.mark.parametrize("path", OK, ids=name_of)
def test_the_specification_takes_each_step_of_an_honest_trace_when_it_is_asked_alone(path):
    """Every step is a trace of its own: nothing that the judge remembers makes the others true."""
    lines = lines_of(path)
    for number in range(1 + OK.index(path) % EACH, len(lines), EACH):
        step = lines[number]
        states, in_flight = reached(lines[:number])
        taken = [in_flight[step["took"]]] if isinstance(step["took"], int) else []
        head = {**lines[0], "states": states, "messages": taken}
        assert isinstance(judged([head, step]).conformance, Holds), number


def test_held_against_what_they_expect_all_traces_of_the_repository_are_as_expected():
    result = CliRunner().invoke(check, ["--expect", str(TRACES)], standalone_mode=False)
    assert result.return_value == HOLDS, result.output
    files = len(list(TRACES.rglob("*.jsonl")))
    assert result.output.splitlines()[-1] == f"{files} traces, 0 not as expected."


def answered(*paths):
    """The exit code of `gomboc check` for some traces."""
    return CliRunner().invoke(check, [*map(str, paths)], standalone_mode=False).return_value


@pytest.mark.parametrize("protocol", protocols())
def test_the_command_line_accepts_an_honest_one_and_refuses_it_with_another(protocol):
    honest, bad = (next(path for path in paths if path.parent.name == protocol) for paths in (OK, BAD))
    assert answered(honest) == HOLDS
    assert answered(bad) == answered(honest, bad) == VIOLATED


@pytest.mark.parametrize("name", protocols())
def test_whatever_is_sent_may_go_to_no_node_and_be_asked_about(name):
    """A corrupted trace sends to any name, and the judge counts the faults of everything in flight."""
    asked = set()
    for path in OK:
        if path.parent.name == name:
            with open_trace(path) as reader:
                anchor = anchor_of(reader.protocol, reader.header.states)
                for message in {sent.message for step in reader.steps() for sent in step.sent}:
                    asked.add(type(message))
                    faults = [
                        reader.protocol.legitimacy.message_faults(anchor, to, message) for to in ("nobody", "n99")
                    ]
                    assert all(isinstance(fault, tuple) for fault in faults)
    assert asked
