"""Every protocol has the same files on each side; a further file has its reason on the page of its folder."""

import re
from pathlib import Path

import pytest

from gomboc.spec.core.registry import NEEDED

ROOT = Path(__file__).resolve().parents[2]

TEMPLATE: dict[str, dict[str, tuple[str, ...]]] = {
    "spec": {
        "needed": ("__init__", *NEEDED),
        "optional": (
            *("parameters", "names", "promises", "premise", "environment", "disturbances", "errata", "printed"),
        ),
    },
    "impl": {
        "needed": ("__init__", "core", "states", "messages"),
        "optional": ("commands", "parameters", "port", "names"),
    },
}
"""The modules of a protocol on each side."""

FOLDERS = sorted(
    path.parent.relative_to(ROOT).as_posix()
    for side in TEMPLATE
    for path in (ROOT / side / "protocols").glob("*/__init__.py")
)


def modules(folder: str) -> set[str]:
    """The names of the modules and packages of a folder."""
    return {path.stem for path in (ROOT / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_protocol_has_every_file_that_it_needs(folder: str) -> None:
    assert set(TEMPLATE[folder.split("/")[0]]["needed"]) - modules(folder) == set()
    assert (ROOT / folder / "README.md").is_file()


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_file_beyond_the_template_has_its_reason_on_the_page_of_its_folder(folder: str) -> None:
    template = TEMPLATE[folder.split("/")[0]]
    page = (ROOT / folder / "README.md").read_text()
    named = set(re.findall(r"`(\w+)(?:\.py)?`", page))
    further = modules(folder) - {*template["needed"], *template["optional"]}
    assert further - named == set()


def test_every_protocol_has_both_sides() -> None:
    sides = [{folder.split("/")[2] for folder in FOLDERS if folder.startswith(side)} for side in TEMPLATE]
    assert sides[0] == sides[1]
