"""The action for GitHub: its steps are those of the page, and the step that runs the gate does so in a shell."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.checker.gate.project import change, project

ROOT = Path(__file__).resolve().parents[3]
ACTION = (ROOT / "checker" / "gate" / "action.yml").read_text(encoding="utf-8")
SCRIPT = re.search(r"      run: \|\n((?: {8}.*\n)+)", ACTION)


def run_step(folder, stages):
    """The result of the step that runs the gate, in a shell as GitHub starts it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PROJECT": str(folder), "STAGES": stages}
    words = [shutil.which("bash"), "--noprofile", "--norc", "-eo", "pipefail", "-c", SCRIPT[1]]
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(
    shutil.which("bash") is None, reason="there is no bash, in which GitHub runs the steps of an action"
)
def test_the_step_fails_as_the_gate_does_and_annotates(tmp_path):
    index = project(tmp_path)
    assert run_step(index, "check").returncode == 0
    change(index, "recorded/two_lamps.jsonl", '"took":2,"state":{"number":2', '"took":2,"state":{"number":0')
    ran = run_step(index, "check")
    assert ran.returncode == 1
    assert ran.stdout.startswith("::error file=recorded/two_lamps.jsonl,line=3,")


def test_every_input_is_used_and_none_is_pasted_into_a_script():
    names = re.findall(r"^  ([a-z-]+):\n    description:", ACTION, re.MULTILINE)
    used = re.findall(r"\$\{\{ inputs\.([a-z-]+) \}\}", ACTION)
    assert set(names) == set(used)
    assert "${{" not in SCRIPT[1]


def test_the_extras_that_it_installs_are_there():
    extras = re.search(r"default: (packs,\S+)", ACTION)[1].split(",")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{extra} = [" in text for extra in extras)


def test_the_wheel_and_the_sources_have_it():
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert all("checker" in targets[target]["only-include"] for target in ("wheel", "sdist"))
