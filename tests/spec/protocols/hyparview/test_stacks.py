"""Trees over a ring over a membership, which broadcasts: all three layers are joined, and none is violated."""

import json
from shutil import copytree

import pytest

from tests.checker.cli.command import gomboc

WORDS = ["--nodes", "8,5", "--traces", "2", "--disturb", "--parameter", "chord.meet=true", "--seed", "7", "--jobs", "1"]
SWITCHED = ["--parameter", "scribe.high=3", "--parameter", "scribe.low=2", "--publications", "3"]


def crashed_at_first(trace):
    """The nodes that have crashed before a trace begins."""
    states = json.loads(trace.read_text(encoding="utf-8").splitlines()[0])["states"]
    return {node for node, state in states.items() if state.get("crashed") or state.get("status") == "crashed"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs of all three layers."""
    folder = tmp_path_factory.mktemp("stack") / "runs"
    assert gomboc("simulate", "hyparview_chord_scribe", *WORDS, *SWITCHED, "--output", folder).code == 0
    return folder


def test_three_layers_are_joined_and_nothing_is_violated(runs):
    ran = gomboc("check", runs)
    assert ran.code in (0, 3), ran.out
    assert ran.out.count("layers: holds: all of ") == 2
    written = "".join(path.read_text(encoding="utf-8") for path in runs.rglob("hyparview.jsonl"))
    assert '"took":{"kind":"Spread"' in written
    assert '"delivered":[{"kind":"Heard"' in written
    at_first = [{*map(frozenset, map(crashed_at_first, run.rglob("*.jsonl")))} for run in runs.glob("0*")]
    assert [len(crashed) for crashed in at_first] == [1, 1]
    assert any(frozenset() not in crashed for crashed in at_first)


def test_peers_that_no_membership_named_are_refused(runs, tmp_path):
    run = next(runs.glob("0*"))
    trace = copytree(run, tmp_path / "runs" / run.name) / "hyparview.jsonl"
    lines = trace.read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines) if '"kind":"Peers"' in line)
    lines[number] = lines[number].replace('"kind":"Peers"', '"kind":"Heard","topic":"news"', 1)
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = gomboc("check", tmp_path / "runs")
    assert ran.code == 1
    assert "layers: violated" in ran.out
