"""What is in a folder: all of it, or a sentence that says why it cannot be looked into."""

import os
from pathlib import Path

from checker.errors import UsageError


def names_in(folder: Path) -> list[str]:
    """The names in a folder, in order. Raises UsageError if it cannot be looked into."""
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise UsageError(f"{folder}: it cannot be looked into: {error.strerror}.") from error


def files_below(folder: Path, ending: str) -> list[Path]:
    """The files below a folder whose names end so, at any depth, in order.

    Raises UsageError if a folder cannot be looked into: what is left out would be taken for judged.
    """

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: it cannot be looked into: {error.strerror}.") from error

    return sorted(
        Path(place, name)
        for place, _, names in os.walk(folder, onerror=refuse)
        for name in names
        if name.endswith(ending)
    )
