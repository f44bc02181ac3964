"""Traces of Chord: every rule is in one that holds, every rule and promise broken in one; and its schema."""

import copy
import json

import pytest

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
from tests.golden.chord.starts import IDEAL, N0, N4, N8, N12
from tests.traces.reading import (
    MISSING,
    broken_in_the_others,
    changed,
    fired_in_those_that_hold,
    is_read,
    schema,
    validator,
)

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


HEADER = {**IDEAL, "origin": {"seed": 1}}
STEP = {
    "node": N0,
    "took": "timeout",
    "state": {**IDEAL["states"][N0], "next": 0},
    "sent": [
        {"id": 0, "to": N4, "message": {"kind": "StabilizeRequest", "sender": N0}},
        {"id": 1, "to": N12, "message": {"kind": "Ping", "sender": N0}},
        {"id": 2, "to": N4, "message": {"kind": "FixFingerRequest", "finger": 3, "asker": N0, "sender": N0}},
    ],
}
MESSAGES = [
    {"kind": "StabilizeRequest", "sender": N0},
    {"kind": "StabilizeReply", "sender": N0, "predecessor": None, "successors": [N4]},
    {"kind": "Ping", "sender": N0},
    {"kind": "Notify", "sender": N0},
    {"kind": "JoinRequest", "joiner": N8, "sender": N0},
    {"kind": "JoinReply", "sender": N0, "successors": [N4]},
    {"kind": "RouteRequest", "key": "5", "asker": N0, "sender": N0},
    {"kind": "RouteReply", "key": "5", "owner": N8},
    {"kind": "FixFingerRequest", "finger": 3, "asker": N0, "sender": N0},
    {"kind": "FixFingerReply", "finger": 3, "owner": N8},
    {"kind": "Dead", "node": N0},
    {"kind": "Outside", "node": N0},
]
COMMANDS = [
    {"kind": "Join", "contact": N0},
    {"kind": "Leave"},
    {"kind": "Crash"},
    {"kind": "Suspect", "node": N0},
    {"kind": "Peers", "nodes": [N0, N4]},
    {"kind": "Lookup", "key": "5"},
]


def test_what_the_bad_lines_are_made_of_is_good():
    assert is_read(HEADER, STEP)
    assert validator(NAME).is_valid(HEADER)
    assert validator(NAME).is_valid(STEP)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("parameters", "bits"), 0),
        (("parameters", "bits"), 257),
        (("parameters", "ids"), "name"),
        (("parameters", "r"), 0),
        (("parameters", "meet"), 1),
        (("parameters", "rounds"), True),
        (("roles", N0), "subscriber"),
        (("states", N0), None),
        *((("states", N0, key), MISSING) for key in PROTOCOL.vocabulary.roles["node"].__struct_fields__),
        (("states", N0, "label"), "0"),
        (("states", N0, "status"), "gone"),
        (("states", N0, "next"), None),
        (("states", N0, "fingers"), [[3]]),
        (("messages",), [{"id": 0, "to": N0, "message": {"kind": "Insert", "node": N4}}]),
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
        (("took",), {"kind": "Join"}),
        (("took",), {"kind": "Join", "contact": None}),
        (("took",), {"kind": "Leave", "contact": N4}),
        (("took",), {"kind": "Subscribe"}),
        (("state", "peers"), None),
        (("sent", 0, "message", "sender"), MISSING),
        (("sent", 2, "message", "finger"), "3"),
        (("received",), {"kind": "Dead", "node": N0, "sender": N4}),
        (("before",), {}),
    ],
    ids=str,
)
def test_schema_and_decoders_refuse_the_same_steps(where, value):
    step = copy.deepcopy(STEP) | {where[0]: value} if len(where) == 1 else changed(STEP, where, value)
    assert not validator(NAME).is_valid(step)
    assert not is_read(HEADER, step)


@pytest.mark.parametrize("said", MESSAGES, ids=json.dumps)
def test_schema_and_decoders_know_each_message_and_want_all_its_keys(said):
    whole = changed(STEP, ("sent", 0, "message"), said)
    assert validator(NAME).is_valid(whole)
    assert is_read(HEADER, whole)
    for key in said:
        partly = changed(STEP, ("sent", 0, "message"), {other: said[other] for other in said if other != key})
        assert not validator(NAME).is_valid(partly)
        assert not is_read(HEADER, partly)


@pytest.mark.parametrize("command", COMMANDS, ids=json.dumps)
def test_schema_and_decoders_know_each_command(command):
    assert validator(NAME).is_valid({**STEP, "took": command})
    assert is_read(HEADER, {**STEP, "took": command})


def test_the_schema_knows_every_key():
    definitions = schema(NAME)["$defs"]
    assert definitions["state"]["required"] == list(PROTOCOL.vocabulary.roles["node"].__struct_fields__)
    parameters = schema(NAME)["then"]["properties"]["parameters"]["properties"]
    assert list(parameters) == list(PROTOCOL.variants.parameters)
    for kinds, named, known in (
        (PROTOCOL.vocabulary.message, "message", MESSAGES),
        (PROTOCOL.vocabulary.command, "command", COMMANDS),
    ):
        tags = [kind.__struct_config__.tag for kind in kinds.__args__]
        assert definitions[named]["properties"]["kind"]["enum"] == tags == [kind["kind"] for kind in known]
        assert [list(kind) for kind in known] == [["kind", *kind.__struct_fields__] for kind in kinds.__args__]
