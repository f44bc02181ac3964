"""The wheel: what it needs by itself, what each extra is for, and what the bare wheel does and refuses."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from gomboc.checker.errors import EXTRAS

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {"z3": "z3-solver", "flint": "python-flint", "py4j": "pyspark"}
"""Packages whose distributions have another name, or that come with another one."""

LIES = ROOT / "traces" / "skip_ring" / "send_left_out.bad.jsonl"


COUNTDOWN = """
from gomboc.spec.model import Kind, Model, Promise

MODEL = Model(
    name="countdown",
    initial=lambda: range(4),
    enabled=lambda left: (left,) if left else (),
    step=lambda left, action: left - 1,
    actor=lambda action: "clock",
    promises=(Promise(Kind.EVENTUALLY, "it_ends", lambda left: left == 0, "nowhere"),),
)
"""


def distributions(requirements):
    """The distributions that requirements name, those of other extras of ours included."""
    for requirement in requirements:
        if extras := re.match(r"gomboc\[(.*)\]", requirement):
            for extra in extras[1].split(","):
                yield from distributions(PROJECT["optional-dependencies"][extra])
        else:
            yield re.match(r"[A-Za-z0-9-]+", requirement)[0]


def imported(package):
    """Every module outside of the standard library that a package of ours imports, and in which file."""
    for path in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names.append(node.module)
            for top in {name.split(".")[0] for name in names} - {*sys.stdlib_module_names, "spec", "impl", "checker"}:
                yield top, path.relative_to(ROOT).as_posix()


def undeclared(imports, extras=EXTRAS):
    """What is wrong with what is imported, in sentences: each package is declared, by the wheel or by an extra."""
    bare = set(distributions(PROJECT["dependencies"]))
    for top, path in imports:
        if top in bare:
            continue
        if top not in extras:
            yield f"{path} imports {top}, which is no dependency, and no extra in checker/errors.py brings it."
        elif DISTRIBUTIONS.get(top, top) not in distributions(PROJECT["optional-dependencies"][extras[top]]):
            yield f"{path} imports {top}, which the extra {extras[top]!r} of pyproject.toml does not bring."


def test_whatever_is_imported_is_declared():
    found = [*undeclared(each for package in ("spec", "impl", "checker") for each in imported(package))]
    assert not found, "\n".join(found)


def test_an_undeclared_import_would_be_found():
    assert [*undeclared([("numpy", "checker/new.py"), ("requests", "checker/new.py")], {"numpy": "prove"})] == [
        "checker/new.py imports numpy, which the extra 'prove' of pyproject.toml does not bring.",
        "checker/new.py imports requests, which is no dependency, and no extra in checker/errors.py brings it.",
    ]


def test_the_set_up_installs_every_extra():
    (said,) = set(re.findall(r"'\.\[([a-z,]+)\]'", (ROOT / ".ci" / "setup").read_text(encoding="utf-8")))
    assert said.split(",") == [*PROJECT["optional-dependencies"]]


def test_constraints_name_every_distribution_that_an_extra_brings():
    constrained = re.findall(
        r"^([A-Za-z0-9_-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    wanted = {*distributions(PROJECT["dependencies"]), *distributions(PROJECT["optional-dependencies"]["test"])}
    assert wanted <= set(constrained), wanted - set(constrained)


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An environment of its own with the bare wheel in it, and nothing that an extra brings."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home / "env", with_pip=True)
    python = home / "env" / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    for words in ([*pip, "--constraint", ROOT / "constraints.txt", ROOT],):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def gomboc(*words):
        """What the installed command answers."""
        called = [python.with_name("gomboc"), *map(str, words)]
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(called, cwd=home, env=clean, capture_output=True, text=True, check=False)

    gomboc.home = home
    return gomboc


def test_the_bare_wheel_simulates_and_judges(bare):
    made = bare("simulate", "skip_ring", "--nodes", "2", "--output", "runs")
    assert (made.returncode, made.stderr) == (0, "")
    judged = bare("check", "runs/skip_ring-000000.jsonl", LIES)
    assert (judged.returncode, judged.stderr) == (1, "")
    assert "violated at step" in judged.stdout


def test_the_bare_wheel_explores_with_values(bare):
    (bare.home / "countdown.py").write_text(COUNTDOWN)
    explored = bare("explore", "countdown:MODEL", "--format", "json")
    assert (explored.returncode, explored.stderr) == (0, "")
    assert json.loads(explored.stdout)["states"] == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ingest", LIES, "--output", "corpus"), "gomboc ingest needs the package {packs}"),
        (("export", "corpus", "--output", "out"), "gomboc export needs the package {packs}"),
        (("replay", ROOT / "traces" / "skip_ring", "--output", "out"), "gomboc replay needs the package {packs}"),
        (("simulate", "skip_ring", "--into", "packs", "--output", "out"), "gomboc simulate needs the package {packs}"),
        (("explore", "skip_ring", "--engine", "table"), "The table-driven explorer needs the package {explore}"),
        (("prove",), "gomboc prove needs the package {prove}"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_the_bare_wheel_says_which_extra_a_command_lacks(bare, words, sentence):
    ran = bare(*words)
    extra = re.search(r"\{(packs|spark|explore|prove)\}", sentence)[1]
    packages = "|".join(EXTRAS)
    told = sentence.format_map({extra: f"({packages})"})
    assert re.fullmatch(rf"gomboc: {told}: pip install 'gomboc\[{extra}\]'\.\n", ran.stderr), ran.stderr
    assert (ran.returncode, ran.stdout) == (2, "")
