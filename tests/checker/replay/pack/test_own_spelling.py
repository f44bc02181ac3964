"""Lines read many at once give the same packs, and the same refusals, as lines read one by one."""

import json
import re
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.core.errors import UsageError
from gomboc.checker.replay.in_memory import Gathered
from gomboc.checker.replay.pack import accepted, ingest
from gomboc.checker.replay.pack.accepted import AcceptedTexts
from gomboc.checker.replay.pack.own_spelling import LineReader
from gomboc.checker.traces import trace
from gomboc.checker.traces.trace import TraceReader
from tests.checker import ring

PATH = Path("a trace")
GOLDEN = [
    path.read_bytes()
    for protocol in ("skip_ring", "delta_fault_tolerance", "chord", "skip_plus", "dissemination")
    for path in sorted((Path(__file__).parents[4] / "traces" / protocol).rglob("*.jsonl"))[:6]
]


def result(text):
    """The columns of a trace with the texts that its numbers stand for, or the sentence that refuses it."""
    into = Gathered()
    try:
        into.read(TraceReader(PATH, BytesIO(text)), "0")
    except UsageError as error:
        return str(error)
    words, (row,) = into.dictionary, into.table().to_pylist()
    states, messages, steps = words.states.in_order, words.messages.in_order, words.steps.in_order
    events = [
        (
            node,
            states[before] if before >= 0 else None,
            way,
            messages[taken] if taken >= 0 else None,
            states[after],
            [(to, messages[content]) for to, content in sends],
            coin,
            delivered,
            None if heard is None else messages[heard],
        )
        for node, before, way, taken, after, gives in map(steps.__getitem__, row["events"])
        for sends, coin, delivered, heard in [words.given.in_order[gives]]
    ]
    claimed = row["claimed"] and [states[number] if number >= 0 else None for number in row["claimed"]]
    return row["header"], row["took"], row["sent"], row["at"], events, claimed


def one_by_one(text):
    """The same, without reading any lines at once."""
    with patch.object(LineReader, "record", lambda *_: 0):
        return result(text)


def alike(text):
    return result(text) == one_by_one(text)


SENDS_IN_TEXT = '"}],"sent":[{"id":1,"to":"v1","message":{}},{"id":2'
"""A text that looks like the pieces of a line."""


def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def with_key(key, value):
    """A way that gives a line one more key, in front of its end."""
    return lambda line, _: line[:-1] + b',"%b":%b}' % (key, value)


def with_ids(spelling):
    """A way that spells the ids of a line otherwise."""
    return lambda line, _: re.sub(rb'"(took|id)":(\d+)', rb'"\1":' + spelling, line)


def with_field(**fields):
    """A way that gives fields of a line other values."""
    return lambda line, _: compact({**json.loads(line), **fields})


def with_a_state_key_twice(line, _):
    key, value = next(iter(json.loads(line)["state"].items()))
    return line.replace(b'"state":{', b'"state":' + compact({key: value})[:-1] + b",", 1)


WAYS = {
    "blanks": lambda line, _: json.dumps(json.loads(line)).encode(),
    "order": lambda line, _: compact(dict(reversed(json.loads(line).items()))),
    "key twice": with_key(b"node", b'"v1"'),
    "state key twice": with_a_state_key_twice,
    "null": with_key(b"coin", b"null"),
    "unknown key": with_key(b"more", b"1"),
    "whole seconds": with_key(b"at", b"3"),
    "seconds": with_key(b"at", b"3.5"),
    "unknown node": with_field(node="stranger"),
    "great id": with_field(took=2**53),
    "no id": with_field(took=True),
    "received": lambda line, heard: with_key(b"received", compact(heard))(line, None),
    "before": lambda line, _: with_key(b"before", compact(json.loads(line)["state"]))(line, None),
    "delivered": with_key(b"delivered", b"[ 1]"),
    "zero": lambda line, _: re.sub(rb'("took"|"id"):', rb"\1:0", line),
    "minus zero": with_ids(b"-0"),
    "minus zero ahead": lambda line, _: re.sub(rb'\[\{"id":\d+', b'[{"id":-0', line),
    "take zero": with_field(took=0),
    "fraction": with_ids(rb"\2.0"),
    "two ids": with_ids(rb"\2,\2"),
    "empty id": with_ids(b""),
    "sends in a coin": with_key(b"coin", json.dumps(SENDS_IN_TEXT).encode()),
    "sends in a state": lambda line, _: re.sub(
        rb'"label":"?\w*"?', b'"label":' + json.dumps(SENDS_IN_TEXT).encode(), line, count=1
    ),
    "comma": lambda line, _: line[:-1] + b",}",
    "cut off": lambda line, _: line[: len(line) // 2],
    "blank": lambda *_: b"  ",
    "as it is": lambda line, _: line,
}
"""By name, a way to write a line in another spelling of the same meaning, or of none, given a message that was sent."""


@pytest.mark.parametrize("text", GOLDEN, ids=range(len(GOLDEN)))
def test_of_golden_traces(text):
    assert alike(text)


def changed(text, changes):
    """A trace with some lines, by index, spelled otherwise."""
    header, *lines = text.splitlines()
    sent = [message["message"] for line in lines for message in json.loads(line)["sent"]]
    for index, way in changes.items():
        if index < len(lines):
            lines[index] = WAYS[way](lines[index], sent[0] if sent else None)
    return b"\n".join([header, *lines, b""])


@given(st.integers(0, len(GOLDEN) - 1), st.dictionaries(st.integers(0, 30), st.sampled_from(sorted(WAYS)), max_size=3))
def test_in_any_spelling(number, changes):
    assert alike(changed(GOLDEN[number], changes))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("index", [0, 1, 2])
def test_in_each_spelling(way, index):
    assert alike(changed(ring.HOLDS, {index: way}))


def test_a_message_is_known_by_its_id_however_that_is_written():
    compared = 0
    for text in GOLDEN:
        lines = [json.loads(line) for line in text.splitlines()[1:]]
        sends = next((index for index, line in enumerate(lines) if len(line["sent"]) > 1), len(lines))
        takes = [index for index, line in enumerate(lines) if type(line["took"]) is int and index > sends]
        for index in takes[:1]:
            assert alike(changed(text, {sends: "minus zero ahead", index: "take zero"}))
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("end", [b"", b"\n\n", b"\nnot JSON\n", b"\n{", b"\n{}\n"])
def test_an_error_is_that_of_the_first_line_that_has_one(end):
    text = ring.HOLDS.rstrip(b"\n") + end
    assert result(text) == one_by_one(text)
    assert result(text).startswith("a trace:")


def test_lines_that_are_longer_than_a_portion_are_read_whole():
    with patch.object(trace, "AT_ONCE", 7):
        assert alike(ring.HOLDS)


@pytest.mark.parametrize("most", [1, 5])
def test_what_is_remembered_of_ends_of_lines_is_bounded(most):
    made = []
    with patch.object(accepted, "MOST_ENDS", most), patch.object(ingest, "AcceptedTexts", noted(made)):
        assert all(alike(text) for text in GOLDEN)
    assert max(size(texts.tails) for texts in made) == most
    assert max(len(ends) for texts in made for ends in texts.ends.values()) == most


def noted(made):
    """AcceptedTexts that are appended to `made`."""

    def new(*arguments):
        made.append(AcceptedTexts(*arguments))
        return made[-1]

    return new


def size(tails):
    return len(tails) + sum(1 + size(following) for following in tails.then.values())


def test_lines_in_the_recorders_spelling_are_read_at_once():
    def refused(*_):
        raise AssertionError("a line was read by itself")

    with patch.object(TraceReader, "step", refused):
        assert all(not isinstance(result(text), str) for text in GOLDEN)
