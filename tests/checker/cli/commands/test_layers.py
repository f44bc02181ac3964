"""`gomboc check --layers` judges the traces of two layers, joins them, and says at which command they come apart."""

import json

import pytest

from tests.checker.cli.command import gomboc, refused
from tests.checker.ring import written
from tests.toys.words.spec import header, obeys, rests

STACK = """
from msgspec.structs import replace
from tests.toys.words.spec import UNORDERED, Say, react

def handing(me, local, taken, choice):  # what is delivered is a command of the layer above
    outcome = react(me, local, taken, choice)
    return replace(outcome, delivered=tuple(Say(text) for text in outcome.delivered))

PROTOCOL = UNORDERED.changed(name="toy_stack", react=handing)
"""
SAY = {"kind": "say", "text": "good"}
NAMES = "--protocol", "stack:PROTOCOL", "lower.jsonl", "upper.jsonl"
JOINED = "upper.jsonl on lower.jsonl: "
RIGHT = "lower.jsonl by itself: holds\nupper.jsonl by itself: holds\n"


@pytest.fixture
def called(own_folder):
    """Call the command with a lower layer that delivers so often, and an upper one with so many commands."""
    (own_folder / "stack.py").write_text(STACK)

    def call(delivered, commands, *words, upper=None, lower=None):
        head = {**header(messages=[(number, "b", "good") for number in range(delivered)]), "protocol": "toy_stack"}
        hears = [{**rests("b"), "took": number, "delivered": [SAY]} for number in range(delivered)]
        rest = [rests("a"), rests("b")] * 2
        (own_folder / "lower.jsonl").write_bytes(written(head, *hears, *rest, *(lower or ())))
        head = {**header(**({"c": "good"} if upper == "c" else {})), "protocol": "toy_stack"}
        steps = [obeys("b", "good", **({"kind": command} if command else {})) for command in commands]
        (own_folder / "upper.jsonl").write_bytes(written(head, rests("a"), *steps, *rest))
        return gomboc("check", "--layers", *words, *NAMES)

    return call


def test_traces_whose_commands_are_deliveries_join(called):
    says = f"{RIGHT}{JOINED}holds: all of 2 commands are deliveries of the lower layer, in order\n"
    assert called(2, [None, None]) == (0, says, "")


def test_a_command_that_was_not_delivered_is_told_with_its_line(called):
    says = "a command is not what the lower layer delivers next"
    where = f"{JOINED}violated at step 3 (line 4) by layers_join, at b: {says}: expected nothing, found "
    ran = called(1, [None, None])
    assert (ran.code, ran.err) == (1, "")
    assert ran.out == RIGHT + where + '{"kind":"say","text":"good"}\n'
    left = called(2, [None])
    assert left.code == 1
    assert "violated at the end by layers_join, at b: what the lower layer delivers becomes no command" in left.out


def test_commands_of_kinds_that_come_from_elsewhere_are_left_out(called):
    assert called(0, [None]).code == 1
    ran = called(0, [None], "--ignore-command", "say")
    assert ran.code == 3
    assert "unknown: the lower layer delivers nothing, and the upper one takes no command" in ran.out


def test_where_nothing_is_joined_nothing_is_known(called):
    ran = called(0, [])
    assert (ran.code, ran.err) == (3, "")
    assert f"{RIGHT}{JOINED}unknown: " in ran.out


def test_a_trace_that_lies_joins_nothing_that_holds(called):
    lie = {**rests("a"), "state": {"text": "bad"}}
    ran = called(1, [None], lower=[lie])
    assert ran.code == 1
    assert "lower.jsonl by itself: violated; look closer: gomboc check lower.jsonl\n" in ran.out
    assert "holds: all of 1 command" in ran.out


def test_nodes_of_another_system_are_not_joined(called):
    ran = called(1, [None], upper="c")
    assert ran.code == 3
    assert "unknown: 'c' has a role in upper.jsonl only, so the two are not layers of one system" in ran.out


def test_no_layer_stands_on_itself(called):
    called(1, [None])
    said = refused("check", "--layers", "lower.jsonl", "lower.jsonl")
    assert said == "gomboc: lower.jsonl: a layer does not stand on itself; name the trace of the layer above.\n"


@pytest.mark.parametrize(("commands", "verdict", "code"), [([None], "holds", 0), ([], "violated", 1)])
def test_the_verdict_is_a_line_of_json(called, commands, verdict, code):
    ran = called(1, commands, "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["format"], document["verdict"]) == (code, "gomboc-check", verdict)
    assert (document["lower"], document["upper"], document["layers"]["type"]) == ("lower.jsonl", "upper.jsonl", verdict)
    assert [row["trace"] for row in document["judgements"]] == ["lower.jsonl", "upper.jsonl"]
