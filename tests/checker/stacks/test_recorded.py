"""A folder that is no run of a stack, or does not fit it, is refused in one sentence."""

import json
import shutil

import pytest
from msgspec.structs import replace

from gomboc.checker.stacks.fit import check_fit
from gomboc.checker.stacks.recorded import FILE
from gomboc.spec.layers.stack import HandOver, Layer, Opening
from tests.checker.cli.command import gomboc, refused
from tests.checker.stacks.runs import OVER_RING, followers_known, read, simulated, until, write
from tests.toys.follower.spec import OVER_RING as STACK


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    with followers_known():
        simulated(folder / "runs", seed=1)
        run = until(read(folder / "runs/000000"), 4)
        write(folder / "run", run, (folder / "runs/000000" / FILE).read_text())
        yield folder / "run"


@pytest.fixture
def run(whole, tmp_path):
    return shutil.copytree(whole, tmp_path / "run")


def says(folder, **changes):
    """What `stack.json` says, with changes."""
    said = json.loads((folder / FILE).read_text())
    (folder / FILE).write_text(json.dumps({**said, **changes}))


def test_a_run_has_its_traces_where_they_belong(run):
    assert sorted(path.relative_to(run).as_posix() for path in run.rglob("*.jsonl")) == [
        *("followers/news.jsonl", "followers/sport.jsonl", "ring.jsonl")
    ]
    assert "\n  layers: holds: all of " in gomboc("check", run).out


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "gomboc-trace"}, "the format is 'gomboc-trace', not 'gomboc-stack'."),
        ({"version": 2}, "it has version 2, and this gomboc reads version 1."),
        ({"stack": "tower"}, "there is no stack 'tower'; there are: "),
        ({"topics": {"news": {"key": "83"}}}, "it does not name the topic of the trace followers/sport."),
        (
            {"topics": {"news": {}, "sport": {"key": "83"}}},
            f"the topic news has no value 'key', which {OVER_RING} needs.",
        ),
        ({"topics": 3}, "Expected `object`, got `int` - at `$.topics`."),
    ],
)
def test_a_stack_that_is_not_what_it_says_is_refused(run, changes, sentence):
    says(run, **changes)
    said = gomboc("check", run)
    assert said.code == 2
    assert said.err.startswith(f"gomboc: {run / FILE}: {sentence}"), said.err


def test_traces_that_have_no_place_are_refused(run):
    (run / "tree.jsonl").write_text((run / "ring.jsonl").read_text())
    assert gomboc("check", run).err == (
        f"gomboc: {run}/tree.jsonl: the stack {OVER_RING} has no layer 'tree'; it has: ring, followers.\n"
    )
    (run / "tree.jsonl").rename(run / "followers.jsonl")
    assert gomboc("check", run).err == (
        f"gomboc: {run}/followers.jsonl: the traces of this layer of {OVER_RING} are called followers/TOPIC.jsonl: "
        "rename it.\n"
    )


def test_a_layer_without_a_trace_is_missed(run):
    (run / "ring.jsonl").unlink()
    assert gomboc("check", run).err == (
        f"gomboc: {run}/stack.json: there is no trace of the layer 'ring' of {OVER_RING}.\n"
    )


def test_a_layer_of_another_protocol_is_refused(run):
    shutil.copy(run / "followers/news.jsonl", run / "ring.jsonl")
    said = gomboc("check", run)
    assert (
        said.err == f"gomboc: {run}/ring.jsonl:1: the layer ring of {OVER_RING} is chord, and this is toy_follower.\n"
    )


def test_a_topic_without_its_trace_is_missed(run):
    (run / "followers/sport.jsonl").unlink()
    missed = f"{run}/stack.json: there is no trace of the topic 'sport', which it names."
    assert refused("check", run) == f"gomboc: {missed}\n"
    (run / "followers/news.jsonl").rename(run / "followers/sport.jsonl")
    topics = json.loads((run / FILE).read_text())["topics"]
    says(run, topics={"sport": topics["sport"]})
    assert "\n  layers: violated at step " in gomboc("check", run).out


def test_layers_of_other_runs_are_not_joined(run, tmp_path):
    other = simulated(tmp_path / "other", seed=3) / "000000"
    shutil.copy(other / "ring.jsonl", run / "ring.jsonl")
    ran = gomboc("check", run)
    assert ran.code == 1
    assert "layers: violated at step " in ran.out


def test_nodes_of_another_system_are_not_joined(run):
    lines = (run / "followers/news.jsonl").read_text().splitlines(True)
    head = json.loads(lines[0])
    head["roles"]["f9"], head["states"]["f9"] = "node", {"next": None, "live": False}
    (run / "followers/news.jsonl").write_text("".join((json.dumps(head) + "\n", *lines[1:])))
    ran = gomboc("check", run)
    assert ran.code == 3
    assert "layers: unknown: 'f9' has no role in ring, so the traces are not layers of one system\n" in ran.out


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"layers": (Layer("ring", "paxos"), STACK.layers[1])},
            "there is no protocol 'paxos' for 'ring'; for one of your own give --protocol package.module:PROTOCOL.",
        ),
        (
            {"hand_overs": (HandOver("ring", {"kind": "Route"}, "followers", {"kind": "Neighbours"}),)},
            "ring hands over Route as Neighbours, which is no command of followers; "
            "it has: Routed, StillRouted, Crash.",
        ),
        (
            {"hand_overs": (HandOver("ring", {"kind": "Route"}, "followers", {"kind": "Routed", "to": "n0"}),)},
            "ring hands over Route as Routed with 'to', which it does not have.",
        ),
        (
            {"openings": (Opening("ring", {"kind": "Subscribe"}),)},
            "the application gives Subscribe, which is no command of ring; it has: Join, Leave, Crash",
        ),
    ],
)
def test_layers_that_do_not_fit_are_refused(whole, changes, sentence):
    del whole
    with pytest.raises(Exception) as refusal:  # noqa: PT011
        check_fit(replace(STACK, **changes))
    assert str(refusal.value).startswith(f"The stack {OVER_RING} does not fit: {sentence}")


def test_the_routes_of_a_key_that_two_topics_share_are_commands_of_both(whole, run, tmp_path):
    del whole
    words = "--parameter", "ring.bits=1", "--parameter", "ring.r=1", "--nodes", "2", "--topics", "a,b,c"
    assert gomboc("simulate", OVER_RING, *words, "--output", tmp_path / "out").code == 0
    topics = json.loads((tmp_path / "out/000000" / FILE).read_text())["topics"]
    assert len({values["key"] for values in topics.values()}) < len(topics)
    assert "\n  layers: holds: all of " in gomboc("check", tmp_path / "out/000000").out
    key = json.loads((run / FILE).read_text())["topics"]["news"]["key"]
    says(run, topics={"news": {"key": key}, "sport": {"key": key}})
    assert "\n  layers: violated at step " in gomboc("check", run).out
