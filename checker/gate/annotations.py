"""Results of a gate as annotations of GitHub: workflow commands that name a file and a line."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from gomboc.checker.gate.case import Stage
from gomboc.checker.gate.read import failing

WORKSPACE = "GITHUB_WORKSPACE"
"""The environment variable with the path where GitHub has checked out the repository."""


def annotations(stages: Iterable[Stage], project: Path) -> Iterator[str]:
    """A line for each case of a project that does not hold."""
    for stage in stages:
        for case in failing(stage.cases):
            file = from_repository(project / case.file, project)
            yield annotation(f"{case.verdict()}: {case.says}", f"{stage.name}: {case.about()}", file, case.line)


def from_repository(path: Path, project: Path) -> str:
    """The path of a file of a project relative to the root of its repository; unchanged, if it is not below that."""
    whole, root = path.resolve(), repository(project.resolve())
    return str(whole.relative_to(root)) if whole.is_relative_to(root) else str(path)


def repository(project: Path) -> Path:
    """The root of the repository of a project: GitHub's workspace, or the nearest folder with a .git;
    else the project.
    """
    named = os.environ.get(WORKSPACE)
    if named and project.is_relative_to(Path(named).resolve()):
        return Path(named).resolve()
    return next((folder for folder in (project, *project.parents) if (folder / ".git").exists()), project)


def annotation(says: str, title: str, file: str, line: int) -> str:
    """An error at that line of a file."""
    location = f"file={_property(file)},line={line},title={_property(f'gomboc {title}')}"
    return f"::error {location}::{_escaped(says)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
