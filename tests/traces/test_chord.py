"""Traces of Chord: every rule is in one that holds, every rule and promise broken in one; and its schema."""

from gomboc.spec.protocols.chord import PROTOCOL
from gomboc.spec.protocols.chord.cited import (
    ASKED_IN,
    BEGUN,
    BOUNCED,
    PLACED,
    REFRESHED,
    RULES,
    SLEPT,
    STABILISED,
    UNHEARD,
)
from tests.traces.lines import LINES
from tests.traces.reading import broken_in_the_others, fired_in_those_that_hold, kinds_of, schema

NAME = "chord"
BESIDES = (STABILISED, REFRESHED, ASKED_IN, SLEPT, PLACED, BOUNCED, UNHEARD, BEGUN)
NAMES = {each.name for each in (*RULES.values(), *BESIDES)}


def test_every_rule_is_in_a_trace_that_holds():
    assert fired_in_those_that_hold(NAME) == NAMES


def test_every_rule_and_every_promise_over_states_is_broken_in_one():
    """A trace cites the creator of a ring as a joiner, and a node that looks up a finger as one that stabilises."""
    broken = broken_in_the_others(NAME)
    assert broken >= NAMES - {BEGUN.name, REFRESHED.name}
    assert broken >= {promise.name for promise in PROTOCOL.promises.always}


def test_the_schema_knows_every_key():
    definitions = schema(NAME)["$defs"]
    assert definitions["Node"]["required"] == list(PROTOCOL.vocabulary.roles["node"].__struct_fields__)
    parameters = schema(NAME)["then"]["properties"]["parameters"]["properties"]
    assert list(parameters) == list(PROTOCOL.variants.parameters)
    for kinds, named, known in (
        (PROTOCOL.vocabulary.message, "message", LINES[NAME].messages),
        (PROTOCOL.vocabulary.command, "command", LINES[NAME].commands),
    ):
        tags = [kind.__struct_config__.tag for kind in kinds.__args__]
        assert kinds_of(schema(NAME), named) == tags == [kind["kind"] for kind in known]
        assert [list(kind) for kind in known] == [["kind", *kind.__struct_fields__] for kind in kinds.__args__]
