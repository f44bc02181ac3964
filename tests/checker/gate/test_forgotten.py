"""A gate that ends with 2 removes the results of an earlier one, for every reason and in every folder."""

import shutil
from itertools import cycle
from pathlib import Path
from unittest.mock import patch

import pytest

from gomboc.checker.gate import running
from tests.checker.cli.command import gomboc
from tests.checker.gate.project import REFUSED, change, done_here, project

pytestmark = pytest.mark.long

SAID = "junit.xml", "gate.json", "report.html"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A project with a gate that held before, and wrote its JUnit XML outside of the output, too."""
    index = project(tmp_path_factory.mktemp("finished"))
    earlier = ("gate", index, "--stage", "check", "--stage", "report")
    with patch.object(running, "_done", done_here):
        assert gomboc(*earlier, "--junit", index / "junit.xml").code == 0
        assert gomboc(*earlier).code == 0
    return index


@pytest.fixture
def held(finished, tmp_path, monkeypatch):
    """A copy of that project."""
    monkeypatch.setattr(running, "_done", done_here)
    index = Path(shutil.copytree(finished, tmp_path / "lamps"))
    monkeypatch.chdir(index)
    assert [*left(), Path("junit.xml")] == [*(Path("build/gomboc", name) for name in SAID), Path("junit.xml")]
    return index


def left():
    return [path for name in SAID if (path := Path("build/gomboc", name)).exists()]


@pytest.mark.parametrize(("name", "form"), [*zip(REFUSED, cycle(["text", "json", "github"]))])
def test_a_table_that_is_refused_leaves_nothing(name, form, held):
    REFUSED[name].plant(held)
    assert gomboc("gate", "--junit", "junit.xml", "--format", form).code == 2
    assert (left(), Path("junit.xml").exists()) == ([], False)


def test_a_pyproject_that_is_gone_or_no_text_leaves_nothing(held):
    Path("pyproject.toml").write_bytes(b"\xff")
    assert gomboc("gate").code == 2
    assert left() == []


@pytest.mark.parametrize(
    "words",
    [
        ("--nope",),
        ("--nope", "5"),
        ("--jobs", "0"),
        ("--jobs", "many"),
        ("--jobs",),
        ("--stage", "nonsense"),
        ("--format", "xml"),
        (".", "another"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("where", ["here", "above", "named"])
def test_words_that_are_refused_leave_nothing(words, where, held, monkeypatch):
    if where == "above":
        monkeypatch.chdir("..")
        words = ("lamps", *words) if words[0] != "." else ("lamps", "another")
        ran = gomboc("gate", "--junit", "lamps/junit.xml", *words)
        monkeypatch.chdir("lamps")
    else:
        named = ("--output", "build/gomboc") if where == "named" else ()
        ran = gomboc("gate", *named, "--junit=junit.xml", *words)
    assert (ran.code, ran.out) == (2, "")
    assert (left(), Path("junit.xml").exists()) == ([], False)


def test_the_xml_that_is_named_is_removed_where_the_output_is_gone(held):
    shutil.rmtree("build")
    change(held, "pyproject.toml", "seed = 5", "sed = 5")
    assert gomboc("gate", "--junit", "junit.xml").code == 2
    assert not Path("junit.xml").exists()


def test_a_stage_that_is_not_asked_for_leaves_nothing(held):
    assert gomboc("gate", "--stage", "prove").code == 2
    assert left() == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("recorded/two_lamps.jsonl", '{"node"', '{"nod'),
        ("lamps.py", "PROTOCOL = Protocol(", "PROTOCOL = Protcol("),
        ("pyproject.toml", '["recorded"]', '["recorded/none"]'),
    ],
    ids=["a trace that is no JSON", "a protocol that cannot be imported", "traces that are not there"],
)
def test_the_files_report_unreadable_input(file, old, new, held):
    change(held, file, old, new)
    assert gomboc("gate", "--stage", "check").code == 2
    assert "<error" in Path("build/gomboc/junit.xml").read_text()
    assert '"verdict": "unreadable"' in Path("build/gomboc/gate.json").read_text()
    assert not Path("build/gomboc/report.html").exists()


def test_files_of_others_stay(held):
    Path("mine").mkdir()
    for name in SAID:
        Path("mine", name).write_text("mine")
    Path("junit.xml").write_text("<mine/>")
    assert gomboc("gate", "--output", "mine", "--junit", "junit.xml", "--nope").code == 2
    assert [Path("mine", name).read_text() for name in SAID] == ["mine"] * 3
    assert Path("junit.xml").read_text() == "<mine/>"
