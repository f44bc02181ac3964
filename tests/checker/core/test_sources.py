"""The sources of a user's protocol: every source that it imports, in every form of import."""

import sys

import pytest

from gomboc.checker.core.sources import sources_of


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder from which modules are imported; those that a test imports are forgotten."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(home, **sources):
    """Modules by name, with __ for the separator of packages; every folder becomes a package."""
    for name, text in sources.items():
        path = home.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        for folder in path.relative_to(home).parents:
            (home / folder / "__init__.py").touch()


def names(*modules):
    return [name for name, _ in sources_of(modules)]


IMPORTS = [
    "import own_rules",
    "import own_rules as rules",
    "from own_rules import react",
    "from own_rules import *",
    "def react():\n    import own_rules",
    "try:\n    import own_rules\nexcept ImportError:\n    pass",
    "from importlib import import_module\nimport_module('own_rules')",
    "import importlib\nimportlib.import_module('own_rules')",
    "__import__('own_rules')",
]


@pytest.mark.parametrize("text", IMPORTS)
def test_a_module_beside_it_counts_however_it_is_imported(home, text):
    write(home, own_protocol=text, own_rules="react = 1")
    assert names("own_protocol") == ["own_protocol.py", "own_rules.py"]
    before = sources_of(["own_protocol"])
    (home / "own_rules.py").write_text("react = 2")
    assert sources_of(["own_protocol"]) != before


def test_imports_of_imports_count_and_circles_end(home):
    write(home, own_a="import own_b", own_b="import own_c", own_c="import own_a, own_c")
    assert names("own_a") == ["own_a.py", "own_b.py", "own_c.py"]


def test_a_package_counts_with_its_modules_and_packages_above_its_imports(home):
    write(home, own__model__protocol="from ..rules.laws import law\nfrom . import other", own__model__other="")
    write(home, own__rules__laws="from own import near", own__near="", own__far="", own__rules__unused="")
    there = ["own.model/__init__.py", "own.model/other.py", "own.model/protocol.py"]
    there += ["own.rules/__init__.py", "own.rules/laws.py", "own/__init__.py", "own/near.py"]
    assert names("own.model.protocol") == there


def test_python_and_gomboc_do_not_count_and_installed_ones_by_version(home):
    write(home, own_protocol="import os, json, gomboc.spec.core.model\nimport msgspec, networkx.algorithms")
    there = names("own_protocol")
    assert [name.partition(" ")[0] for name in there] == ["msgspec", "networkx", "own_protocol.py"]
    assert all(name.split()[1:] for name in there[:2])


@pytest.mark.parametrize(
    "text", ["import nowhere.at_all", "from ... import beyond", "this is no Python", "import_module('..')"]
)
def test_an_unimportable_module_adds_nothing(home, text):
    write(home, own_protocol=text)
    assert names("own_protocol") == ["own_protocol.py"]


def test_no_module_is_run_to_be_read(home):
    write(home, own_protocol="import own_rules", own_rules="raise SystemExit(0)")
    assert names("own_protocol") == ["own_protocol.py", "own_rules.py"]


def test_nothing_named_has_no_sources():
    assert sources_of([]) == ()
