"""Whoever judges Skip+ asks who takes part only when that may have changed: twice, and once for each change."""

import json
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from checker.judge.naive import DEFAULT, judge
from checker.judge.trace import TraceReader
from checker.replay.pack.corpus import Target
from checker.simulate.packs import Pieces, simulate_piece
from checker.simulate.plan import Plan
from checker.simulate.simulate import simulate_trace
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
def test_the_naive_judge_which_also_watches_runs_that_go_into_files(path):
    trace, (protocol, asked) = path.read_bytes(), counting()
    with patch("checker.judge.naive.find_protocol", lambda _: protocol):
        judge(TraceReader(PATH, BytesIO(trace)), DEFAULT)
    assert 1 <= len(asked) <= changes(trace) + 2


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_the_factored_judge(path):
    trace, (protocol, asked) = path.read_bytes(), counting()
    factored(protocol, [trace])
    assert 1 <= len(asked) <= changes(trace) + 2


def test_the_watch_of_runs_that_go_into_packs(tmp_path):
    plan = Plan("skip_plus", "skip_plus", nodes=(6,), traces=1, seed=1, disturb=True)
    path = simulate_trace(plan, tmp_path, 0).path
    protocol, asked = counting()
    with patch("checker.simulate.packs.specification", lambda _: protocol):
        simulate_piece(Pieces(plan, Target(str(tmp_path), "skip_plus", {}), 1), 0)
    moved = changes(Path(path).read_bytes())
    assert 1 <= len(asked) <= moved + 2
    assert moved
