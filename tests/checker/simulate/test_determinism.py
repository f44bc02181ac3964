"""The same command gives the same traces, whether or not other settings differ."""

import os
import subprocess
import sys

import pytest

from tests.checker.replay.pack.packs import everything_in

RUN = "from gomboc.checker.cli import main; main()"
PLANS = [
    ("--nodes", "1..4", "--traces", "4", "--seed", "7"),
    pytest.param(
        ("--nodes", "4", "--traces", "2", "--start", "legitimate", "--command", "2:v2:Unsubscribe"),
        marks=pytest.mark.dear,
    ),
    pytest.param(("--nodes", "3", "--traces", "2", "--variant", "printed_linearize"), marks=pytest.mark.dear),
]


def simulated(folder, hash_seed, *arguments):
    """Every trace that the command writes, by name."""
    words = [sys.executable, "-c", RUN, "simulate", "skip_ring", *arguments, "--output", str(folder)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    subprocess.run(words, check=True, capture_output=True, env=environment)
    return everything_in(folder)


@pytest.mark.parametrize("plan", PLANS, ids=" ".join)
def test_traces_do_not_depend_on_the_hash_seed_nor_on_the_number_of_processes(tmp_path, plan):
    traces = simulated(tmp_path / "0", "0", *plan, "--jobs", "1")
    assert len(traces) == int(plan[plan.index("--traces") + 1])
    assert simulated(tmp_path / "1", "1", *plan, "--jobs", "2") == traces


def test_packs_do_not_depend_on_the_hash_seed_nor_on_the_number_of_processes(tmp_path):
    plan = ("--nodes", "1..4", "--traces", "6", "--seed", "7", "--settle", "1", "--into", "packs", "--pack-size", "2")
    packs = simulated(tmp_path / "0", "0", *plan, "--jobs", "1")
    assert sum(name.endswith("pack.json") for name in packs) == 3
    assert simulated(tmp_path / "1", "1", *plan, "--jobs", "2") == packs
