"""`gomboc check`, `ingest` and `replay` of runs of a stack: each layer is judged, and each run is joined."""

import json

import pyarrow.parquet
import pytest

from tests.checker.cli.command import gomboc, refused
from tests.checker.stacks.mutating import mutated
from tests.checker.stacks.runs import OVER_RING, followers_known, read, write

HOLDS = "layers: holds: all of "


@pytest.fixture(autouse=True, scope="module")
def known():
    with followers_known():
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs that hold, and one that was changed."""
    folder = tmp_path_factory.mktemp("runs")
    words = "--nodes", "3", "--traces", "2", "--parameter", "ring.bits=8", "--jobs", "1"
    assert gomboc("simulate", OVER_RING, *words, "--output", folder / "good").code == 0
    good = folder / "good/000000"
    for name in ("000000", "000001"):
        write(
            folder / f"mixed/{name}", read(folder / "good" / name), (folder / "good" / name / "stack.json").read_text()
        )
    write(folder / "mixed/wrong", mutated(read(good), "altered", 1), (good / "stack.json").read_text())
    return folder


def test_check_says_how_each_run_joins_and_which_layer_does_not_hold(runs):
    ran = gomboc("check", runs / "mixed")
    assert ran.code == 1
    assert ran.out.count(HOLDS) == 2
    wrong = ran.out.splitlines()[4:]
    assert wrong[0].startswith(f"{runs}/mixed/wrong: violated ({OVER_RING}, 3 traces, ")
    assert wrong[-1].startswith("  layers: violated at step ")
    assert " by handed_over, at n00" in wrong[-1]


def test_check_takes_single_traces_of_a_run_and_runs_among_others(runs):
    assert gomboc("check", runs / "good/000000/ring.jsonl").code == 0
    assert gomboc("check", "-q", runs / "good").out.count("holds (") == 2


def test_check_as_json_has_every_trace_and_the_layers(runs):
    ran = gomboc("check", runs / "mixed/wrong", "--format", "json")
    document = json.loads(ran.out)
    assert (document["format"], document["verdict"], document["stack"]) == ("gomboc-check", "violated", OVER_RING)
    assert sorted(document["traces"]) == ["followers/news", "followers/sport", "ring"]
    assert document["layers"]["verdict"]["rule"] == "handed_over"
    assert document["layers"]["trace"] in document["traces"]


@pytest.mark.parametrize("option", [("--variant", "printed_hashes"), ("--all",), ("--expect",)], ids=" ".join)
def test_options_of_single_traces_are_refused(runs, option):
    said = refused("check", runs / "good", *option)
    assert said == "gomboc: A run of a stack is judged as it is: give no --variant, no --all and no --expect with it.\n"


@pytest.fixture(scope="module")
def packed(runs):
    ran = gomboc("ingest", runs / "mixed", "--output", runs / "packs", "--jobs", "1")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"{runs}/packs: 9 traces in 2 packs, ")
    return runs / "packs"


def rows(folder):
    return {row["run"]: row for row in pyarrow.parquet.read_table(folder / "joins.parquet").to_pylist()}


def test_replay_of_lines_and_of_packs_gives_the_same_rows(runs, packed):
    for folder, target in ((runs / "mixed", runs / "of-lines"), (packed, runs / "of-packs")):
        ran = gomboc("replay", folder, "--jobs", "1", "--output", target)
        assert ran.code == 1
        assert f"\nLayers of {OVER_RING} joined: 2 holds, 1 violated.\n  wrong: violated at step " in ran.out
        assert ran.out.count("\nJudged by ") == 2
    lines, packs = rows(runs / "of-lines"), rows(runs / "of-packs")
    assert lines == packs
    assert {name: row["verdict"] for name, row in lines.items()} == {
        "000000": "holds",
        "000001": "holds",
        "wrong": "violated",
    }
    assert (lines["wrong"]["rule"], lines["wrong"]["step"] is not None) == ("handed_over", True)


def test_replay_in_one_line_and_as_json(runs, packed):
    ran = gomboc("replay", "-q", packed, "--jobs", "1", "--output", runs / "quiet")
    assert ran.out.startswith(f"{packed}: violated ({OVER_RING}, 3 runs: joined 2 holds, 1 violated; ring ")
    ran = gomboc("replay", packed, "--format", "json", "--jobs", "1", "--output", runs / "json")
    document = json.loads(ran.out)
    assert (document["verdict"], document["runs"]) == ("violated", {"holds": 2, "violated": 1})
    assert sorted(document["layers"]) == ["followers", "ring"]


def test_simulated_packs_are_those_of_the_lines(tmp_path):
    words = "simulate", OVER_RING, "--nodes", "3", "--parameter", "ring.bits=8", "--jobs", "1"
    assert gomboc(*words, "--output", tmp_path / "lines").code == 0
    assert gomboc(*words, "--into", "packs", "--output", tmp_path / "packs").code == 0
    assert gomboc("export", tmp_path / "packs/ring", "--output", tmp_path / "out").code == 0
    exported = (tmp_path / "out/000000.jsonl").read_bytes().split(b"\n", 1)[1]
    assert exported == (tmp_path / "lines/000000/ring.jsonl").read_bytes().split(b"\n", 1)[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lines", "out", "packs"]


@pytest.mark.parametrize("option", ["--resume", "--shrink"])
def test_options_of_one_corpus_are_refused(packed, option):
    said = refused("replay", packed, option)
    assert said == f"gomboc: {packed}: these are runs of a stack, which have no {option}: leave it out.\n"


def test_runs_of_two_stacks_are_no_corpus(runs, tmp_path):
    other = (runs / "good/000000/stack.json").read_text()
    write(tmp_path / "both/a", read(runs / "good/000000"), other)
    write(tmp_path / "both/b", read(runs / "good/000001"), other.replace(OVER_RING, "toy_followers_asking_chord"))
    said = refused("replay", tmp_path / "both", "--output", tmp_path / "verdicts")
    assert said.startswith(
        f"gomboc: {tmp_path}/both/b/stack.json: the stack is toy_followers_asking_chord, and that of "
    )
    said = refused("ingest", tmp_path / "both", "--output", tmp_path / "packs")
    assert said.startswith(
        f"gomboc: {tmp_path}/both/b/stack.json: the stack is toy_followers_asking_chord, and that of "
    )


def test_a_run_whose_trace_is_gone_from_the_packs_is_unreadable(packed, tmp_path):
    said = json.loads((packed / "stack.json").read_text())
    copied = tmp_path / "packs"
    copied.mkdir()
    for layer in ("ring", "followers"):
        (copied / layer).symlink_to(packed / layer)
    said["runs"]["gone"] = said["runs"]["000000"]
    (copied / "stack.json").write_text(json.dumps(said))
    ran = gomboc("replay", "-q", copied, "--jobs", "1", "--output", tmp_path / "verdicts")
    assert "joined 2 holds, 1 unreadable, 1 violated" in ran.out


@pytest.mark.parametrize(("layer", "trace"), [("ring", "000001"), ("followers", "000001/sport")])
def test_packs_with_traces_of_other_runs_or_topics_are_refused(packed, tmp_path, layer, trace):
    said = json.loads((packed / "stack.json").read_text())
    run, _, topic = trace.partition("/")
    said["runs"][run] = {name: values for name, values in said["runs"][run].items() if name != topic}
    said["runs"] = {name: topics for name, topics in said["runs"].items() if topic or name != run}
    copied = tmp_path / "packs"
    copied.mkdir()
    for name in ("ring", "followers"):
        (copied / name).symlink_to(packed / name)
    (copied / "stack.json").write_text(json.dumps(said))
    says = f"it does not name the run, or the topic, of the trace {trace} of the layer {layer}."
    assert refused("replay", copied, "--output", tmp_path / "verdicts") == f"gomboc: {copied}/stack.json: {says}\n"
