"""Pages run: their commands are executed, and their links and files are there."""

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gomboc.checker.report.table import HEADINGS
from tests.checker.cli.command import Ran, gomboc
from tests.checker.own import own_modules

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ("README.md", "checker/USAGE.md", "checker/OWN_PROTOCOL.md", "impl/README.md")
"""The pages with commands that are executed."""
OF_THE_CHECKOUT = PAGES[:2]
"""The pages with commands that read the checkout's traces, and name its `.venv`."""
CALLS = re.compile(r"((\.venv/bin/)?gomboc [^$*|&;<>`]+\n)+")
"""A block that needs no shell."""
Run = Callable[[str, Path], tuple[int, str]]
ENOUGH = 300
"""Seconds; a hanging command fails, a slow machine does not."""


def blocks(page):
    """The blocks of commands of a page, in order, each with the exit code that its fence states, as in ```sh exit=1."""
    stated = re.findall(r"^```sh(?: exit=(\d))?\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [(int(code or 0), block) for code, block in stated]


@pytest.fixture(scope="module", params=PAGES)
def page_and_home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A page, and a folder in which its commands can write."""
    folder = tmp_path_factory.mktemp("page")
    for name in (".venv", "traces") if request.param in OF_THE_CHECKOUT else ():
        (folder / name).symlink_to(ROOT / name)
    return ROOT / request.param, folder


def test_the_readme_has_commands():
    assert len(blocks(ROOT / "README.md")) >= 5


def in_a_shell(block: str, home: Path) -> tuple[int, str]:
    """The exit code and the output of a block in a shell, as a reader runs it."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    words, environment = ["bash", "-euo", "pipefail", "-c", block], {**os.environ, "NO_COLOR": "1", "PATH": path}
    done = subprocess.run(words, cwd=home, env=environment, capture_output=True, text=True, timeout=ENOUGH, check=False)
    return done.returncode, done.stdout + done.stderr


def in_this_process(block: str, home: Path) -> tuple[int, str]:
    """The same of a block of plain calls of gomboc, without what it costs to start it and its processes."""
    ran = Ran(0, "", "")
    with own_modules(home):
        for line in block.splitlines():
            ran = ran if ran.code else gomboc(*shlex.split(line)[1:])
    return ran.code, ran.out + ran.err


@pytest.mark.parametrize("run", [in_this_process, pytest.param(in_a_shell, marks=pytest.mark.dear)])
def test_every_command_of_a_page_runs_as_often_as_one_likes(page_and_home: tuple[Path, Path], run: Run):
    page, home = page_and_home
    if not (ROOT / ".venv" / "bin" / "gomboc").exists():
        pytest.fail("the README's commands need .venv; run the tests with make test")
    for code, block in blocks(page):
        ended, output = (run if CALLS.fullmatch(block) else in_a_shell)(block, home)
        assert ended == code, f"{block}\n{output}"


@pytest.mark.parametrize("page", PAGES)
def test_a_block_that_states_an_exit_code_is_one_command(page: str):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert "|| test $?" not in text, "state the exit code in the fence: ```sh exit=1"
    assert text.count("```sh") == len(blocks(ROOT / page))
    assert all(block.count("\n") == 1 for code, block in blocks(ROOT / page) if code)


def test_the_first_page_has_at_most_160_lines():
    assert len(README.splitlines()) <= 160


def shown(page):
    """The outputs that a page shows, block by block."""
    return re.findall(r"```text\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def test_the_first_page_shows_what_the_judge_says_to_the_letter():
    explanation, _ = shown(ROOT / "README.md")
    words = ["check", "traces/skip_ring/send_left_out.bad.jsonl"]
    done = subprocess.run(
        [ROOT / ".venv" / "bin" / "gomboc", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith(explanation)


def test_the_first_page_shows_the_table_as_it_is_drawn():
    _, drawn = shown(ROOT / "README.md")
    headings, *rows = drawn.splitlines()
    assert re.split(r"  +", headings.strip()) == [*HEADINGS]
    assert [row.split()[0] for row in rows] == ["2", "3", "4", "all"]


def test_before_its_commands_the_first_page_explains_at_most_eight_words():
    before, _, _ = README.partition("## Set-up")
    assert 0 < len(set(re.findall(r"\*([A-Za-z]+)\*", before)) - {"any"}) <= 8


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("[sict]*/**/*.md")), ids=str)
def test_every_link_leads_somewhere(page: Path):
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", text)
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert not missing, f"{page} links to {missing}, which is not there"


@pytest.mark.parametrize("page", ["README.md", ".github/CONTRIBUTING.md"])
def test_every_place_on_the_maps_is_there(page: str):
    places = re.findall(r"`((?:spec|impl|checker|tests|traces)/[^`\s<*]*)`", (ROOT / page).read_text(encoding="utf-8"))
    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("command", re.findall(r"^    make (\w+)", README, re.MULTILINE))
def test_the_two_commands_are_targets_of_the_makefile(command: str):
    assert re.search(rf"^{command}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_ci_runs_the_test_command_of_the_readme():
    assert "make test" in README
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("make test")
