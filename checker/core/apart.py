"""Output apart from input: an output never replaces the input that it is made of."""

from collections.abc import Iterable
from pathlib import Path

from gomboc.checker.core.errors import UsageError


def check_apart(target: Path, sources: Iterable[Path]) -> None:
    """Raise UsageError if replacing `target`, a file or folder, would remove one of the `sources`, files or folders.

    Links are followed, on both sides.
    """
    folder = target.resolve()
    for source in sources:
        if source.resolve().is_relative_to(folder):
            raise UsageError(f"{target}: {source} is read from there, and would be lost; choose another --output.")


def check_outside(target: Path, source: Path) -> None:
    """Raise UsageError if `target` is the folder `source`, which is read, or lies in it."""
    if source.is_dir() and target.resolve().is_relative_to(source.resolve()):
        raise UsageError(f"{target}: it lies in {source}, which is read; choose another --output.")
