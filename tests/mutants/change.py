"""One changed line of any file, and the copy of the project in which it is changed."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

ROOT = Path(__file__).resolve().parent.parent.parent


class Change(msgspec.Struct, frozen=True):
    """The line `before` of the file at `path`, from the repository's root, becomes `after`; lines are not indented.

    `tests` are the files and folders of tests that are tried besides those that mirror the path.
    """

    name: str
    path: str
    before: str
    after: str
    breaks: str
    tests: tuple[str, ...] = ()

    def places(self):
        """The numbers, from 0, of the lines that it would change: one, unless it is out of date."""
        lines = (ROOT / self.path).read_text(encoding="utf-8").split("\n")
        return [number for number, line in enumerate(lines) if line.strip() == self.before]

    def text(self):
        """The file, changed. Raises ValueError unless the line occurs once."""
        (index,) = self.places()
        lines = (ROOT / self.path).read_text(encoding="utf-8").split("\n")
        lines[index] = lines[index].replace(self.before, self.after)
        return "\n".join(lines)


PACKAGES = ("spec", "impl", "checker")


def search_path(folder):
    """PYTHONPATH of a process that imports the copy in `folder`, and else this project; the copy comes first."""
    return os.pathsep.join((str(folder / ".package"), str(folder), str(ROOT)))


def lay_package(folder):
    """The package gomboc of a copy of the project: its links lead to the copied folders, or to those of the project."""
    shutil.copytree(ROOT / ".package", folder / ".package", symlinks=True)
    for part in PACKAGES:
        if not (folder / part).exists():
            (folder / part).symlink_to(ROOT / part)


@contextmanager
def changed(change, *parts):
    """A folder with copies of these parts of the project, in which the change is made (None: none is)."""
    with TemporaryDirectory(prefix="mutant-") as folder:
        for part in parts:
            # With Python's compiled files: all but one file is as it was.
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
            copy(ROOT / part, Path(folder) / part)
        lay_package(Path(folder))
        if change is not None:
            (Path(folder) / change.path).write_text(change.text(), encoding="utf-8")
        yield Path(folder)
