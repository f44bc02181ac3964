"""The wheel: its own requirements, the purpose of each extra, and the behaviour and refusals of the bare wheel."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from gomboc.checker.core.errors import EXTRAS
from tests.tree.test_architecture import imports, sources

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("spec", "impl", "checker")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {"z3": "z3-solver", "flint": "python-flint", "py4j": "pyspark"}
"""Packages with distributions of another name, or that come with another one."""

LIES = ROOT / "traces" / "skip_ring" / "send_left_out.bad.jsonl"

COUNTDOWN = """
from gomboc.spec.core.model import Kind, Model, Promise

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
    for path, text in sources(package):
        for top in {name.split(".")[0] for name in imports(text)} - {*sys.stdlib_module_names, "gomboc"}:
            yield top, "/".join(path)


def undeclared(modules, extras=EXTRAS):
    """Undeclared imports, in sentences: each package is declared, by the wheel or by an extra."""
    bare = set(distributions(PROJECT["dependencies"]))
    for top, path in modules:
        if top in bare:
            continue
        if top not in extras:
            yield f"{path} imports {top}, which is no dependency, and no extra in checker/core/errors.py brings it."
        elif DISTRIBUTIONS.get(top, top) not in distributions(PROJECT["optional-dependencies"][extras[top]]):
            yield f"{path} imports {top}, which the extra {extras[top]!r} of pyproject.toml does not bring."


@pytest.mark.xdist_group("imports")
def test_whatever_is_imported_is_declared():
    sentences = [*undeclared(module for package in PACKAGES for module in imported(package))]
    assert not sentences, "\n".join(sentences)


def test_an_undeclared_import_would_be_found():
    assert [*undeclared([("numpy", "checker/new.py"), ("requests", "checker/new.py")], {"numpy": "prove"})] == [
        "checker/new.py imports numpy, which the extra 'prove' of pyproject.toml does not bring.",
        "checker/new.py imports requests, which is no dependency, and no extra in checker/core/errors.py brings it.",
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


def built(tree, target, into):
    """The archive of a target (wheel or sdist) that hatchling builds from a tree."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    done = subprocess.run(words, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (archive,) = into.iterdir()
    return archive


def files_of(wheel):
    """Files of a wheel, by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The packages of this tree and their build files, copied without compiled Python files."""
    folder = tmp_path_factory.mktemp("tree")
    for name in (".package", *PACKAGES):
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def wheel(tree, tmp_path_factory):
    """The wheel that is built from that copy."""
    return built(tree, "wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_installs_one_top_level_name(wheel):
    names = files_of(wheel)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"gomboc"}
    sources = {path.relative_to(ROOT).as_posix() for part in PACKAGES for path in (ROOT / part).rglob("*.py")}
    assert {f"gomboc/{name}" for name in sources} <= set(names)


def test_the_wheel_describes_itself_and_names_no_address(wheel):
    (text,) = (content.decode() for name, content in files_of(wheel).items() if name.endswith(".dist-info/METADATA"))
    head, _, description = text.partition("\n\n")
    assert description == (ROOT / "README.md").read_text(encoding="utf-8")
    assert "Classifier: Operating System :: POSIX\n" in head
    assert "http" not in head
    assert "Requires-Dist: rich" not in head


def test_a_wheel_from_the_sdist_and_one_from_a_checkout_without_links_are_the_same(wheel, tree, tmp_path):
    with tarfile.open(built(tree, "sdist", tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "sources", filter="data")
    (sources,) = (tmp_path / "sources").iterdir()
    for name in PACKAGES:
        (tree / ".package" / "gomboc" / name).unlink()
    for source in (sources, tree):
        assert files_of(built(source, "wheel", tmp_path / f"wheel of {source.name}")) == files_of(wheel)


@pytest.mark.parametrize("name", PACKAGES)
def test_no_module_is_loaded_under_two_names(name):
    words = [sys.executable, "-c", f"import {name}"]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    sentence = f"ImportError: there is no top-level package '{name}': import gomboc.{name}"
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (1, sentence)


@pytest.fixture(scope="module")
def bare(tmp_path_factory, wheel):
    """An environment of its own with the bare wheel in it, and nothing that an extra brings."""
    home = tmp_path_factory.mktemp("bare")
    python = home / "env" / "bin" / "python"
    lacks_pip = find_spec("pip") is None  # as an environment of uv does; to install another one takes seconds
    venv.create(home / "env", with_pip=lacks_pip)
    pip = [python if lacks_pip else sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    words = [*pip, "install", "--quiet", "--no-compile", "--constraint", ROOT / "constraints.txt", wheel]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    def gomboc(*words):
        """Output of the installed command."""
        called = [python.with_name("gomboc"), *map(str, words)]
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(called, cwd=home, env=clean, capture_output=True, text=True, check=False)

    gomboc.home = home
    return gomboc


def test_the_bare_wheel_leaves_other_names_alone(bare):
    ours = ", ".join(f"gomboc.{name}" for name in PACKAGES)
    code = f"import {ours}; from importlib.util import find_spec; print(*map(find_spec, {PACKAGES}))"
    python = bare.home / "env" / "bin" / "python"
    ran = subprocess.run([python, "-c", code], cwd=bare.home, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("None None None\n", "")


def test_a_protocol_that_imports_an_old_name_is_told_the_new_one(bare):
    (bare.home / "old.py").write_text("from spec.protocol import Protocol\n")
    ran = bare("explore", "--protocol", "old:PROTOCOL", "old")
    assert ran.stderr == (
        "gomboc: old:PROTOCOL cannot be imported "
        "(ModuleNotFoundError: No module named 'spec'; write gomboc.spec or, if it is yours, put its folder on "
        "PYTHONPATH): fix or install it.\n"
    )
    assert ran.returncode == 2


OWN = {
    "spec/__init__.py": "VALUE = 1\n",
    "impl.py": "VALUE = 2\n",
    "checker/__init__.py": "VALUE = 3\n",
    "test_own.py": "import checker, impl, spec\n\n\ndef test_own():\n"
    "    assert (spec.VALUE, impl.VALUE, checker.VALUE) == (1, 2, 3)\n",
}
"""Packages of a project that has these names itself, and a test that imports them."""


def test_a_project_with_packages_of_these_names_is_tested_gated_and_explored(tmp_path, wheel):
    """The wheel lies on the path, not the checkout; the extras' packages come from this environment."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    project = tmp_path / "project"
    shutil.copytree(ROOT / "tests" / "sample", project, ignore=shutil.ignore_patterns("__pycache__", "build"))
    for name, text in OWN.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("GOMBOC", "PYTEST"))}
    environment = {**clean, "PYTHONPATH": str(tmp_path / "installed"), "GOMBOC_PROTOCOLS": "lamps:PROTOCOL"}

    def ran(*words):
        called = [sys.executable, "-m", *words]
        done = subprocess.run(called, cwd=project, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    assert "2 passed" in ran("pytest", "-q", "-p", "no:cacheprovider", "--gomboc-traces", "recorded", "test_own.py")
    ran("gomboc", "gate", "--stage", "simulate", "--stage", "check", "--stage", "explore")


def test_the_bare_wheel_simulates_and_judges(bare):
    made = bare("simulate", "skip_ring", "--nodes", "2", "--output", "runs")
    assert (made.returncode, made.stderr) == (0, "")
    judged = bare("check", "runs/skip_ring-000000.jsonl", LIES)
    assert (judged.returncode, judged.stderr) == (1, "")
    assert "violated at step" in judged.stdout


def test_the_bare_wheel_brings_claims_and_settles_them(bare):
    settled = bare("errata", "chord", "figure_5b")
    assert settled.returncode == 0, settled.stderr
    assert settled.stdout.splitlines()[-1] == "1 claim: 1 silent; all as recorded."


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
    answer = sentence.format_map({extra: f"({packages})"})
    assert re.fullmatch(rf"gomboc: {answer}: pip install 'gomboc\[{extra}\]'\.\n", ran.stderr), ran.stderr
    assert (ran.returncode, ran.stdout) == (2, "")
