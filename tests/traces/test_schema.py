"""The JSON Schemas of a line: they accept the lines that the judge reads, and refuse those that it refuses."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from jsonschema_rs import meta

from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.protocols.skip_ring import PROTOCOL
from tests.golden.make import folder, protocols
from tests.golden.schema import MADE, made
from tests.traces.lines import (
    EXTRA,
    HASH,
    HEADER,
    LINES,
    OF_PUBLICATIONS,
    PRINTED,
    PUBLICATION,
    PUBLISHING,
    RING_COMMANDS,
    SAID,
    STATE,
    STEP,
    bad,
)
from tests.traces.reading import MISSING, changed, is_read, refusal, schema, validator

TRACES = sorted(path for protocol in protocols() for path in folder(protocol).glob("*.jsonl"))
LIES_OF_FORM = {"label_not_canonical.bad.jsonl", "name_that_is_none.bad.jsonl"}


def is_valid(name, line):
    """Whether a schema accepts a line."""
    return validator(name).is_valid(json.loads(line))


@pytest.mark.parametrize("name", ["trace", *protocols()])
def test_the_schema_is_one(name):
    meta.validate(schema(name))


def test_every_schema_of_a_protocol_is_made_from_types():
    assert set(MADE) == set(protocols())


@pytest.mark.parametrize("name", MADE)
def test_the_shapes_of_a_schema_are_those_of_the_types_of_the_specification(name):
    assert schema(name) == made(name), "write it anew: python -m tests.golden.schema"


@pytest.mark.parametrize("path", TRACES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_line_of_a_golden_trace_is_valid_unless_its_lie_is_one_of_form(path):
    lines = path.read_text().splitlines()
    invalid = [number for number, line in enumerate(lines) if not is_valid(path.parent.name, line)]
    assert invalid == ([json.loads(lines[0])["expect"]["step"]] if path.name in LIES_OF_FORM else [])
    # Of what the schema of its protocol accepts, it has asked that of every trace.
    assert "trace.schema.json" in json.dumps(schema(path.parent.name))
    assert all(is_valid("trace", lines[number]) for number in invalid)


def keys_of(which, keys):
    """The keys that a line of the skip ring may or must have, by the kind of its message or command."""
    definitions = schema("skip_ring")["$defs"]
    shapes = [definitions[shape["$ref"].removeprefix("#/$defs/")] for shape in definitions[which]["anyOf"]]
    return {shape["properties"]["kind"]["enum"][0]: tuple(shape[keys]) for shape in shapes}


def declared(union):
    return {kind.__struct_config__.tag: ("kind", *kind.__struct_fields__) for kind in union.__args__}


def test_the_schema_knows_each_kind_of_message_and_its_keys():
    assert keys_of("message", "required") == declared(PROTOCOL.vocabulary.message)


def test_the_schema_knows_each_kind_of_command_and_its_keys():
    assert keys_of("command", "properties") == declared(PROTOCOL.vocabulary.command)
    assert keys_of("command", "required") == declared(PROTOCOL.vocabulary.command) | {"Unsubscribe": ("kind",)}


def test_the_schema_knows_the_keys_of_each_state_and_of_the_parameters():
    written = schema("skip_ring")
    for state in PROTOCOL.vocabulary.roles.values():
        shape = written["$defs"][state.__name__]
        assert list(shape["properties"]) == list(state.__struct_fields__)
        assert shape["required"] == list(msgspec.to_builtins(state()))
    _, publishing = written["then"]["properties"]["parameters"]["anyOf"]
    assert list(publishing["properties"]) == list(PROTOCOL.variants.parameters)


def where_of(case):
    return ".".join(map(str, case)) if isinstance(case, tuple) else None


def each(kind):
    """The protocol and each of its values of that kind."""
    return [(protocol, one) for protocol, lines in LINES.items() for one in getattr(lines, kind)]


def each_bad(line):
    """The protocol and each change that makes such a line of it bad."""
    return [
        pytest.param(protocol, *change, id=f"{protocol} {'.'.join(map(str, change.where))} {change.value}")
        for protocol in LINES
        for change in bad(protocol, line)
    ]


def taking(protocol, took):
    """The good step of a protocol with another input: only a delivery has received anything."""
    return {key: value for key, value in LINES[protocol].step.items() if key != "received"} | {"took": took}


def agrees(protocol, header, step, fits):
    """Whether the schema of a protocol accepts both lines if and only if the decoders read them, as they should."""
    valid = all(map(validator(protocol).is_valid, (header, step)))
    return valid is is_read(header, step) is fits


@pytest.mark.parametrize("protocol", LINES)
def test_what_the_bad_lines_are_made_of_is_good(protocol):
    assert agrees(protocol, LINES[protocol].header, LINES[protocol].step, True)


@pytest.mark.parametrize(("protocol", "where", "value", "says"), each_bad("header"))
def test_schema_and_decoders_refuse_the_same_headers_and_say_why(protocol, where, value, says):
    header = changed(LINES[protocol].header, where, value)
    # Without a format, a line is not a header but a step, and not a good one.
    assert not validator(protocol).is_valid(header)
    assert refusal(header, LINES[protocol].step) == f"a trace:1: {says}"


@pytest.mark.parametrize(("protocol", "where", "value", "says"), each_bad("step"))
def test_schema_and_decoders_refuse_the_same_steps_and_say_why(protocol, where, value, says):
    lines = LINES[protocol]
    step = taking(protocol, value) if where == ("took",) and value is not MISSING else changed(lines.step, where, value)
    assert not validator(protocol).is_valid(step)
    assert refusal(lines.header, step) == f"a trace:2: {says}"


@pytest.mark.parametrize(("protocol", "message"), each("messages"), ids=str)
def test_schema_and_decoders_know_each_message_and_want_all_its_keys(protocol, message):
    header, step = (PUBLISHING, PRINTED) if message in OF_PUBLICATIONS else LINES[protocol][:2]
    sends = {"id": 0, "to": step["node"], "message": message}
    assert agrees(protocol, header, {**step, "sent": [sends]}, True)
    for key in message:
        partly = {other: message[other] for other in message if other != key}
        assert agrees(protocol, header, {**step, "sent": [{**sends, "message": partly}]}, False)


@pytest.mark.parametrize(("protocol", "command"), each("commands"), ids=str)
def test_schema_and_decoders_know_each_command(protocol, command):
    assert agrees(protocol, LINES[protocol].header, taking(protocol, command), True)


@pytest.mark.parametrize("state", [STATE, {**STATE, "label": None}])
def test_before_is_a_state(state):
    assert agrees("skip_ring", HEADER, changed(STEP, ("before",), state), True)


NOT_CANONICAL = ["", "00", "10", "010", "2", "0" * 64 + "1", " 1"]


@pytest.mark.parametrize("label", NOT_CANONICAL)
def test_the_schema_refuses_a_label_that_is_not_canonical_and_the_judge_reads_it(label):
    """The decoders let it pass, since a label that no node may use is a finding about the trace."""
    for step in (
        changed(STEP, ("state", "label"), label),
        changed(STEP, ("state", "right", 0), label),
        changed(STEP, ("state", "shortcuts", 0, 0), label),
        changed(STEP, (*SAID, "label"), label),
        changed(STEP, (*SAID, "succ", 0), label),
    ):
        assert not validator("skip_ring").is_valid(step)
        assert is_read(HEADER, step)


@pytest.mark.parametrize("label", ["0", "1", "01", "11", "0" * 63 + "1"])
def test_the_schema_accepts_canonical_labels(label):
    assert validator("skip_ring").is_valid(changed(STEP, ("state", "label"), label))


def test_schema_and_decoders_know_publications():
    assert agrees("skip_ring", changed(PUBLISHING, ("states", "supervisor", "suspects"), ["v1"]), PRINTED, True)


@pytest.mark.parametrize("command", RING_COMMANDS, ids=json.dumps)
def test_a_command_has_each_of_its_keys_and_no_other(command):
    wrong = [
        {**command, EXTRA: 1},
        *({**command, key: "7"} for key in command if key not in ("kind", "payload", "node")),
    ]
    if command["kind"] != "Unsubscribe":
        wrong += [{other: command[other] for other in command if other != key} for key in command]
    for value in wrong:
        assert agrees("skip_ring", HEADER, taking("skip_ring", value), False)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("state", "crashed"), 1),
        (("state", "publications"), None),
        (("state", "publications", 0), PUBLICATION[:4]),
        (("state", "publications", 0), [*PUBLICATION, 1]),
        (("state", "publications", 0, 2), -1),
        (("state", "publications", 0, 2), 2**53),
        (("state", "publications", 0, 3), 1),
        (("state", "hashes", 0), [""]),
        (("received", "sender"), None),
        (("received", "prefix"), MISSING),
        (("received", EXTRA), 1),
    ],
    ids=where_of,
)
def test_schema_and_decoders_refuse_the_same_publications(where, value):
    step = changed(PRINTED, where, value)
    assert agrees("skip_ring", PUBLISHING, step, False)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("state", "publications", 0, 0), "012"),
        (("state", "publications", 0, 0), ""),
        (("state", "hashes", 0, 1), HASH.upper()),
        (("state", "hashes", 0, 1), HASH[1:]),
        (("state", "hashes", 1, 0), "2"),
        (("received", "tuples"), [["", HASH]] * 3),
        (("received", "prefix"), "x"),
    ],
    ids=where_of,
)
def test_the_schema_refuses_keys_prefixes_and_hashes_of_another_form_and_the_judge_reads_them(where, value):
    step = changed(PRINTED, where, value)
    assert not validator("skip_ring").is_valid(step)
    assert is_read(PUBLISHING, step)


def test_a_coin_may_name_a_neighbour_and_nothing_else():
    assert validator("skip_ring").is_valid({**STEP, "coin": "ask v2"})
    for coin in ("v2", "ask ", "ask v2 v3", "asks"):
        assert not validator("skip_ring").is_valid({**STEP, "coin": coin})


def test_what_was_received_is_for_deliveries_only():
    for took, fits in ((0, True), ("timeout", False), ({"kind": "Unsubscribe"}, False)):
        line = {**STEP, "took": took}
        assert (
            validator("skip_ring").is_valid(line) is validator("trace").is_valid(line) is is_read(HEADER, line) is fits
        )


@pytest.mark.parametrize(
    ("old", "new"), [('"node"', '"node":"v1","node"'), ('"id":', '"id":1,"id":'), ('"version":1', '"version":1.0')]
)
def test_what_a_schema_cannot_refuse_the_reader_does(old, new):
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in (HEADER, STEP))
    assert old in text
    wrong = text.replace(old, new, 1)
    assert all(validator("skip_ring").is_valid(json.loads(line)) for line in wrong.splitlines())
    with pytest.raises(UsageError):
        list(TraceReader(Path("a trace"), io.BytesIO(wrong.encode())).steps())


@pytest.mark.parametrize("name", ["a", "a:", "a:2", ":0", "a:0 ", "a:0x"])
def test_the_schema_refuses_a_name_of_skip_plus_that_is_none_and_the_judge_reads_it(name):
    lines = LINES["skip_plus"]
    step = changed(lines.step, ("state", "neighbours"), [name])
    assert not validator("skip_plus").is_valid(step)
    assert is_read(lines.header, step)
