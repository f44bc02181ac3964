"""No output replaces the input that it is made of, under any names of the two."""

import shutil
from pathlib import Path

import pytest

from tests.checker import ring
from tests.checker.cli.command import gomboc, refused


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Traces that gomboc wrote, in lines and in packs, and one that does not hold."""
    made = tmp_path_factory.mktemp("made") / "all"
    for words in (("--output", made / "lines"), ("--output", made / "packs", "--into", "packs")):
        assert gomboc("simulate", "skip_ring", "--nodes", "2", "--traces", "3", *words).code == 0
    (made / "lie.jsonl").write_bytes(ring.VIOLATED)
    return made


@pytest.fixture
def corpora(made, tmp_path, monkeypatch):
    """A copy of these traces in a folder below the one in which commands are called, and links to it."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(made, "all")
    Path("link").symlink_to("all/lines")
    Path("above").symlink_to("all")
    Path("all/lie.html").symlink_to("lie.jsonl")
    return tmp_path


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()}


FOLDERS = [
    ("replay", "all/lines", "all/lines"),
    ("replay", "all/lines", "link"),
    ("replay", "link", "all/lines"),
    ("replay", "link", "all/../link"),
    ("replay", "all/lines", "all"),
    ("replay", "all/lines", "above"),
    ("replay", "link", "above"),
    ("replay", "all/packs", "all/packs"),
    ("replay", "all/packs", "all"),
    ("replay", "all/packs", "all/packs/000000.pack"),
    ("ingest", "all/lines", "all/lines"),
    ("ingest", "link", "all/lines"),
    ("ingest", "all/lines/skip_ring-000000.jsonl", "link"),
    ("ingest", "all/lines", "above"),
]


@pytest.mark.parametrize(("command", "source", "output"), FOLDERS)
def test_a_folder_that_is_read_is_not_replaced(corpora, command, source, output):
    before = everything(corpora)
    said = refused(command, source, "--output", output, "--overwrite")
    assert said.startswith(f"gomboc: {output}: ")
    assert said.endswith(" is read from there, and would be lost; choose another --output.\n")
    assert everything(corpora) == before


@pytest.mark.parametrize("output", ["all/packs", "all/packs/within", "above/packs"])
@pytest.mark.parametrize("words", [(), ("--as", "itf")])
def test_nothing_is_exported_into_the_corpus_that_is_read(corpora, output, words):
    before = everything(corpora)
    said = refused("export", "all/packs", "--output", output, *words)
    assert said == f"gomboc: {output}: it lies in all/packs, which is read; choose another --output.\n"
    assert everything(corpora) == before


@pytest.mark.parametrize(
    "words",
    [
        ("shrink", "all/lie.jsonl", "--output", "all/lie.jsonl"),
        ("shrink", "all/lie.html", "--output", "all/lie.jsonl"),
        ("shrink", "all/lie.jsonl", "--output", "all/lie.html"),
        ("report", "all/lie.jsonl", "--output", "all/lie.html"),
        ("report", "all/lie.html", "--output", "above/lie.html"),
    ],
)
def test_a_file_that_is_read_is_not_replaced(corpora, words):
    before = everything(corpora)
    assert " is read from there, and would be lost; " in refused(*words, "--overwrite")
    assert everything(corpora) == before


def test_verdicts_within_the_folder_of_their_traces_are_made_anew(corpora):
    for _ in range(2):
        assert gomboc("replay", "all/lines", "--output", "all/lines/verdicts", "--overwrite").code == 3
    for _ in range(2):
        assert gomboc("replay", "all/packs", "--output", "all/packs/verdicts", "--overwrite").code == 3


LOOPS = [
    ("replay", "{}"),
    ("replay", "all/lines", "--output", "{}"),
    ("check", "{}"),
    ("ingest", "all/lines", "--output", "{}"),
    ("export", "all/packs", "--output", "{}"),
    ("report", "all/lie.jsonl", "--output", "{}"),
    ("shrink", "all/lie.jsonl", "--output", "{}"),
    ("simulate", "skip_ring", "--output", "{}"),
]


@pytest.mark.parametrize("words", LOOPS, ids=" ".join)
def test_a_link_that_leads_back_to_itself_is_refused(corpora, words):
    Path("about.html").symlink_to("round.html")
    Path("round.html").symlink_to("about.html")
    for loop in ("round.html", "round.html/below"):
        said = refused(*(word.format(loop) for word in words))
        assert f"'{loop}' is a link that leads back to itself: remove it, or choose another" in said
