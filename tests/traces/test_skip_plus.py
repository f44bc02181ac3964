"""Traces of Skip+: every rule is in one that holds, and its schema fits the values that the judge reads."""

import msgspec
import pytest

from gomboc.spec.protocols.skip_plus import PROTOCOL
from gomboc.spec.protocols.skip_plus.rules import RULES_BY_SLIDE
from tests.traces.lines import LINES
from tests.traces.reading import changed, fired_in_those_that_hold, is_read, kinds_of, schema, validator

NAME = "skip_plus"


def test_every_rule_is_in_a_trace_that_holds():
    fired_rules = fired_in_those_that_hold(NAME)
    steps = {"end_round", "absent_timeout", "collect", "bounce", "lose", "join", "leave", "crash"}
    assert fired_rules == steps | {rule.name for rule in RULES_BY_SLIDE.values()}


def test_the_schema_knows_every_key():
    definitions = schema(NAME)["$defs"]
    assert definitions["Node"]["required"] == list(PROTOCOL.vocabulary.roles["node"].__struct_fields__)
    for kinds, named in ((PROTOCOL.vocabulary.message, "message"), (PROTOCOL.vocabulary.command, "command")):
        known = [kind.__struct_config__.tag for kind in kinds.__args__]
        assert kinds_of(schema(NAME), named) == known
    for kind in PROTOCOL.vocabulary.message.__args__:
        assert definitions[kind.__name__]["required"] == ["kind", *kind.__struct_fields__]
    assert list(msgspec.to_builtins(PROTOCOL.vocabulary.roles["node"]())) == definitions["Node"]["required"]


@pytest.mark.parametrize("name", ["a", "a:", "a:2", ":0", "a:0 ", "a:0x"])
def test_the_schema_refuses_a_name_that_is_none_and_the_judge_reads_it(name):
    step = changed(LINES[NAME].step, ("state", "neighbours"), [name])
    assert not validator(NAME).is_valid(step)
    assert is_read(LINES[NAME].header, step)
