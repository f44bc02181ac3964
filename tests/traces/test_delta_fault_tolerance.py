"""Traces of delta-fault-tolerance: every rule is in one that holds, and broken in one; and the schema."""

import copy
import json

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.spec.delta_fault_tolerance.rules import ASK_AGAIN, AUDIT, IDLE, REFUSED, RULES, SLEPT
from gomboc.spec.delta_fault_tolerance.state import Command, Message, Node
from tests.golden.delta_fault_tolerance.starts import ONE, A, C
from tests.golden.make import folder
from tests.traces.reading import (
    MISSING,
    broken_in_the_others,
    changed,
    fired_in_those_that_hold,
    is_read,
    schema,
    validator,
)

NAME = "delta_fault_tolerance"
OK = sorted(folder(NAME).glob("*.ok.jsonl"))
NAMES = {rule.cited.name for rule in (*RULES.values(), ASK_AGAIN, AUDIT, IDLE, REFUSED, SLEPT)}


def test_every_rule_is_in_a_trace_that_holds():
    assert fired_in_those_that_hold(NAME) == NAMES


def test_every_rule_with_an_effect_is_broken_in_one():
    broken = broken_in_the_others(NAME)
    assert broken >= NAMES - {REFUSED.cited.name, SLEPT.cited.name}


def test_each_promise_over_histories_is_judged_of_those_that_hold():
    for path in OK:
        promises = {promised.name for promised in judge_file(path).promises}
        assert promises >= {"only_what_matches", "nothing_twice", "publisher_order", "no_loss"}


HEADER = {**ONE, "origin": {"seed": 1}}
STEP = {"node": A, "took": "timeout", "state": ONE["states"][A], "sent": []}
CONFIRM = {"kind": "Confirm", "sender": C, "stream": [0, 1], "id": [A, 0, 1]}


def test_what_the_bad_lines_are_made_of_is_good():
    assert is_read(HEADER, STEP)
    assert validator(NAME).is_valid(HEADER)
    assert validator(NAME).is_valid({**STEP, "sent": [{"id": 0, "to": A, "message": CONFIRM}]})


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("parameters", "delta"), -1),
        (("parameters", "delta"), 1.5),
        (("parameters", "r"), 1),
        (("parameters", "audit"), 1),
        (("roles", A), "subscriber"),
        (("states", A), None),
        *((("states", A, key), MISSING) for key in Node.__struct_fields__),
        (("states", A, "status"), "gone"),
        (("states", A, "rows"), [["b", "b"]]),
        (("states", A, "known"), "b.1"),
        (("messages",), [{"id": 0, "to": A, "message": {"kind": "Insert"}}]),
        (("messages",), [{"id": 0, "to": A, "message": {**CONFIRM, "id": [A, 0]}}]),
    ],
    ids=str,
)
def test_schema_and_decoders_refuse_the_same_headers(where, value):
    header = changed(HEADER, where, value)
    assert not validator(NAME).is_valid(header)
    assert not is_read(header, STEP)


@pytest.mark.parametrize("kind", [kind.__struct_config__.tag for kind in (*Message.__args__, *Command.__args__)])
def test_the_schema_knows_every_kind(kind):
    document = json.dumps(schema(NAME))
    assert f'"kind": {{"enum": ["{kind}"]}}' in document or f'"const": "{kind}"' in document


def test_a_filter_with_an_unknown_operator_is_no_value():
    lie = copy.deepcopy(HEADER)
    lie["states"][A]["rows"][0][1] = [["x", "~", 1]]
    assert validator(NAME).is_valid(lie)
    assert is_read(lie, STEP)
