"""`gomboc simulate` of a stack with applications runs these, and the trace of each of its layers holds and joins."""

import json
import shutil
from functools import cache
from unittest.mock import patch

import pytest

from gomboc.checker.core.output import MARKER
from gomboc.checker.simulate.stacks.applications import Applications
from gomboc.checker.simulate.stacks.plan import StackPlan
from tests.checker.cli.command import gomboc, refused

STACKED = (("topic_directory", ":directory:"), ("dissemination", "news"), ("dissemination", "sport"))
STACK = "skip_plus_dissemination"
SMALL = "simulate", STACK, "--nodes", "3,5", "--traces", "2", "--jobs", "1"
EVERY = [
    pytest.param("1", (), id="1-at rest"),
    pytest.param("2", ("--disturb",), id="2-disturbed"),
    pytest.param("1", ("--disturb",), id="1-disturbed", marks=pytest.mark.dear),
    pytest.param("2", (), id="2-at rest", marks=pytest.mark.dear),
]


def simulate(folder, *words):
    ran = gomboc(*SMALL, "--output", folder, *words)
    assert (ran.code, ran.err) == (0, ""), ran
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.jsonl"))}


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """Simulates with a seed, disturbed or at rest, once each; returns the folder and its traces."""

    @cache
    def runs(seed, *words):
        folder = tmp_path_factory.mktemp("simulated") / "traces"
        return folder, simulate(folder, "--seed", seed, *words)

    return runs


@pytest.mark.parametrize(("seed", "disturbing"), EVERY)
def test_each_layer_holds_and_they_join(seed, disturbing, simulated):
    folder, traces = simulated(seed, *disturbing)
    layers = {f"{layer}/{topic}.jsonl" for layer, topic in STACKED}
    beneath = {f"skip_plus/{topic}.jsonl" for _, topic in STACKED}
    assert set(traces) == {f"00000{run}/{layer}" for run in (0, 1) for layer in layers | beneath}
    ran = gomboc("check", folder)
    assert (ran.code, ran.out.count("layers: holds: all of "), ran.err) == (0, 2, ""), ran


def test_the_seed_decides_everything_and_nodes_come_in_turn(simulated, tmp_path):
    once, other = (simulated(seed, "--disturb")[1] for seed in ("1", "2"))
    again = simulate(tmp_path / "again", "--seed", "1", "--disturb")
    # A run that differs is not shown: that takes minutes.
    same, different = (
        all(text.split(b"\n", 1)[1] == run[name].split(b"\n", 1)[1] for name, text in once.items())
        for run in (again, other)
    )
    assert (same, different) == (True, False)
    heads = [json.loads(once[f"00000{run}/skip_plus/:directory:.jsonl"].split(b"\n", 1)[0]) for run in (0, 1)]
    assert [len(head["roles"]) for head in heads] == [3, 5]
    assert [head["origin"]["run"] for head in heads] == [0, 1]


def test_a_disturbed_run_has_crashes_and_leaves_and_one_at_rest_has_none(simulated):
    _, disturbed = simulated("1", "--disturb")
    _, at_rest = simulated("1")
    for kind in (b'{"kind":"Crash"}', b'{"kind":"Unsubscribe"'):
        assert any(kind in text for text in disturbed.values())
        assert not any(kind in text for text in at_rest.values())


def test_a_disturbed_run_has_twenty_actions_of_its_applications():
    with patch.object(Applications, "_act") as act:
        Applications(StackPlan(STACK, (3,), 1, 1), 0).disturb()
    assert act.call_count == 20


def test_a_folder_is_replaced_only_if_that_is_wanted(simulated, tmp_path):
    folder = shutil.copytree(simulated("1")[0], tmp_path / "traces")
    says = f"gomboc: {folder}: there is something already; choose another --output, or --overwrite it.\n"
    assert refused(*SMALL, "--output", folder) == says
    ran = gomboc(*SMALL, "--traces", "1", "--output", folder, "--overwrite")
    assert ran.code == 0
    assert ran.out.startswith(f"{folder}: 6 traces, ")
    assert sorted(path.name for path in folder.iterdir()) == [MARKER, "000000"]


def test_parameters_are_those_of_the_layer_that_publishes(tmp_path):
    traces = simulate(tmp_path / "traces", "--traces", "1", "--parameter", "keep=2")
    head = json.loads(traces["000000/dissemination/news.jsonl"].split(b"\n", 1)[0])
    assert head["parameters"] == {"key_bits": 32, "keep": 2}
