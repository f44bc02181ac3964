"""The first page runs: its commands are executed, and its links and files are there."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
ENOUGH = 300
"""Seconds; a hanging command fails, a slow machine does not."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place in which the README's commands can write, and see the project otherwise."""
    folder = tmp_path_factory.mktemp("readme")
    for name in (".venv", "traces"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def test_the_readme_has_commands():
    assert len(BLOCKS) >= 5


def test_every_command_of_the_readme_runs(home: Path):
    if not (ROOT / ".venv" / "bin" / "gomboc").exists():
        pytest.fail("the README's commands need .venv; run the tests with make test")
    environment = {**os.environ, "NO_COLOR": "1"}
    for block in BLOCKS:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=home,
            env=environment,
            capture_output=True,
            text=True,
            timeout=ENOUGH,
            check=False,
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("[sict]*/**/README.md")), ids=str)
def test_every_link_leads_somewhere(page: Path):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing, f"{page} links to {missing}, which is not there"


@pytest.mark.parametrize("command", re.findall(r"^    make (\w+)", README, re.MULTILINE))
def test_the_two_commands_are_targets_of_the_makefile(command: str):
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_ci_runs_the_test_command_of_the_readme():
    assert "make test" in README
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("make test")
