"""A distribution as an installation leaves it: a folder of metadata on the path, with entry points."""

import importlib
import tomllib
from collections.abc import Mapping
from pathlib import Path

from gomboc.checker.core import evidence
from gomboc.checker.errata.registry import paper_of
from gomboc.checker.prove.registry import known_lemmas
from gomboc.impl.api import registry as implementations
from gomboc.spec.core import registry

Groups = Mapping[str, Mapping[str, str]]
"""Entry points: groups, each with its points by name."""


def declared(project: Path) -> Groups:
    """The entry points that the `pyproject.toml` of a project declares."""
    groups: Groups = tomllib.loads((project / "pyproject.toml").read_text())["project"]["entry-points"]
    return groups


def install(name: str, groups: Groups, folder: Path) -> None:
    """Write the metadata of a distribution with these entry points into a folder, which is to be on the path."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    points = [f"[{group}]\n" + "".join(f"{key} = {at}\n" for key, at in one.items()) for group, one in groups.items()]
    (metadata / "entry_points.txt").write_text("\n".join(points))


def forget() -> None:
    """Forget all that has been found by entry points, so that it is looked up anew."""
    importlib.invalidate_caches()
    evidence.forget()
    registry.forget()
    implementations.forget()
    for remembered in (paper_of, known_lemmas):
        remembered.cache_clear()
