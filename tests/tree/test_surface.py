"""The public names of each package: names that pages import are in `__all__`, and each is that of its module."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SURFACE = ("gomboc.spec", "gomboc.impl", "gomboc.checker", "gomboc.checker.testing")
"""Packages with public names."""
LAZY = SURFACE[:3]
"""Those that import a name when it is first used."""
PAGES = [
    *ROOT.glob("*.md"),
    *(page for part in ("spec", "impl", "checker", "traces") for page in ROOT.glob(f"{part}/**/*.md")),
]


def blocks(text):
    """The parts of a page that are Python: its blocks, and the programs that its commands write."""
    yield from re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    yield from re.findall(r"<<'END'\n(.*?)\nEND\n", text, re.DOTALL)


def imported(text):
    """The names that the Python of a page imports from gomboc, each with its module."""
    for block in blocks(text):
        for node in ast.walk(ast.parse(block)):
            if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "gomboc":
                yield from ((node.module, alias.name) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "gomboc")


def mentioned(text):
    """The names that the prose of a page writes with their modules: `gomboc.spec.Protocol`."""
    for module, name in re.findall(r"`((?:gomboc)(?:\.[a-z_]+)+)\.([A-Z]\w*|[a-z_]+\(\))", text):
        yield module, name.removesuffix("()")


def private(text):
    """The names that a page uses and that are not public."""
    uses = {*imported(text), *mentioned(text)}
    return sorted((module, name) for module, name in uses if module not in SURFACE or not is_public(module, name))


def is_public(module, name):
    return name in import_module(module).__all__


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_use_public_names_only(page):
    assert private(page.read_text(encoding="utf-8")) == []


def test_enough_of_the_pages_is_read():
    uses = {use for page in PAGES for use in imported(page.read_text(encoding="utf-8"))}
    assert {
        ("gomboc.spec", "Protocol"),
        ("gomboc.impl", "overlay"),
        ("gomboc.checker.testing", "assert_stabilises"),
    } <= uses
    assert len(uses) > 25


def test_a_private_name_on_a_page_would_be_found():
    text = "```python\nfrom gomboc.spec.core.model import Send\n"
    text += "from gomboc.spec import Sent\nimport gomboc.impl.api.node\n```\n"
    assert private(f"{text}A `gomboc.impl.api.node.Node` here.") == [
        ("gomboc.impl.api.node", ""),
        ("gomboc.impl.api.node", "Node"),
        ("gomboc.spec", "Sent"),
        ("gomboc.spec.core.model", "Send"),
    ]


@pytest.mark.parametrize("package", LAZY)
def test_each_public_name_has_one_home_and_is_declared_to_type_checkers(package):
    module = import_module(package)
    homes = [(f"{package}.{home}", name) for home, names in module._HOMES.items() for name in names.split()]
    assert sorted(name for _, name in homes) == sorted(module.__all__)
    checked = {
        (node.module, alias.name)
        for block in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        for alias in node.names
    }
    assert checked == set(homes)
    for home, name in homes:
        assert getattr(module, name) is getattr(import_module(home), name)
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.parametrize("package", LAZY)
def test_a_name_that_is_not_there_is_an_attribute_error(package):
    with pytest.raises(AttributeError, match=rf"^module '{package}' has no attribute 'Absent'$"):
        import_module(package).Absent  # noqa: B018


def test_no_public_name_is_that_of_a_module():
    """The import of a submodule would replace the name in its package."""
    for package in LAZY:
        folder = Path(import_module(package).__file__).parent
        assert set(import_module(package).__all__).isdisjoint(path.stem for path in folder.iterdir())


def test_the_packages_import_nothing_by_themselves():
    program = f"import sys, {', '.join(LAZY)}; print(*sorted(m for m in sys.modules if m.startswith('gomboc.')))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == sorted(LAZY)
