"""Traces of delta-fault-tolerance: each promise over histories is judged of them; and the schema."""

import copy
import json

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.spec.protocols.delta_fault_tolerance.commands import Command
from gomboc.spec.protocols.delta_fault_tolerance.messages import Message
from tests.golden.delta_fault_tolerance.starts import A
from tests.golden.make import folder
from tests.traces.lines import LINES
from tests.traces.reading import is_read, schema, validator

NAME = "delta_fault_tolerance"
OK = sorted(folder(NAME).glob("*.ok.jsonl"))


def test_each_promise_over_histories_is_judged_of_those_that_hold():
    for path in OK:
        promises = {promised.name for promised in judge_file(path).promises}
        assert promises >= {"only_what_matches", "nothing_twice", "publisher_order", "no_loss"}


@pytest.mark.parametrize("kind", [kind.__struct_config__.tag for kind in (*Message.__args__, *Command.__args__)])
def test_the_schema_knows_every_kind(kind):
    document = json.dumps(schema(NAME))
    assert f'"kind": {{"enum": ["{kind}"]}}' in document or f'"const": "{kind}"' in document


def test_a_filter_with_an_unknown_operator_is_no_value():
    lie = copy.deepcopy(LINES[NAME].header)
    lie["states"][A]["rows"][0][1] = [["x", "~", 1]]
    assert validator(NAME).is_valid(lie)
    assert is_read(lie, LINES[NAME].step)
