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


TABLE = Path(__file__).with_name("bad_lines.txt")


def bad_lines(section, good):
    """The bad lines in a section of the table, with the sentences: each is a line, or a change of a good one."""
    rows = TABLE.read_text().split(f"\n# {section}\n\n")[1].partition("\n\n")[0].splitlines()
    for name, change, says in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        yield pytest.param(changed(good, change.strip()), says.strip(), id=name)


def changed(good, change):
    if change.startswith("= "):
        return spelled(change.removeprefix("= "))
    old, arrow, new = change.partition(" ==> ")
    return replaced(good, spelled(old), spelled(new)) if arrow else written({**good, **json.loads(change)})


def spelled(text):
    return text.encode().decode("unicode_escape").encode("latin-1").replace(b"<nested>", NESTED)


@pytest.mark.parametrize(("bad", "what"), [*bad_lines("header", HEADER)])
def test_faults_of_a_header_are_reported_exactly(bad, what):
    assert sentence(read, bad) == f"t.jsonl:1: {what}."


@pytest.mark.parametrize(("bad", "what"), [*bad_lines("step", RESTS)])
def test_faults_of_a_step_are_reported_exactly(bad, what):
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
