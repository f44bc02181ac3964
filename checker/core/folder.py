"""Contents of a folder: all of them, or a sentence that explains why it cannot be read."""

import os
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from stat import S_ISREG

from gomboc.checker.core.errors import UsageError


def names_in(folder: Path) -> list[str]:
    """The names in a folder, in order. Raises UsageError if it cannot be read."""
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder}: it cannot be looked into: {error.strerror}.") from error


def files_below(folder: Path, ending: str | tuple[str, ...]) -> list[Path]:
    """The files below a folder with names that end so (or in one of several ways), at any depth, in order.

    Linked folders are followed, once each. Raises UsageError if a folder cannot be read, because omitted files would
    count as judged. So it does for a name that is not UTF-8, because messages could not name it, and for a path that is
    no file, such as a pipe without a writer.
    """
    return sorted(_found_below(folder, ending), key=attrgetter("parts"))


def _found_below(folder: Path, ending: str | tuple[str, ...]) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: it cannot be looked into: {error.strerror}.") from error

    seen = set[Path]()
    for parent, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        seen.add(Path(parent).resolve())
        folders[:] = [child for child in folders if Path(parent, child).resolve() not in seen]
        for name in names:
            if name.endswith(ending):
                path = Path(parent, name)
                check_name(path)
                check_file(path)
                yield path


def check_name(path: Path) -> None:
    """Raise UsageError if the name of a file is no UTF-8."""
    if str(path).isascii():
        return
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    if shown.encode() != os.fsencode(path):
        raise UsageError(f"{shown}: the name is no UTF-8: rename it.")


def check_file(path: Path) -> None:
    """Raise UsageError for an existing path that is no file: a pipe may be waited for, a device read, for ever."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error
    if not S_ISREG(mode):
        raise UsageError(f"{path}: this is no file: traces and packs are read from files only.")
