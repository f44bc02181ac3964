"""Stacks are simulated layer by layer from any start of each: what one delivers is commanded in the other at once."""

import json

import pytest

from tests.checker.cli.command import gomboc, refused
from tests.checker.stacks.runs import ASKING, OVER_RING, followers_known, read

SMALL = "--nodes", "3,4", "--traces", "2", "--parameter", "ring.bits=8", "--jobs", "1"


@pytest.fixture(autouse=True, scope="module")
def known():
    with followers_known():
        yield


def simulate(folder, stack=OVER_RING, *words):
    ran = gomboc("simulate", stack, *SMALL, "--output", folder, *words)
    assert (ran.code, ran.err) == (0, ""), ran
    return folder


@pytest.mark.parametrize("stack", [OVER_RING, ASKING])
def test_every_layer_becomes_legitimate_from_any_start_and_joins(stack, tmp_path):
    ran = gomboc("check", simulate(tmp_path / "runs", stack, "--seed", "2"))
    assert (ran.code, ran.out.count("layers: holds: all of "), ran.err) == (0, 2, ""), ran.out


def test_nodes_have_the_names_of_the_lowest_layer_and_messages_in_flight_too(tmp_path):
    run = read(simulate(tmp_path / "runs", OVER_RING, "--messages", "6") / "000001")
    names = sorted(run["ring"][0]["roles"])
    assert names == ["n000", "n001", "n002", "n003"]
    for lines in run.values():
        assert sorted(lines[0]["roles"]) == names
        assert {sent["to"] for sent in lines[0]["messages"]} <= {*names}
    told = [
        sent["message"]["sender"] for topic in ("news", "sport") for sent in run[f"followers/{topic}"][0]["messages"]
    ]
    assert told
    assert {*told} <= {*names}


def test_a_crash_is_drawn_for_the_lowest_layer_and_taken_in_all(tmp_path):
    for seed in range(8):
        run = read(
            simulate(tmp_path / str(seed), OVER_RING, "--disturb", "--nodes", "6", "--seed", str(seed)) / "000000"
        )
        crashes = {
            name: [(line["node"], line["at"]) for line in lines[1:] if line["took"] == {"kind": "Crash"}]
            for name, lines in run.items()
        }
        assert crashes["followers/news"] == crashes["followers/sport"] == crashes["ring"]
        if crashes["ring"]:
            return
    pytest.fail("no node ever crashes")


def test_the_application_gives_its_commands_at_the_beginning_for_each_topic(tmp_path):
    run = read(simulate(tmp_path / "runs", OVER_RING, "--topics", "a,b,c") / "000000")
    commands = (line for line in run["ring"][1:] if isinstance(line["took"], dict))
    watches = [line for line in commands if line["took"]["kind"] == "Watch"]
    assert {line["at"] for line in watches} == {0.0}
    assert len({line["took"]["key"] for line in watches}) == 3
    said = json.loads((tmp_path / "runs/000000/stack.json").read_text())
    assert {topic["key"] for topic in said["topics"].values()} == {line["took"]["key"] for line in watches}


def test_the_seed_decides_everything(tmp_path):
    one, again, other = (
        simulate(tmp_path / name, OVER_RING, "--disturb", "--seed", seed) for name, seed in ("a1", "b1", "c2")
    )
    lines = [{name: whole[1:] for name, whole in read(folder / "000000").items()} for folder in (one, again, other)]
    assert lines[0] == lines[1]
    assert lines[0] != lines[2]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--parameter", "bits=4"), f"'bits' is no parameter of a layer of {OVER_RING}: write LAYER.bits, of "),
        (
            ("--parameter", "tree.bits=4"),
            f"'tree.bits' is no parameter of a layer of {OVER_RING}: write LAYER.tree.bits",
        ),
        (("--parameter", "ring.keep=4"), "chord has no parameter 'keep'; it has: bits, ids, r, meet, fingers."),
        (("--only", "0"), f"{OVER_RING} is a stack, and --only is for one protocol: leave it out."),
        (("--start", "news.jsonl"), f"{OVER_RING} is a stack, and --start FILE is for one protocol: leave it out."),
        (("--pack-size", "4"), "--pack-size is for packs: add --into packs."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_a_stack_does_not_have_is_refused_in_one_sentence(words, sentence, tmp_path):
    said = refused("simulate", OVER_RING, *words, "--output", tmp_path / "runs")
    assert said.startswith(f"gomboc: {sentence}"), said
    assert not (tmp_path / "runs").exists()


def test_topics_are_names_each_once(tmp_path):
    ran = gomboc("simulate", OVER_RING, "--topics", "a,a", "--output", tmp_path / "runs")
    assert ran.code == 2
    assert "'a,a' is not a list of different topics such as news,sport" in ran.err
    said = refused("simulate", "chord", "--topics", "a", "--output", tmp_path / "runs")
    assert said == "gomboc: --topics is for stacks, and chord is none: leave it out.\n"


def test_nodes_that_are_down_in_the_lowest_layer_at_first_go_down_above(tmp_path):
    words = "--nodes", "4", "--parameter", "ring.r=1"
    folder = simulate(tmp_path / "runs", OVER_RING, *words)
    seen = 0
    for run in map(read, sorted(folder.glob("0*"))):
        down = [node for node, state in run["ring"][0]["states"].items() if state["status"] == "crashed"]
        for topic in ("news", "sport"):
            states = run[f"followers/{topic}"][0]["states"]
            assert sorted(node for node, state in states.items() if not state["live"]) == sorted(down)
        seen += len(down)
    assert seen
    assert gomboc("check", folder).out.count("layers: holds: all of ") == 2
