"""Traces of Skip+: every rule is in one that holds, and its schema fits the values that the judge reads."""

import copy
import json

import msgspec
import pytest

from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.rules import RULES_BY_SLIDE
from tests.golden.skip_plus.starts import ANYWHERE, TWO, node, update
from tests.traces.reading import MISSING, changed, fired_in_those_that_hold, is_read, schema, validator

NAME = "skip_plus"


def test_every_rule_is_in_a_trace_that_holds():
    fired_rules = fired_in_those_that_hold(NAME)
    steps = {"end_round", "absent_timeout", "collect", "bounce", "lose", "join", "leave", "crash"}
    assert fired_rules == steps | {rule.name for rule in RULES_BY_SLIDE.values()}


HEADER = {**TWO, "parameters": {"synchronous": False}, "origin": {"seed": 1}}
STEP = {
    "node": "a:0",
    "took": "timeout",
    "state": node("b:1", stable=["b:1"], told=[["b:1", [[None, "a:0"]]]]),
    "sent": [{"id": 0, "to": "b:1", "message": update("a:0", "a:0", ranges=[ANYWHERE])}],
}
GONE = {"kind": "Gone", "node": "b:1", "inserts": ["a:0"]}
COMMANDS = [{"kind": "Join", "contact": "a:0"}, {"kind": "Join"}, {"kind": "Leave"}, {"kind": "Crash"}]


def test_what_the_bad_lines_are_made_of_is_good():
    assert is_read(HEADER, STEP)
    assert is_read(HEADER, changed(STEP, ("sent", 0, "message"), GONE))
    valid = validator(NAME).is_valid
    assert valid(HEADER)
    assert valid(STEP)
    assert valid(changed(STEP, ("sent", 0, "message"), GONE))


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("parameters", "synchronous"), 1),
        (("parameters", "rounds"), True),
        (("roles", "a:0"), "subscriber"),
        (("roles", "c"), "node"),
        (("states", "a:0"), None),
        *((("states", "a:0", key), MISSING) for key in PROTOCOL.vocabulary.roles["node"].__struct_fields__),
        (("states", "a:0", "label"), "0"),
        (("states", "a:0", "live"), 1),
        (("states", "a:0", "told"), [["b:1"]]),
        (("states", "a:0", "told"), [["b:1", [[None]]]]),
        (("messages",), [{"id": 0, "to": "a:0", "message": {"kind": "Insert", "node": "b:1"}}]),
    ],
    ids=str,
)
def test_schema_and_decoders_refuse_the_same_headers(where, value):
    header = changed(HEADER, where, value)
    assert not validator(NAME).is_valid(header)
    assert not is_read(header, STEP)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("took",), {"kind": "Join", "contact": 1}),
        (("took",), {"kind": "Leave", "contact": "b:1"}),
        (("took",), {"kind": "Subscribe"}),
        (("state", "gone"), None),
        (("sent", 0, "message", "ranges"), MISSING),
        (("sent", 0, "message", "ranges"), [["a:0", None, None]]),
        (("sent", 0, "message", "inserts"), [1]),
        (("received",), {**GONE, "sender": "a:0"}),
        (("before",), {}),
    ],
    ids=str,
)
def test_schema_and_decoders_refuse_the_same_steps(where, value):
    step = copy.deepcopy(STEP) | {where[0]: value} if len(where) == 1 else changed(STEP, where, value)
    assert not validator(NAME).is_valid(step)
    assert not is_read(HEADER, step)


@pytest.mark.parametrize("command", COMMANDS, ids=json.dumps)
def test_schema_and_decoders_know_each_command(command):
    assert validator(NAME).is_valid({**STEP, "took": command})
    assert is_read(HEADER, {**STEP, "took": command})


def test_the_schema_knows_every_key():
    definitions = schema(NAME)["$defs"]
    assert definitions["state"]["required"] == list(PROTOCOL.vocabulary.roles["node"].__struct_fields__)
    for kinds, named in ((PROTOCOL.vocabulary.message, "message"), (PROTOCOL.vocabulary.command, "command")):
        known = [kind.__struct_config__.tag for kind in kinds.__args__]
        assert definitions[named]["properties"]["kind"]["enum"] == known
    for kind, definition in zip(PROTOCOL.vocabulary.message.__args__, ("updating", "being_gone"), strict=True):
        assert definitions[definition]["required"] == ["kind", *kind.__struct_fields__]
    assert list(msgspec.to_builtins(PROTOCOL.vocabulary.roles["node"]())) == definitions["state"]["required"]


@pytest.mark.parametrize("name", ["a", "a:", "a:2", ":0", "a:0 ", "a:0x"])
def test_the_schema_refuses_a_name_that_is_none_and_the_judge_reads_it(name):
    step = changed(STEP, ("state", "neighbours"), [name])
    assert not validator(NAME).is_valid(step)
    assert is_read(HEADER, step)
