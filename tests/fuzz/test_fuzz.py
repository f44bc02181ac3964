"""A reader accepts each text or refuses it in a sentence. A small part; more by `python -m tests.fuzz`."""

from random import Random

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.traces.trace import TraceReader
from tests.fuzz.__main__ import fuzz, outcome
from tests.fuzz.targets import TARGETS, BrokenError, Target
from tests.fuzz.texts import changed

TEXTS = {"trace": 100, "corpus": 30, "project": 60, "words": 600, "finding": 80, "message": 200}


@pytest.mark.parametrize("name", TARGETS)
def test_whatever_a_reader_is_given_it_accepts_or_refuses(name):
    target = TARGETS[name]
    assert {target.outcome(text) for text in target.seeds()[::9]} == {"accepted"}
    counts = fuzz(name, Random(1), texts=TEXTS[name])
    assert counts["refused"] > TEXTS[name] / 4


def test_texts_are_the_same_for_the_same_seed():
    seed = b'{"a": [1, {"b": null}]}\n{"c": "d"}\n'
    assert [changed(seed, Random(7)) for _ in range(2)] == [changed(seed, Random(7))] * 2
    assert len({changed(seed, Random(number)) for number in range(50)}) > 30


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda text: {}["key"], "it raises KeyError: 'key'"),
        (lambda text: refuse("a\nb"), "it refuses with no sentence: 'a\\nb'"),
        (lambda text: refuse(""), "it refuses with no sentence: ''"),
    ],
)
def test_a_reader_that_does_neither_is_found(read, says):
    with pytest.raises(BrokenError) as broken:
        outcome(Target(list, read), b"")
    assert str(broken.value) == says


def refuse(says):
    raise UsageError(says)


def test_a_reader_that_passes_something_over_is_found(monkeypatch):
    """Of two equal keys it would take the last, and nothing said so."""
    monkeypatch.setattr(TraceReader, "_check_keys", lambda self, text, line, written=b"": None)
    lines = TARGETS["trace"].seeds()[0].splitlines(keepends=True)
    doubled = lines[1].replace(b'"sent":', b'"node":"v1","sent":', 1)
    text = b"".join((lines[0], doubled, *lines[2:]))
    with pytest.raises(BrokenError, match="it accepts a key twice"):
        TARGETS["trace"].outcome(text)
