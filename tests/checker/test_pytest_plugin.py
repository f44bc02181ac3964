"""`pytest --gomboc-traces DIR`: a test of each trace, which fails as the judge says."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.checker.cli.command import gomboc

ROOT = Path(__file__).resolve().parents[2]
TRACES = ROOT / "traces" / "skip_ring"


def run_pytest(folder, *words):
    """What pytest says in that folder, in a process of its own, with no other plugin."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "gomboc.checker.pytest_plugin",
        *words,
    ]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "traces").mkdir()
    for name in ("corrupted_database.ok", "send_left_out.bad"):
        shutil.copy(TRACES / f"{name}.jsonl", tmp_path / "traces")
    (tmp_path / "traces" / "unreadable.jsonl").write_text("hello\n")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    return tmp_path


def test_the_plugin_is_installed_with_gomboc():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"gomboc": "gomboc.checker.pytest_plugin"}


def test_each_trace_is_a_test_beside_those_of_the_suite_and_one_that_cannot_be_read_fails(suite):
    ran = run_pytest(suite, "--gomboc-traces", "traces")
    assert ran.returncode == 1
    assert "2 failed, 2 passed" in ran.stdout
    assert "conformance: violated at step 4 at supervisor: subscribe: the step is not what" in ran.stdout
    assert '    took: message 2, {"kind":"Subscribe"' in ran.stdout
    assert "traces/unreadable.jsonl:1: " in ran.stdout
    assert "Traceback" not in ran.stdout


def test_a_folder_without_traces_is_an_error(suite):
    (suite / "empty").mkdir()
    ran = run_pytest(suite, "--gomboc-traces", "empty")
    assert ran.returncode == 4
    assert "ERROR: --gomboc-traces: empty: there is no trace in it; traces are files that end in" in ran.stderr


def test_a_corpus_is_a_test_and_each_kind_of_failure_in_it_another(suite):
    words = f"--variant printed_linearize --nodes 6 --traces 3 --rounds 4 --into packs --output {suite / 'corpus'}"
    assert gomboc("simulate", "skip_ring", *words.split()).code == 0
    ran = run_pytest(suite, "--gomboc-traces", "corpus")
    assert ran.returncode == 1
    assert "2 failed, 1 passed" in ran.stdout
    assert "Verdicts: 2 unknown, 1 violated.\n" in ran.stdout
    assert "unknown: 3 things never happened (see above)" in ran.stdout
    assert "FAILED corpus::introduce_shortcut right" in ran.stdout
    assert "introduce_shortcut: the step is not what the rule 'introduce_shortcut' produces" in ran.stdout
    # Where CI is set, pytest's own summary says each failure whole once more: only what stands before it is counted.
    told, summary, _ = ran.stdout.partition("short test summary info")
    assert summary
    assert told.count("  again: gomboc replay corpus\n") == 2


def test_a_trace_is_run_again_by_its_id_and_chosen_by_its_name(suite):
    listed = run_pytest(suite, "--gomboc-traces", "traces", "--collect-only").stdout
    assert "traces/send_left_out.bad.jsonl::trace\n" in listed
    by_id = run_pytest(suite, "--gomboc-traces", "traces", "traces/corrupted_database.ok.jsonl::trace")
    assert (by_id.returncode, "1 passed" in by_id.stdout) == (0, True), by_id.stdout
    chosen = run_pytest(suite, "--gomboc-traces", "traces", "-k", "send_left_out")
    assert "1 failed, 3 deselected" in chosen.stdout


def test_traces_of_an_own_protocol_are_judged_as_the_table_of_the_project_says(tmp_path):
    lamps = shutil.copytree(ROOT / "tests" / "sample", tmp_path / "lamps")
    ran = run_pytest(lamps, "--gomboc-traces", "recorded")
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr
