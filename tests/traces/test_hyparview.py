"""Traces of HyParView: every rule is in one that holds, and broken in another; and its schema."""

import json

from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.protocols.hyparview.cited import ASKS_IN, BOUNCED, LET_IN, OUTSIDE, PERIODIC, RULES
from tests.golden.make import folder
from tests.traces.reading import broken_in_the_others, fired_in_those_that_hold, kinds_of, schema

NAME = "hyparview"
NAMES = {cited.name for cited in (*RULES.values(), PERIODIC, ASKS_IN, LET_IN, OUTSIDE, BOUNCED)}
"""All but `sleep`: a trace has no timeouts of nodes that are asleep."""


def test_every_rule_is_in_a_trace_that_holds_and_broken_in_another():
    assert fired_in_those_that_hold(NAME) == NAMES
    assert broken_in_the_others(NAME) >= NAMES


def test_every_kind_of_message_command_and_delivery_is_in_a_trace():
    text = "".join(path.read_text() for path in folder(NAME).glob("*.ok.jsonl"))
    kinds = (*PROTOCOL.vocabulary.message.__args__, *PROTOCOL.vocabulary.command.__args__)
    unseen = [kind.__name__ for kind in kinds if f'"kind":"{kind.__struct_config__.tag}"' not in text]
    assert unseen == []
    assert '"kind":"Peers"' in text
    assert '"kind":"Heard"' in text
    assert all(json.loads(line) for line in text.splitlines())


def test_the_schema_knows_every_key():
    definitions = schema(NAME)["$defs"]
    assert definitions["Node"]["required"] == ["status"]
    assert list(definitions["Node"]["properties"]) == list(PROTOCOL.vocabulary.roles["node"].__struct_fields__)
    parameters = schema(NAME)["then"]["properties"]["parameters"]["properties"]
    assert list(parameters) == list(PROTOCOL.variants.parameters)
    for kinds, named in ((PROTOCOL.vocabulary.message, "message"), (PROTOCOL.vocabulary.command, "command")):
        assert kinds_of(schema(NAME), named) == [kind.__struct_config__.tag for kind in kinds.__args__]
