"""Readable traces are decoded into the specification's values; every unreadable one costs one exact sentence."""

import json
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces import trace
from gomboc.checker.traces.trace import TraceReader, open_trace
from gomboc.spec.protocols.skip_ring.state import Claim, Entry, SetData, Subscriber, Supervisor, WantOut
from tests.checker.refusing import sentence
from tests.checker.ring import ALONE, CONFIGURATION, HEADER, HEARS, HOLDS, RESTS, SUPERVISES, written
from tests.toys.words import spec as toy

NESTED = b"[" * 100_000 + b"]" * 100_000
NOT_UTF8 = "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"
LARGEST = 2**53 - 1


def read(content):
    """Everything that can be read of a trace."""
    reader = TraceReader(Path("t.jsonl"), BytesIO(content))
    return reader.header, list(reader.steps())


def without(value, key):
    return {name: content for name, content in value.items() if name != key}


def replaced(line, old, new):
    """The line as bytes with raw bytes in it that no JSON writer would write."""
    assert old in written(line)
    return written(line).replace(old, new)


def test_states_messages_and_commands_become_values_of_the_specification():
    command = {**RESTS, "took": {"kind": "Unsubscribe"}}
    header, steps = read(written(HEADER, SUPERVISES, HEARS, command))
    v1 = Subscriber(label="0")
    assert header.states == {"supervisor": Supervisor((Entry("0", "v1"),)), "v1": v1}
    assert [step.took for step in steps] == ["timeout", 0, WantOut()]
    assert steps[0].sent[0].message == SetData(None, "0", None)
    assert [step.state for step in steps[1:]] == [v1, v1]


def test_optional_keys_of_a_step_have_defaults():
    _, (step,) = read(written(HEADER, HEARS))
    assert (step.delivered, step.coin, step.before, step.received, step.at) == ([], None, None, None, None)


def test_optional_keys_of_a_step_are_read():
    left = {**ALONE, "left": ["0", "v1"]}
    more = {**HEARS, "before": left, "received": CONFIGURATION, "at": 0.5, "delivered": ["news"], "coin": "ask"}
    _, (step,) = read(written(HEADER, more))
    assert step.before == Subscriber(label="0", left=Claim("0", "v1"))
    assert step.received == SetData(None, "0", None)
    assert (step.at, step.delivered, step.coin) == (0.5, ["news"], "ask")


def test_equal_states_are_one_object_and_equal_texts_of_another_role_are_not():
    header, steps = read(written(HEADER, RESTS, RESTS))
    assert steps[0].state is steps[1].state is header.states["v1"]
    assert steps[0].state is not header.states["supervisor"]


def test_states_beyond_the_readers_cache_are_still_right(monkeypatch):
    monkeypatch.setattr(trace, "MOST_INTERNED", 1)
    wanted = [f"{number}" for number in (1, 2, 1, 3, 1)]
    steps = list(toy.reader(toy.UNORDERED, toy.written(toy.header(), *(toy.rests("a", w) for w in wanted))).steps())
    assert [step.state.text for step in steps] == wanted


def test_the_state_of_an_unknown_node_is_not_read():
    _, (step,) = read(written(HEADER, {**RESTS, "node": "v9", "state": 7, "before": 8}))
    assert (step.node, step.state, step.before) == ("v9", None, None)


def test_an_id_may_be_as_large_as_the_format_says():
    _, steps = read(written(HEADER, {**HEARS, "took": LARGEST}, {**HEARS, "took": 0}))
    assert [step.took for step in steps] == [LARGEST, 0]


def test_every_golden_field_of_a_header_is_read():
    expect = {"verdict": "violated", "step": 3, "rule": "closure"}
    header, _ = read(written({**HEADER, "bound": 7, "expect": expect}))
    assert header.bound == 7
    assert msgspec.to_builtins(header.expect) == expect


ONE_OBJECT = "each line of a trace is one JSON object"
A_HEADER = "a trace begins with a header, an object with format, version, protocol and more"
MARKED = "the file begins with a byte order mark: save it as UTF-8 without one"
TOOK = 'it must be "timeout", the id of a message as a number, or a command as an object'

BAD_HEADERS = {
    "no JSON": (b"hello\n", "JSON is malformed: invalid character (byte 0)"),
    "two values": (
        written(HEADER)[:-1] + b" {}\n",
        f"JSON is malformed: trailing characters (byte {len(written(HEADER)) + 1}); {ONE_OBJECT}",
    ),
    "an object on several lines": (b'{\n"format": "gomboc-trace"\n}\n', f"Input data was truncated; {ONE_OBJECT}"),
    "no object": (b"[]\n", f"Expected `object`, got `array`; {A_HEADER}"),
    "nothing in it": (b"{}\n", f"Object missing required field `format`; {A_HEADER}"),
    "a step first": (written(RESTS), f"Object missing required field `format`; {A_HEADER}"),
    "a byte order mark": (b"\xef\xbb\xbf" + HOLDS, MARKED),
    "UTF-16": (HOLDS.decode().encode("utf-16"), MARKED),
    "no UTF-8": (replaced(HEADER, b"by hand", b"\xff"), NOT_UTF8),
    "no UTF-8 in a state": (replaced(HEADER, b'"label":"0"', b'"label":"\xff"'), f"the state of v1: {NOT_UTF8}"),
    "too deep": (
        replaced(HEADER, b'"parameters":{}', b'"parameters":{"a":' + NESTED + b"}"),
        "maximum recursion depth exceeded while deserializing an object",
    ),
    "a state too deep": (
        replaced(HEADER, b'"shortcuts":[]', b'"shortcuts":' + NESTED),
        "maximum recursion depth exceeded while deserializing an object",
    ),
    "a key twice": (
        replaced(HEADER, b'"version":1', b'"version":1,"version":1'),
        "the key 'version' stands twice in one object",
    ),
    "a node twice": (
        replaced(HEADER, b'"roles":{', b'"roles":{"v1":"subscriber",'),
        "the key 'v1' stands twice in one object",
    ),
    "a state twice": (
        replaced(HEADER, b'"states":{', b'"states":{"v1":%b,' % written(ALONE)[:-1]),
        "the key 'v1' stands twice in one object",
    ),
    "a key twice in a state": (
        replaced(HEADER, b'"left":null', b'"left":null,"left":null'),
        "the key 'left' stands twice in one object",
    ),
    "a key twice in the origin": (
        replaced(HEADER, b'"origin":{', b'"origin":{"seed":1,"seed":2,'),
        "the key 'seed' stands twice in one object",
    ),
    "a version with a fraction": (
        replaced(HEADER, b'"version":1', b'"version":1.0'),
        "Expected `int`, got `float` - at `$.version`",
    ),
    "a bound with a fraction": ({"bound": 4.0}, "Expected `int | null`, got `float` - at `$.bound`"),
    "no supervisor": (
        {"roles": {"v1": "subscriber"}, "states": {"v1": ALONE}},
        "roles must name the node 'supervisor', with the role 'supervisor'",
    ),
    "a role without a state": (
        {"roles": {**HEADER["roles"], "v2": "subscriber"}},
        "roles and states do not name the same nodes: only one of them has 'v2'",
    ),
    "a state without a role": (
        {"states": {**HEADER["states"], "v0": ALONE}},
        "roles and states do not name the same nodes: only one of them has 'v0'",
    ),
}


@pytest.mark.parametrize(("bad", "what"), BAD_HEADERS.values(), ids=BAD_HEADERS)
def test_faults_of_a_header_are_reported_exactly(bad, what):
    if isinstance(bad, dict):
        bad = written(bad if "format" in bad and len(bad) > 1 else {**HEADER, **bad})
    assert sentence(read, bad) == f"t.jsonl:1: {what}."


BAD_STEPS = {
    "no JSON": (b"hello\n", "JSON is malformed: invalid character (byte 0)"),
    "no object": (b"3\n", "Expected `object`, got `int`"),
    "no UTF-8": (replaced(RESTS, b'"silent"', b'"\xff"'), NOT_UTF8),
    "too deep": (
        replaced(RESTS, b'"shortcuts":[]', b'"shortcuts":' + NESTED),
        "maximum recursion depth exceeded while deserializing an object",
    ),
    "a key twice": (
        replaced(RESTS, b'"took":', b'"took":"timeout","took":'),
        "the key 'took' stands twice in one object",
    ),
    "a key twice, once with an escape": (
        replaced(RESTS, b'"node":', rb'"n\u006fde":"v1","node":'),
        "the key 'node' stands twice in one object",
    ),
    "a key twice, and blanks": (
        replaced(RESTS, b'"took":', b'"took" : "timeout", "took": '),
        "the key 'took' stands twice in one object",
    ),
    "a key twice in a state": (
        replaced(RESTS, b'"label":', b'"label":"1","label":'),
        "the key 'label' stands twice in one object",
    ),
    "a key twice in a state of nobody": (
        {"node": "v9", "took": "timeout", "state": msgspec.Raw(b'{"a":1,"a":2}'), "sent": []},
        "the key 'a' stands twice in one object",
    ),
    "a key twice in a message": (
        replaced(SUPERVISES, b'"kind":', b'"kind":"SetData","kind":'),
        "the key 'kind' stands twice in one object",
    ),
    "a key twice in a command": (
        {"took": msgspec.Raw(b'{"kind":"Unsubscribe","kind":"Unsubscribe"}'), "node": "v1", "state": ALONE, "sent": []},
        "the key 'kind' stands twice in one object",
    ),
    "a key twice in what is delivered": (
        {"delivered": [msgspec.Raw(b'{"a":1,"a":2}')]},
        "the key 'a' stands twice in one object",
    ),
    "no UTF-8 in a state of nobody": (
        {"node": "v9", "took": "timeout", "state": msgspec.Raw(b'{"a":"\xed\xa0\x80"}'), "sent": []},
        "'utf-8' codec can't decode byte 0xed in position 44: invalid continuation byte",
    ),
    "what was received, of a timeout": (
        {"received": CONFIGURATION},
        "it says what was received, and no message was delivered",
    ),
    "what was received, of a command": (
        {**RESTS, "took": {"kind": "Unsubscribe"}, "received": CONFIGURATION},
        "it says what was received, and no message was delivered",
    ),
    "an id with a zero behind its point": (
        {"took": 1.0},
        f"Expected `int | str | object`, got `float` - at `$.took`; {TOOK}",
    ),
    "a blank line": (b"\n", "the line is blank; every line of a trace is a JSON object"),
    "a line of spaces": (b"  \t\n", "the line is blank; every line of a trace is a JSON object"),
    "no newline": (written(RESTS)[:-1], "the last line is cut off: it does not end with a newline"),
    "half a line": (written(RESTS)[:30], "the last line is cut off: it does not end with a newline"),
}


@pytest.mark.parametrize(("bad", "what"), BAD_STEPS.values(), ids=BAD_STEPS)
def test_faults_of_a_step_are_reported_exactly(bad, what):
    if isinstance(bad, dict):
        bad = written(bad if "took" in bad and len(bad) > 1 else {**RESTS, **bad})
    assert sentence(read, written(HEADER, SUPERVISES, bad)) == f"t.jsonl:3: {what}."


SPELLINGS = {
    "as a recorder writes it": lambda line: written(line),
    "with blanks": lambda line: json.dumps(line).encode() + b"\n",
    "with escapes": lambda line: written(line).replace(b'"took"', rb'"to\u006fk"'),
    "in another order": lambda line: written(dict(reversed(line.items()))),
    "with escapes in values": lambda line: written(line).replace(b'"v1"', rb'"\u00761"'),
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
def test_any_spelling_with_each_key_once_is_accepted(spelled):
    lines = [HEADER, SUPERVISES, {**HEARS, "delivered": ["a: b, c"]}, RESTS]
    read_so = read(b"".join(map(spelled, lines)))
    assert msgspec.to_builtins(read_so) == msgspec.to_builtins(read(written(*lines)))


def test_an_empty_file_is_no_trace():
    assert sentence(read, b"") == "t.jsonl: the file is empty; a trace begins with a header."


def test_a_line_up_to_the_limit_is_read_and_a_longer_one_is_refused_before_it_is_read_whole(monkeypatch):
    asked = []

    class Lines(BytesIO):
        def readline(self, limit=-1, /):
            asked.append(limit)
            return super().readline(limit)

    header, step = written(HEADER), written(RESTS)
    monkeypatch.setattr(trace, "LONGEST_LINE", len(header))
    reader = TraceReader(Path("t.jsonl"), Lines(header + step + b" " * (len(header) - 1) + step))
    assert sentence(list, reader.steps()) == "t.jsonl:3: the line is longer than 0 MiB."
    assert set(asked) == {len(header) + 1}


def test_the_limit_of_a_line_is_said_in_mebibytes(monkeypatch):
    monkeypatch.setattr(trace, "LONGEST_LINE", 3 << 20)
    assert sentence(read, b" " * (4 << 20)) == "t.jsonl:1: the line is longer than 3 MiB."


def test_what_does_not_open_is_named(tmp_path):
    for path, what in ((tmp_path / "none.jsonl", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(UsageError) as refused, open_trace(path):
            pass
        assert str(refused.value) == f"{path}: {what}."


def test_a_file_is_read_as_its_bytes_are(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(HOLDS)
    with open_trace(path) as reader:
        assert (reader.path, len(list(reader.steps()))) == (path, 3)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (written({**HEADER, "boud": 1}), "t.jsonl:1: Object contains unknown field `boud`. Did you mean 'bound'?"),
        (
            written({**HEADER, "states": {**HEADER["states"], "v1": {**ALONE, "lable": "0"}}}),
            "t.jsonl:1: the state of v1: Object contains unknown field `lable`. Did you mean 'label'?",
        ),
        (
            written(HEADER, {**RESTS, "state": {**ALONE, "lable": "0"}}),
            "t.jsonl:2: the state: Object contains unknown field `lable`. Did you mean 'label'?",
        ),
        (
            written(HEADER, {**RESTS, "before": {**ALONE, "lable": "0"}}),
            "t.jsonl:2: the state before: Object contains unknown field `lable`. Did you mean 'label'?",
        ),
        (written(HEADER, {**RESTS, "snt": []}), "t.jsonl:2: Object contains unknown field `snt`. Did you mean 'sent'?"),
    ],
)
def test_a_misspelt_field_is_named_with_its_object_and_the_nearest_field(bad, says):
    assert sentence(read, bad) == says
