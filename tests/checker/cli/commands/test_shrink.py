"""`gomboc shrink` writes a smaller trace of which `gomboc check` says the same, and refuses impossible calls."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gomboc.checker.summary.clusters import CUT
from tests.checker.cli.command import gomboc, refused

TRACES = Path(__file__).resolve().parents[4] / "traces" / "skip_ring"
GOMBOC = Path(sys.executable).with_name("gomboc")


@pytest.fixture
def lie(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(TRACES / "send_left_out.bad.jsonl", "lie.jsonl"))


def test_it_says_what_is_violated_how_large_it_was_and_is_and_how_to_see_it(lie):
    code, out, err = gomboc("shrink", lie)
    assert (code, err) == (0, "")
    first, second, how, third, last = out.splitlines()
    assert first == "lie.jsonl: conformance is violated by subscribe (not sent); 85 steps, 3 nodes, 17,143 bytes."
    assert second.startswith("lie.small.jsonl: the same in 1 step, 3 nodes, 1 message in flight at first, ")
    assert how == "It is cut out of the trace, and was not run: no implementation is here that does the same."
    assert third.endswith(" tried; no smaller failing trace found.")
    assert last == "view: gomboc check lie.small.jsonl"
    assert gomboc("check", "lie.small.jsonl").code == 1
    assert gomboc("check", "--expect", "lie.small.jsonl").code == 0


def test_it_replaces_nothing_unless_told_to(lie):
    assert gomboc("shrink", lie).code == 0
    assert "lie.small.jsonl: it is there already" in refused("shrink", lie)
    assert gomboc("shrink", lie, "--overwrite").code == 0


def test_a_pipe_that_no_node_reads_any_more_is_no_fault_of_foreign_code():
    words = [GOMBOC, "check", *sorted(TRACES.glob("*.bad.jsonl"))]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_replay_shrinks_the_witness_of_each_cluster_where_it_is_told_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "--variant printed_linearize --nodes 8 --traces 4 --rounds 5 --into packs --output corpus"
    assert gomboc("simulate", "skip_ring", *words.split()).code == 0
    code, out, _ = gomboc("replay", "corpus", "--shrink", "--jobs", 1)
    assert code == 1
    small = sorted(Path("corpus.verdicts/witnesses").glob("*.small.jsonl"))
    assert small
    assert len(small) == len(list(Path("corpus.verdicts/witnesses").iterdir())) / 2
    for path in small:
        assert f"gomboc check {Path.cwd() / path}\n    It is a new run of the implementation.\n" in out
        witness = path.with_name(path.name.replace(".small", ""))
        assert gomboc("check", path).code == 1
        assert path.stat().st_size < witness.stat().st_size


def test_a_replay_says_of_what_is_cut_that_it_was_not_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lies").mkdir()
    shutil.copy(TRACES / "send_left_out.bad.jsonl", "lies/lie.jsonl")
    assert gomboc("ingest", "lies", "--output", "corpus").code == 0
    code, out, _ = gomboc("replay", "corpus", "--shrink", "--jobs", 1, "--format", "json")
    assert (code, [cluster["run"] for cluster in json.loads(out)["clusters"]]) == (1, [False])
    assert gomboc("replay", "corpus", "--shrink", "--jobs", 1, "--overwrite").out.count(f"    {CUT}\n") == 1


@pytest.mark.parametrize("fails", ["the shrinker", "writing"])
def test_a_replay_shows_the_witness_where_shrinking_it_fails(fails, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("lies").mkdir()
    shutil.copy(TRACES / "send_left_out.bad.jsonl", "lies/lie.jsonl")
    assert gomboc("ingest", "lies", "--output", "corpus").code == 0
    if fails == "writing":
        monkeypatch.setattr("gomboc.checker.shrink.case.TraceCase.text", lambda case: 1 / 0)
    else:
        monkeypatch.setattr("gomboc.checker.simulate.apart.shrink_apart", lambda *words, **named: 1 / 0)
    code, out, _ = gomboc("replay", "corpus", "--shrink", "--jobs", 1)
    assert code == 1
    assert "corpus.verdicts/witnesses/subscribe" in out
    assert ".small.jsonl" not in out
