"""Whoever judges Skip+ asks who takes part only when that may have changed: twice, and once for each change."""

import json
from io import BytesIO
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from checker.judge.naive import DEFAULT, judge
from checker.judge.trace import TraceReader
from spec.skip_plus import PROTOCOL
from tests.checker.replay.kernel.packed import PATH, factored
from tests.golden.make import folder

TRACES = [path for path in sorted(folder("skip_plus").glob("*.ok.jsonl")) if b'"parameters":{}' in path.read_bytes()]
"""Those in rounds: the protocol that counts has no parameters."""


def changes(trace):
    """How often a node comes to take part, or no longer does."""
    head, *steps = map(json.loads, trace.splitlines())
    live, found = {name: state["live"] for name, state in head["states"].items()}, 0
    for step in steps:
        found += live[step["node"]] != step["state"]["live"]
        live[step["node"]] = step["state"]["live"]
    return found


def counting():
    """Skip+, and the list that gets an entry each time that its anchor is asked for."""
    asked = []

    def anchor(shares):
        asked.append(1)
        return PROTOCOL.anchor(shares)

    return replace(PROTOCOL, anchor=anchor), asked


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_the_naive_judge_which_is_also_the_simulators_watch(path):
    trace, (protocol, asked) = path.read_bytes(), counting()
    with patch("checker.judge.naive.find_protocol", lambda _: protocol):
        judge(TraceReader(PATH, BytesIO(trace)), DEFAULT)
    assert 1 <= len(asked) <= changes(trace) + 2


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_the_factored_judge(path):
    trace, (protocol, asked) = path.read_bytes(), counting()
    factored(protocol, [trace])
    assert 1 <= len(asked) <= changes(trace) + 2
