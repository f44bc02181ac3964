"""The floors of each package: no folder imports a floor above its own, and none holds too many files."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.tree.test_architecture import OFFENCES, PACKAGES, imports, sources

pytestmark = pytest.mark.xdist_group("imports")

ROOT = Path(__file__).resolve().parents[2]

FLOORS = {
    "spec": ("core", "types", "publishing", "layers", "protocols"),
    "impl": ("core", "publishing", "runtime", "protocols", "api"),
    "checker": (
        *("core", "traces", "judge", "distinct", "summary", "replay", "shrink", "stacks", "simulate", "explore"),
        *("prove", "errata", "report", "evidence", "testing", "gate", "skeleton", "cli", "pytest_plugin"),
    ),
}
"""The folders of each package, the lowest first. The package's own `__init__` stands above all of them."""

MOST_FILES = 15
"""Files of a folder that are not one protocol's."""

OF_AN_OVERLAY = {
    *("supervisor", "supervisors", "subscriber", "subscribers", "database", "skip", "ring", "rings"),
    *("label", "labels", "shortcut", "shortcuts", "linearize", "predecessor", "successor"),
}
"""Words that one overlay or another uses of itself."""
OF_APPLICATIONS = frozenset(
    ["publish", "publisher", "publication", "publications", "subscribe", "subscribed", "unsubscribe"]
)
"""Words of publications, of which the runtime knows nothing."""


def upward(path, text):
    """Imports of a file at `path` (parts below the root) that lead to a floor above its own, each in a sentence."""
    package, floor = path[0], path[1].removesuffix(".py")
    if len(path) == 2 and floor == "__init__":
        return
    floors = FLOORS[package]
    for module in imports(text):
        parts = module.split(".")
        if parts[:2] != ["gomboc", package] or len(parts) < 3:
            continue
        if floor not in floors:
            yield f"{'/'.join(path)} is on no floor of {package}: add its folder to FLOORS."
            return
        if floors.index(parts[2]) > floors.index(floor):
            yield f"{'/'.join(path)} imports {module}, which stands on a higher floor of {package}."
        if package != "checker" and floor == parts[2] == "protocols" and len(parts) > 3 and path[2] != parts[3]:
            yield f"{'/'.join(path)} imports {module}, but a protocol imports no other protocol."


def words(text):
    """Every word of a source text, also those that a name is made of, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)}


def foreign_words(path, text):
    """Words in a file of `impl` that belong to one overlay or to a floor that it does not know, in sentences."""
    if path[0] != "impl" or path[1] == "protocols":
        return
    for word in sorted(words(text) & OF_AN_OVERLAY):
        yield f"{'/'.join(path)} says {word!r}, but that is a word of one overlay; every overlay has a folder."
    if path[1] == "runtime":
        for word in sorted(words(text) & OF_APPLICATIONS):
            yield f"{'/'.join(path)} says {word!r}, but the runtime does not know what an overlay is for."


def every():
    """Every product file: its parts below the root, and its text."""
    return [source for package in PACKAGES for source in sources(package)]


def test_no_import_leads_to_a_higher_floor():
    sentences = [sentence for path, text in every() for sentence in upward(path, text)]
    assert not sentences, "\n".join(sentences)


def test_no_floor_of_impl_says_a_word_of_an_overlay():
    sentences = [sentence for path, text in every() for sentence in foreign_words(path, text)]
    assert not sentences, "\n".join(sentences)


def crowded(paths):
    """The folders that hold more files than one can take in, protocols' own excepted, with their numbers."""
    counts = Counter(path[:-1] for path in paths if not {"protocols", "evidence"} & set(path[1:3]))
    return {"/".join(folder): count for folder, count in counts.items() if count > MOST_FILES}


def test_no_folder_holds_more_files_than_can_be_taken_in():
    tests = (path.relative_to(ROOT).parts for path in (ROOT / "tests").rglob("*.py"))
    assert crowded(path for path in (*(path for path, _ in every()), *tests) if path[-1] != "__init__.py") == {}


def test_a_crowded_folder_would_be_found():
    assert crowded([("impl", "core", f"{number}.py") for number in range(16)]) == {"impl/core": 16}
    assert crowded([("impl", "protocols", "chord", f"{number}.py") for number in range(16)]) == {}


@pytest.mark.parametrize("case", OFFENCES["floors"], ids=lambda case: case["says"])
def test_a_planted_import_is_found_and_said_in_a_sentence(case):
    assert list(upward(tuple(case["path"].split("/")), case["text"])) == [case["says"]]


@pytest.mark.parametrize("case", OFFENCES["words"], ids=lambda case: case["says"])
def test_a_planted_word_is_found_and_said_in_a_sentence(case):
    assert list(foreign_words(tuple(case["path"].split("/")), case["text"])) == [case["says"]]


def test_allowed_imports_and_words_are_no_offence():
    path = ("impl", "api", "node.py")
    text = "from gomboc.impl.runtime.host import Host\nstring = subscribed(publication)"
    assert not [*upward(path, text), *foreign_words(path, text)]
    assert not list(foreign_words(("impl", "runtime", "host.py"), "spring = during"))


def tables(readme):
    """The files of each floor, as the tables of impl's README name them."""
    found = re.findall(r"^## `(\w+)/`.*?\n(.*?)(?=^## |\Z)", readme, re.DOTALL | re.MULTILINE)
    rows = {floor: [line for line in text.splitlines() if line.startswith("|")] for floor, text in found}
    return {
        floor: {name for row in rows[floor] for name in re.findall(r"`(\w+\.py)`", row.split("|")[1])} for floor in rows
    }


def test_the_page_of_impl_names_each_file_of_each_floor():
    names = {
        floor: {path.name for path in (ROOT / "impl" / floor).glob("*.py")} - {"__init__.py"}
        for floor in FLOORS["impl"]
        if floor != "protocols"
    }
    assert tables((ROOT / "impl" / "README.md").read_text(encoding="utf-8")) == names
