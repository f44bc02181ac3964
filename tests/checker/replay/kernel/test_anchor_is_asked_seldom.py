"""The members of Skip+ or Chord are computed only when they may have changed: twice, and once for each change."""

import json
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import pytest

from gomboc.checker.judge.naive import DEFAULT, judge
from gomboc.checker.replay.pack.corpus import PackTarget
from gomboc.checker.simulate.packs import Pieces, simulate_piece
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.checker.traces.trace import TraceReader
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols import chord, skip_plus
from tests.checker.replay.kernel.packed import PATH, factored
from tests.golden.make import folder

TRACES = [
    *(path for path in sorted(folder("skip_plus").glob("*.ok.jsonl")) if b'"parameters":{}' in path.read_bytes()),
    *(folder("chord") / f"{name}.ok.jsonl" for name in ("one_crashes", "one_joins", "one_leaves")),
]
"""Of Skip+ those in rounds: the protocol that counts has no parameters."""


def takes_part(state):
    return state["live"] if "live" in state else state["status"] == "inside"


def changes(trace):
    """How often a node comes to take part, or no longer does."""
    head, *steps = map(json.loads, trace.splitlines())
    live, result = {name: takes_part(state) for name, state in head["states"].items()}, 0
    for step in steps:
        result += live[step["node"]] != takes_part(step["state"])
        live[step["node"]] = takes_part(step["state"])
    return result


def counting(name, parameters):
    """The protocol of that name and those parameters, and the list that gets an entry each time its anchor is asked."""
    asked = []
    protocol = configured({"skip_plus": skip_plus.PROTOCOL, "chord": chord.PROTOCOL}[name], parameters)

    def anchor(shares):
        asked.append(1)
        return protocol.legitimacy.anchor(shares)

    counted = protocol.changed(anchor=anchor)
    return counted.changed(configured=lambda _: counted), asked


def of_trace(trace):
    """The protocol of a trace, and the list."""
    head = json.loads(trace.splitlines()[0])
    return counting(head["protocol"], head["parameters"])


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_the_naive_judge_which_also_watches_runs_that_go_into_files(path):
    trace = path.read_bytes()
    protocol, asked = of_trace(trace)
    with patch("gomboc.checker.traces.trace.find_protocol", lambda _: protocol):
        judge(TraceReader(PATH, BytesIO(trace)), DEFAULT)
    assert 1 <= len(asked) <= changes(trace) + 2


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_the_factored_judge(path):
    trace = path.read_bytes()
    protocol, asked = of_trace(trace)
    factored(protocol, [trace])
    assert 1 <= len(asked) <= changes(trace) + 2


def test_the_watch_of_runs_that_go_into_packs(tmp_path):
    plan = Plan("skip_plus", "skip_plus", nodes=(6,), traces=1, seed=1, disturb=True)
    path = simulate_trace(plan, tmp_path, 0).path
    protocol, asked = counting("skip_plus", {})
    with patch("gomboc.checker.simulate.packs.specification", lambda _: protocol):
        simulate_piece(Pieces(plan, PackTarget(str(tmp_path), "skip_plus", {}), 1), 0)
    moved = changes(Path(path).read_bytes())
    assert 1 <= len(asked) <= moved + 2
    assert moved
