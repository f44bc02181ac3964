"""`gomboc shrink` of a run of a stack keeps the wrong hand-over, in less time and with fewer topics."""

import json
from copy import deepcopy

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.checker.judge.verdict import Violated
from tests.checker.cli.command import gomboc, refused
from tests.checker.stacks.mutating import KINDS, another, crash_missing, mutated, places
from tests.checker.stacks.runs import followers_known, read, simulated, until, write


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shrunk")
    with followers_known():
        simulated(folder / "runs", seed=1)
        lines, said = until(read(folder / "runs/000000"), 8), (folder / "runs/000000/stack.json").read_text()
        write(folder / "right", lines, said)
        for kind in KINDS:
            write(folder / kind, mutated(lines, kind, 3), said)
        write(folder / "crash", crash_missing(lines, "followers/news"), said)
        yield folder


def verdict_of(folder):
    return json.loads(gomboc("check", folder, "--format", "json").out)["layers"]


@pytest.mark.parametrize("kind", [*KINDS, "crash"])
def test_the_same_hand_over_is_wrong_in_a_small_part(run, kind):
    before, was = verdict_of(run / kind), sum(map(len, read(run / kind).values()))
    ran = gomboc("shrink", run / kind)
    assert (ran.code, ran.err) == (0, ""), ran
    assert ran.out.startswith(f"{run}/{kind}: {before['verdict']['rule']} at {before['verdict']['node']} in ")
    small = run / f"{kind}.small"
    after, now = verdict_of(small), sum(map(len, read(small).values()))
    assert (after["verdict"]["rule"], after["verdict"]["node"], after["trace"]) == (
        before["verdict"]["rule"],
        before["verdict"]["node"],
        before["trace"],
    )
    assert now < was / 100
    assert not isinstance(judge_file(small / "ring.jsonl").conformance, Violated)
    nodes = {frozenset(steps[0]["roles"]) for steps in read(small).values()}
    assert len(nodes) == 1
    assert 0 < max(map(len, nodes)) < 5


def test_of_a_wrong_hand_over_at_the_first_time_that_time_is_left(run):
    lines, news = read(run / "right"), "followers/news"
    first = min(line["at"] for steps in lines.values() for line in steps[1:])
    forged = {**deepcopy(lines[news][places(lines[news])[0]]), "at": first}
    forged["took"]["next"] = another(lines[news][0], forged)
    lines[news].insert(1, forged)
    write(run / "first", lines, (run / "right/stack.json").read_text())
    assert gomboc("shrink", run / "first").code == 0
    assert {line["at"] for steps in read(run / "first.small").values() for line in steps[1:]} == {first}


def test_a_run_that_joins_is_not_shrunk(run):
    says = "nothing is wrong between its layers, so there is nothing to shrink; shrink a trace of it by itself"
    assert refused("shrink", run / "right") == f"gomboc: {run}/right: {says}.\n"


def test_what_is_for_traces_is_refused(run):
    said = refused("shrink", run / "altered", "--bound", "3")
    assert said == (
        "gomboc: A run of a stack is only cut: give no --variant, no --bound and no --implementation with it.\n"
    )


def test_the_result_as_json(run):
    document = json.loads(gomboc("shrink", run / "altered", "--output", run / "json", "--format", "json").out)
    assert (document["trace"], document["output"]) == (f"{run}/altered", f"{run}/json")
    assert document["now"][1] < document["was"][1]
