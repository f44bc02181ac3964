"""A disk that is full while a command writes: one sentence, exit code 2, and nothing that looks complete."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gomboc.checker.judge.verdict import HOLDS, USAGE

REFUSING_TO_GROW = """
import resource, sys
from gomboc.checker.cli import main
if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
    sys.argv[0] = "gomboc"
    main()
"""

TRACE = Path(__file__).parents[5] / "traces/skip_ring/send_left_out.bad.jsonl"

SIMULATE = ("simulate", "skip_ring", "--traces", "4", "--nodes", "2", "--settle", "0")
FULL_DISKS = {
    "simulate": (*SIMULATE, "--jobs", "1"),
    "simulate into packs": (*SIMULATE, "--into", "packs", "--jobs", "1"),
    "simulate into packs in processes": (*SIMULATE, "--into", "packs", "--pack-size", "1", "--jobs", "2"),
    "replay": ("replay", "{corpus}", "--jobs", "1"),
    "replay in processes": ("replay", "{corpus}", "--jobs", "2"),
    "export": ("export", "{corpus}"),
    "report": ("report", "{trace}"),
    "ingest in processes": ("ingest", "{trace}", "--pack-size", "1", "--jobs", "2"),
}


OUTPUTS = {"report": "output/page.html"}
"""The output of a command that writes a file."""

QUICK = "simulate", "replay in processes", "export", "report"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, id=name, marks=() if name in QUICK else pytest.mark.dear)
        for name, words in FULL_DISKS.items()
    ],
)
def test_a_disk_that_is_full_is_one_sentence_and_nothing_looks_complete(small, tmp_path, words):
    program = tmp_path / "program.py"
    program.write_text(REFUSING_TO_GROW)
    command = [sys.executable, program, "100", *(word.format(corpus=small, trace=TRACE) for word in words)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[5])}
    command += ["--output", OUTPUTS.get(words[0], "output")]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    output = [line for line in ran.stderr.splitlines() if line.startswith("gomboc: ")]
    assert (ran.returncode, ran.stdout, len(output)) == (USAGE, "", 1), ran.stderr
    assert output[0].endswith(("it cannot be written: File too large.", "cannot be written: File too large."))
    assert "Traceback" not in ran.stderr
    left = {path.name for path in tmp_path.iterdir()} - {"program.py", ".output.unfinished"}
    assert left <= {"output"}
    assert list((tmp_path / "output").rglob("*")) == []


def test_the_limit_of_the_other_test_is_what_makes_it_fail(small, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(REFUSING_TO_GROW)
    command = [sys.executable, program, "1000000", "export", small, "--output", tmp_path / "output"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[5])}
    assert subprocess.run(command, env=environment, check=False, capture_output=True).returncode == HOLDS
