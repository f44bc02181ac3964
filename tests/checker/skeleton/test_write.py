"""`gomboc new-protocol` writes a protocol whose own tests pass, in a project of its own and in a checkout."""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from gomboc.checker.gate import running
from gomboc.checker.skeleton.write import TEMPLATE, checkout, files, project
from tests.checker.cli.command import gomboc, refused
from tests.checker.gate.project import done_here
from tests.checker.own import own_modules
from tests.installed import declared, forget, install
from tests.tree.mirrors import table
from tests.tree.test_template import TEMPLATE as FILES

ROOT = Path(__file__).resolve().parents[3]


def run(root: Path, path: Path, *words: str) -> str:
    """The output of a command in a folder, which must succeed; `path` comes first where Python looks for modules."""
    environment = {**os.environ, "PYTHONPATH": str(path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", *words], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def ferry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of a protocol `ferry`, as it is written."""
    root = tmp_path_factory.mktemp("projects") / "ferry"
    written = gomboc("new-protocol", "ferry", "--into", root)
    assert (written.code, written.err) == (0, "")
    assert written.out == f"{root}: 21 files. Next:\n  pip install -e {root}\n  pytest {root}/tests\n"
    install("ferry", declared(root), root)
    return root


@pytest.fixture
def installed(ferry: Path) -> Iterator[Path]:
    """The current folder, in a process in which the protocol is found by its entry points."""
    with own_modules(ferry, (str(ferry),)):
        forget()
        yield ferry
    forget()


def test_the_tests_of_a_project_that_was_just_written_pass(ferry: Path) -> None:
    assert "6 passed" in run(ferry, ferry, "pytest", "-q", "-p", "no:cacheprovider", "tests")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("check --expect traces", "1 trace, 0 not as expected."),
        ("explore ferry --recorded", "  as recorded\n"),
        ("errata ferry", "1 claim: 1 reproduced; all as recorded."),
    ],
)
def test_its_golden_trace_its_model_and_its_claim_are_as_they_say(installed: Path, words: str, says: str) -> None:
    ran = gomboc(*words.split())
    assert (ran.code, ran.err) == (0, "")
    assert says in ran.out


def test_its_gate_judges_what_it_simulates(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_done", done_here)
    output = ("--output", tmp_path / "gate")
    assert "replay: holds (" in gomboc("gate", "--stage", "simulate", "--stage", "replay", *output).out


def test_it_is_formatted_and_linted(ferry: Path) -> None:
    run(ferry, ROOT, "ruff", "format", "--check", "--line-length", "120", ".")
    run(ferry, ROOT, "ruff", "check", "--line-length", "120", "--select", "E,F,I", ".")


def test_its_types_are_right(ferry: Path) -> None:
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'skeleton'}"  # the packages of gomboc are in it
    run(ferry, ROOT / ".package", "mypy", "--strict", "--config-file=", cache, "-p", "ferry")


def assert_mirrors_name(root: Path, test: str) -> None:
    """The table of a checkout has the lines of a protocol `ferry`, in order, and all lines that it had."""
    named = tomllib.loads((root / "tests" / "tree" / "mirrors.toml").read_text())
    assert [*named] == sorted(named)
    assert named == table() | {"impl/protocols/ferry": test, "spec/protocols/ferry": test}
    assert (root / "tests" / "tree" / "mirrors.toml").read_text().startswith("# The test file that covers a module")


def test_in_a_checkout_each_part_is_on_the_floor_of_its_kind(tmp_path: Path) -> None:
    root, packages = tmp_path / "checkout", tmp_path / "path" / "gomboc"
    shutil.copytree(ROOT / ".package" / "gomboc", packages, symlinks=True)
    for side in ("spec", "impl", "checker"):
        (packages / side).unlink(missing_ok=True)
        # Links, which cost less than copies; with the bytecode, which would be compiled anew.
        shutil.copytree(ROOT / side, root / side, copy_function=os.symlink)
        (packages / side).symlink_to(root / side)
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "tests" / "tree").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "tree" / "mirrors.toml", root / "tests" / "tree")
    (root / "tests" / "spec" / "protocols").mkdir(parents=True)
    for test in ("test_values.py", "test_faults.py", "test_every_protocol.py", "cases.py"):
        shutil.copy(ROOT / "tests" / "spec" / "protocols" / test, root / "tests" / "spec" / "protocols")
    assert gomboc("new-protocol", "ferry", "--into", root).code == 0
    run(
        root,
        ROOT,
        "ruff",
        "check",
        *(folder for folder in checkout("ferry").folders.values() if "traces" not in folder),
    )
    assert_mirrors_name(root, "tests/spec/protocols/ferry/test_ferry.py")
    assert declared(root)["gomboc.evidence"]["ferry"] == "gomboc.checker.evidence.ferry:EVIDENCE"
    assert [*declared(root)["gomboc.evidence"]] == sorted(declared(root)["gomboc.evidence"])
    install("ferry", declared(root), root)
    tests = root / "tests" / "spec" / "protocols" / "ferry"
    path = f"{packages.parent}{os.pathsep}{root}"
    every = (
        "../test_values.py",
        "../test_faults.py",
        "../test_every_protocol.py",
        "-k",
        "ferry",
        "--rootdir",
        str(tests),
    )
    says = run(tests, Path(path), "pytest", "-q", "-p", "no:cacheprovider", ".", *every)
    own, values, faults, every_protocol = 6, 5 + 1, 4, 3
    assert f"{own + values + faults + every_protocol} passed" in says


@pytest.mark.parametrize("layout", [project("ferry"), checkout("ferry")], ids=["project", "checkout"])
def test_a_skeleton_has_the_files_of_the_template_and_no_other(layout) -> None:
    written = set(files("ferry", layout))
    for side in ("spec", "impl"):
        needed = {f"{layout.folders[side]}/{file}.py" for file in FILES[side]["needed"]}
        assert {
            path for path in written if path.startswith(f"{layout.folders[side]}/") and path[-3:] == ".py"
        } == needed
        assert f"{layout.folders[side]}/README.md" in written
    assert not any("example" in text for text in files("ferry", layout).values())


def test_a_name_may_have_the_name_of_the_template_in_it() -> None:
    texts = files("my_example_2", project("my_example_2"))
    assert "from my_example_2.spec import PROTOCOL" in texts["tests/test_my_example_2.py"]
    assert 'my_example_2 = "my_example_2.spec:PROTOCOL"' in texts["pyproject.toml"]
    assert not any("my_my" in text for text in texts.values())


def test_a_skeleton_is_small() -> None:
    assert sum(path.read_text().count("\n") for path in TEMPLATE.rglob("*.txt")) < 600


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Ferry", "'Ferry' is no name of a protocol: use small letters, digits and _, a letter first."),
        ("2pc", "'2pc' is no name of a protocol: use small letters, digits and _, a letter first."),
        ("class", "'class' is no name of a protocol: use small letters, digits and _, a letter first."),
        ("chord", "There is a protocol 'chord' already: choose another name."),
        ("json", "'json' is the name of another package: choose another name."),
        ("click", "'click' is the name of another package: choose another name."),
        ("test", "'test' is the name of another package: choose another name."),
    ],
)
def test_a_name_that_no_protocol_can_have_is_refused(tmp_path: Path, name: str, why: str) -> None:
    assert refused("new-protocol", name, "--into", tmp_path / "new") == f"gomboc: {why}\n"
    assert not (tmp_path / "new").exists()


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    says = f"{tmp_path / 'README.md'} is there already: remove it, or choose another folder or name."
    assert refused("new-protocol", "ferry", "--into", tmp_path) == f"gomboc: {says}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_a_skeleton_that_cannot_be_written_whole_leaves_nothing(tmp_path):
    (tmp_path / "new" / "traces").mkdir(parents=True)
    (tmp_path / "new" / "traces" / "boat").write_text("mine")
    assert refused("new-protocol", "boat", "--into", tmp_path / "new").startswith("gomboc: ")
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == [
        "new",
        "new/traces",
        "new/traces/boat",
    ]
