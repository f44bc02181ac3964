"""The two floors of `impl`: machinery knows no facade, and neither knows an overlay. Every rule can fail."""

import re
from pathlib import Path

import pytest

from tests.test_architecture import imports

ROOM = Path(__file__).resolve().parents[2] / "impl"
OF_AN_OVERLAY = {
    *("supervisor", "supervisors", "subscriber", "subscribers", "database", "skip", "ring", "rings"),
    *("label", "labels", "shortcut", "shortcuts", "linearize", "predecessor", "successor"),
}
"""Words that one overlay or another uses of itself."""
OF_APPLICATIONS = frozenset(
    ["publish", "publisher", "publication", "publications", "subscribe", "subscribed", "unsubscribe"]
)
"""Words of the facade, of which machinery knows nothing."""


def floors(readme):
    """The files on each floor, as the README's two tables name them."""
    names = {}
    for floor, text in re.findall(r"^## (Machinery|The facade)\n(.*?)(?=^## |\Z)", readme, re.DOTALL | re.MULTILINE):
        rows = (line for line in text.splitlines() if line.startswith("|"))
        names[floor] = {f"{name}.py" for row in rows for name in re.findall(r"`(\w+)\.py`", row.split("|")[1])}
    return names


README = (ROOM / "README.md").read_text(encoding="utf-8")
MACHINERY, FACADE = floors(README)["Machinery"], floors(README)["The facade"]


def words(text):
    """Every word of a source text, also those that a name is made of, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text)}


def offences(name, text):
    """Violations of a file's layer rules, each in a sentence."""
    said = words(text)
    for word in sorted(said & OF_AN_OVERLAY):
        yield f"impl/{name} says {word!r}, but that is a word of one overlay; every overlay has a folder."
    if name not in MACHINERY:
        return
    for word in sorted(said & OF_APPLICATIONS):
        yield f"impl/{name} says {word!r}, but machinery does not know what an overlay is for."
    for module in imports(text):
        if module.startswith("gomboc.impl.") and f"{module.split('.')[2]}.py" not in MACHINERY:
            yield f"impl/{name} imports {module}, but machinery stands on machinery only."


def test_every_file_is_on_one_floor():
    files = {path.name for path in ROOM.glob("*.py")} - {"__init__.py"}
    assert files == MACHINERY | FACADE
    assert not MACHINERY & FACADE


@pytest.mark.parametrize("name", sorted(MACHINERY | FACADE))
def test_no_floor_knows_what_stands_on_it(name):
    seen = list(offences(name, (ROOM / name).read_text(encoding="utf-8")))
    assert not seen, "\n".join(seen)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        (
            "host.py",
            "from gomboc.impl.api.node import Node",
            "impl/runtime/host.py imports gomboc.impl.api.node, but machinery stands on machinery only.",
        ),
        (
            "host.py",
            "import gomboc.impl.tapestry",
            "impl/runtime/host.py imports gomboc.impl.tapestry, but machinery stands on machinery only.",
        ),
        (
            "trie.py",
            "bits = len(node.own_label)",
            "impl/publishing/trie.py says 'label', but that is a word of one overlay; every overlay has a folder.",
        ),
        (
            "node.py",
            '"""Whom the Supervisor knows."""',
            "impl/api/node.py says 'supervisor', but that is a word of one overlay; every overlay has a folder.",
        ),
        (
            "simulator.py",
            "class PublicationLost: ...",
            "impl/runtime/simulator.py says 'publication', but machinery does not know what an overlay is for.",
        ),
    ],
)
def test_a_planted_offence_is_found_and_said_in_a_sentence(name, text, sentence):
    assert list(offences(name, text)) == [sentence]


def test_what_is_allowed_is_no_offence():
    assert not list(offences("node.py", "from gomboc.impl.runtime.host import Host\nstring = subscribed(publication)"))
    assert not list(offences("host.py", "from gomboc.impl.runtime.clock import Clock\nspring = during"))
