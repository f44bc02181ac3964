"""The JSON Schemas of a line: they accept the lines that the judge reads, and refuse those that it refuses."""

import io
import json
from pathlib import Path

import msgspec
import pytest
from jsonschema_rs import meta

from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces.trace import TraceReader, open_trace
from gomboc.spec.protocols.skip_ring import PROTOCOL
from tests.golden.drive import lines_of
from tests.golden.make import folder, protocols
from tests.traces.reading import MISSING, changed, is_read, schema, validator

TRACES = sorted(path for protocol in protocols() for path in folder(protocol).glob("*.jsonl"))
LIES_OF_FORM = {"label_not_canonical.bad.jsonl", "name_that_is_none.bad.jsonl"}


def is_valid(name, line):
    """Whether a schema accepts a line."""
    return validator(name).is_valid(json.loads(line))


@pytest.mark.parametrize("name", ["trace", *protocols()])
def test_the_schema_is_one(name):
    meta.validate(schema(name))


@pytest.mark.parametrize("path", TRACES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_line_of_a_golden_trace_is_valid_unless_its_lie_is_one_of_form(path):
    lines = path.read_text().splitlines()
    invalid = [number for number, line in enumerate(lines) if not is_valid(path.parent.name, line)]
    assert invalid == ([json.loads(lines[0])["expect"]["step"]] if path.name in LIES_OF_FORM else [])
    # Of what the schema of its protocol accepts, it has asked that of every trace.
    assert "trace.schema.json" in json.dumps(schema(path.parent.name))
    assert all(is_valid("trace", lines[number]) for number in invalid)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_decoders_read_every_golden_trace(path):
    with open_trace(path) as reader:
        assert len(list(reader.steps())) == len(lines_of(path)) - 1


def kinds_of(which, keys):
    """The schema's part on each kind of message or command: the keys that it may or must have."""
    definitions = schema("skip_ring")["$defs"]
    kinds = {}
    for case in definitions[which]["allOf"]:
        name = case["then"]["$ref"].removeprefix("#/$defs/")
        tag = case["if"]["properties"]["kind"]
        kinds.update(dict.fromkeys(tag.get("enum", [tag.get("const")]), tuple(definitions[name][keys])))
    return kinds


def declared(union):
    return {kind.__struct_config__.tag: ("kind", *kind.__struct_fields__) for kind in union.__args__}


def test_the_schema_knows_each_kind_of_message_and_its_keys():
    assert kinds_of("message", "required") == declared(PROTOCOL.vocabulary.message)
    named = schema("skip_ring")["$defs"]["message"]["properties"]["kind"]["enum"]
    assert sorted(named) == sorted(declared(PROTOCOL.vocabulary.message))


def test_the_schema_knows_each_kind_of_command_and_its_keys():
    assert kinds_of("command", "properties") == declared(PROTOCOL.vocabulary.command)
    assert kinds_of("command", "required") == declared(PROTOCOL.vocabulary.command) | {"unsubscribe": ("kind",)}
    named = schema("skip_ring")["$defs"]["command"]["properties"]["kind"]["enum"]
    assert sorted(named) == sorted(declared(PROTOCOL.vocabulary.command))


def test_the_schema_knows_the_keys_of_each_state_and_of_the_parameters():
    definitions = schema("skip_ring")["$defs"]
    for role, state in PROTOCOL.vocabulary.roles.items():
        assert list(definitions[role]["properties"]) == list(state.__struct_fields__)
        assert definitions[role]["required"] == list(msgspec.to_builtins(state()))
    assert list(definitions["publishing"]["properties"]) == list(PROTOCOL.variants.parameters)


CHECK = {"kind": "Check", "sender": ["1", "v2"], "label": "0", "flag": "LIN"}
SET_DATA = {"kind": "SetData", "pred": None, "label": "0", "succ": ["1", "v2"]}
STATE = {"label": "0", "left": None, "right": ["1", "v2"], "ring": None, "shortcuts": [["1", None]], "wants": True}
HEADER = {
    "format": "gomboc-trace",
    "version": 1,
    "protocol": "skip_ring",
    "parameters": {},
    "roles": {"supervisor": "supervisor", "v1": "subscriber"},
    "states": {"supervisor": {"database": [["0", "v1"], ["1", None]], "next": 0}, "v1": STATE},
    "messages": [{"id": 0, "to": "v1", "message": CHECK}],
    "origin": {"implementation": "a hand", "seed": 1, "speed": 0.5},
    "bound": 3,
    "expect": {"verdict": "violated", "step": 1, "rule": "check"},
}
STEP = {
    "node": "v1",
    "took": 0,
    "state": STATE,
    "sent": [{"id": 1, "to": "v1", "message": SET_DATA}],
    "delivered": [],
    "coin": "ask",
    "received": CHECK,
    "at": 1.5,
}

COMMANDED = {key: value for key, value in STEP.items() if key != "received"}

EXTRA = "a key that nobody knows"


REQUIRED_OF_HEADER = ["format", "version", "protocol", "parameters", "roles", "states", "messages", "origin"]
REQUIRED_OF_STEP = ["node", "took", "state", "sent"]
SENT = ("sent", 0)
SAID = (*SENT, "message")

BAD_HEADERS = [
    *(((key,), MISSING) for key in REQUIRED_OF_HEADER),
    ((EXTRA,), 1),
    (("format",), "another-trace"),
    (("version",), 2),
    (("version",), "1"),
    (("protocol",), "no_ring"),
    (("protocol",), 1),
    (("parameters",), []),
    (("roles",), []),
    (("roles", "v1"), 1),
    (("roles", "v1"), "supervisor of nobody"),
    (("roles", "supervisor"), MISSING),
    (("roles", "supervisor"), "subscriber"),
    (("roles", "two words"), "subscriber"),
    (("roles", "v" * 65), "subscriber"),
    (("states",), []),
    (("states", "supervisor"), MISSING),
    (("states", "supervisor"), STATE),
    (("states", "supervisor", EXTRA), 1),
    (("states", "supervisor", "next"), "0"),
    (("states", "supervisor", "next"), 0.5),
    (("states", "supervisor", "database"), {}),
    (("states", "supervisor", "database", 0), ["0"]),
    (("states", "supervisor", "database", 0), "0"),
    (("states", "supervisor", "database", 0, 1), 7),
    (("states", "v1"), None),
    (("states", "v1", EXTRA), 1),
    (("states", "v1", "left"), "v2"),
    (("states", "v1", "left"), ["1", None]),
    (("states", "v1", "left"), [1, "v2"]),
    (("states", "v1", "wants"), 1),
    (("states", "v1", "wants"), None),
    (("states", "v1", "shortcuts"), None),
    (("messages",), {}),
    (("messages", 0), CHECK),
    (("messages", 0, "id"), MISSING),
    (("messages", 0, "id"), -1),
    (("messages", 0, "id"), 2**53),
    (("messages", 0, "id"), "0"),
    (("messages", 0, "to"), None),
    (("messages", 0, "message"), MISSING),
    (("messages", 0, EXTRA), 1),
    (("origin",), "a hand"),
    (("origin", "seed"), None),
    (("origin", "seed"), True),
    (("bound",), "3"),
    (("bound",), 0.5),
    (("expect",), "holds"),
    (("expect", "verdict"), "open"),
    (("expect", "verdict"), MISSING),
    (("expect", "step"), "1"),
    (("expect", EXTRA), 1),
]

BAD_STEPS = [
    *(((key,), MISSING) for key in REQUIRED_OF_STEP),
    ((EXTRA,), 1),
    (("node",), 1),
    (("took",), None),
    (("took",), "time-out"),
    (("took",), -1),
    (("took",), 2**53),
    (("took",), 0.5),
    (("took",), True),
    (("took",), [0]),
    (("took",), {}),
    (("took",), {"kind": "resubscribe"}),
    (("took",), {"kind": "subscribe", EXTRA: 1}),
    (("state",), None),
    (("state",), {"database": [], "next": 0}),
    (("state", EXTRA), 1),
    (("state", "label"), 0),
    (("sent",), None),
    (("sent",), {}),
    ((*SENT, "id"), MISSING),
    ((*SENT, "to"), 1),
    ((*SENT, EXTRA), 1),
    (SAID, None),
    (SAID, "SetData"),
    ((*SAID, "kind"), MISSING),
    ((*SAID, "kind"), "GetData"),
    ((*SAID, "kind"), "Check"),
    ((*SAID, "pred"), MISSING),
    ((*SAID, "succ"), "v2"),
    ((*SAID, EXTRA), 1),
    (("delivered",), None),
    (("delivered",), "0"),
    (("coin",), 1),
    (("received",), "Check"),
    (("received", "label"), None),
    (("received", "flag"), "ring"),
    (("received", "sender"), ["1"]),
    (("at",), "now"),
]


def where_of(case):
    return ".".join(map(str, case)) if isinstance(case, tuple) else None


def test_what_the_bad_lines_are_made_of_is_good():
    assert is_read(HEADER, STEP)
    assert validator("skip_ring").is_valid(HEADER)
    assert validator("skip_ring").is_valid(STEP)


@pytest.mark.parametrize(("where", "value"), BAD_HEADERS, ids=where_of)
def test_schema_and_decoders_refuse_the_same_headers(where, value):
    header = changed(HEADER, where, value)
    # Without a format, a line is not a header but a step, and not a good one.
    assert not validator("skip_ring").is_valid(header)
    assert not is_read(header, STEP)


@pytest.mark.parametrize(("where", "value"), BAD_STEPS, ids=where_of)
def test_schema_and_decoders_refuse_the_same_steps(where, value):
    # A step that takes no delivery has not received anything, which would be wrong as well.
    step = changed(COMMANDED if where == ("took",) else STEP, where, value)
    assert not validator("skip_ring").is_valid(step)
    assert not is_read(HEADER, step)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("states", "supervisor", "database"), MISSING),
        (("states", "supervisor", "next"), MISSING),
        *((("states", "v1", key), MISSING) for key in STATE),
    ],
    ids=where_of,
)
def test_a_state_has_every_key(where, value):
    header = changed(HEADER, where, value)
    assert not validator("skip_ring").is_valid(header)
    assert not is_read(header, STEP)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("states", "v1", "right"), ["1", "v2", "v3"]),
        (("states", "supervisor", "database", 0), ["0", "v1", "v2"]),
        (("messages", 0, "message", "sender"), ["1", "v2", 7]),
    ],
    ids=where_of,
)
def test_a_claim_and_an_entry_are_pairs(where, value):
    header = changed(HEADER, where, value)
    assert not validator("skip_ring").is_valid(header)
    assert not is_read(header, STEP)


@pytest.mark.parametrize(
    ("where", "value"),
    [(("bound",), -1), (("expect", "rule"), MISSING), (("expect", "step"), -1), (("parameters", "ring"), 1)],
    ids=where_of,
)
def test_bound_and_expectation_and_parameters_make_sense(where, value):
    header = changed(HEADER, where, value)
    assert not validator("skip_ring").is_valid(header)
    assert not is_read(header, STEP)


@pytest.mark.parametrize("key", ["coin", "before", "received", "at"])
def test_an_optional_key_of_a_step_is_left_out_and_not_null(key):
    step = changed(STEP, (key,), None)
    assert not validator("skip_ring").is_valid(step)
    assert not is_read(HEADER, step)


@pytest.mark.parametrize("state", [STATE, {**STATE, "label": None}])
def test_before_is_a_state(state):
    step = changed(STEP, ("before",), state)
    assert validator("skip_ring").is_valid(step)
    assert is_read(HEADER, step)


@pytest.mark.parametrize("state", [1, [], {**STATE, EXTRA: 1}, {"database": [], "next": 0}])
def test_before_is_nothing_but_a_state(state):
    step = changed(STEP, ("before",), state)
    assert not validator("skip_ring").is_valid(step)
    assert not is_read(HEADER, step)


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


HASH = "0" * 31 + "f"
PUBLICATION = ["0110", "v1", 2**53 - 1, "grüß", "v2"]
PUBLISHING = {**HEADER, "parameters": {"key_bits": 4, "payload_limit": 0, "chunk": 1, "keep": 1}}
HOLDER = {
    **STATE,
    "crashed": True,
    "forgets": True,
    "publications": [PUBLICATION],
    "hashes": [["", HASH], ["01", HASH]],
}
REQUEST = {"kind": "CheckAndPublish", "sender": "v2", "tuples": [["0", HASH], ["1", HASH]], "prefix": ""}
OFFER = {"kind": "PublishNew", "sender": "v2", "publication": PUBLICATION}
OF_PUBLICATIONS = [
    {"kind": "CheckTrie", "sender": "v2", "tuples": []},
    REQUEST,
    {"kind": "Publish", "publications": [PUBLICATION, PUBLICATION]},
    OFFER,
]
COMMANDS = [
    {"kind": "subscribe"},
    {"kind": "unsubscribe"},
    {"kind": "unsubscribe", "forget": True},
    {"kind": "publish", "number": 0, "payload": ""},
    {"kind": "crash"},
    {"kind": "restart", "keep": False},
    {"kind": "suspect", "node": "v1"},
    {"kind": "trust", "node": "v1"},
    {"kind": "restore", "database": [["0", None], ["1", "v2"]]},
]
PRINTED = {
    **STEP,
    "state": HOLDER,
    "sent": [{"id": number, "to": "v1", "message": message} for number, message in enumerate(OF_PUBLICATIONS)],
    "delivered": [PUBLICATION],
    "coin": "silent v2",
    "received": REQUEST,
}


def test_schema_and_decoders_know_publications():
    suspecting = changed(PUBLISHING, ("states", "supervisor", "suspects"), ["v1"])
    assert validator("skip_ring").is_valid(suspecting)
    assert validator("skip_ring").is_valid(PRINTED)
    assert is_read(suspecting, PRINTED)


@pytest.mark.parametrize("command", COMMANDS, ids=json.dumps)
def test_schema_and_decoders_know_each_command(command):
    assert validator("skip_ring").is_valid({**COMMANDED, "took": command})
    assert is_read(HEADER, {**COMMANDED, "took": command})


@pytest.mark.parametrize("command", COMMANDS, ids=json.dumps)
def test_a_command_has_each_of_its_keys_and_no_other(command):
    wrong = [
        {**command, EXTRA: 1},
        *({**command, key: "7"} for key in command if key not in ("kind", "payload", "node")),
    ]
    if command["kind"] != "unsubscribe":
        wrong += [{other: command[other] for other in command if other != key} for key in command]
    for value in wrong:
        assert not validator("skip_ring").is_valid({**COMMANDED, "took": value})
        assert not is_read(HEADER, {**COMMANDED, "took": value})


@pytest.mark.parametrize(
    "parameters", [{"key_bits": 0}, {"key_bits": 257}, {"chunk": 1}, {"key_bits": 4, "keep": 0}, {"key_bits": "4"}]
)
def test_parameters_that_make_no_sense_are_refused(parameters):
    assert not validator("skip_ring").is_valid({**HEADER, "parameters": parameters})
    assert not is_read({**HEADER, "parameters": parameters}, STEP)


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
    assert not validator("skip_ring").is_valid(step)
    assert not is_read(PUBLISHING, step)


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
    for took, fits in ((0, True), ("timeout", False), ({"kind": "unsubscribe"}, False)):
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
