"""Output that is whole or absent: written under another name beside its place, and renamed when it is complete."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from checker.errors import UsageError

MayReplace = Callable[[Path], str | None] | None
"""Says why a folder that is there may not be replaced, or None if it may; no such function means that none may."""


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield the path to write to; what is there in the end becomes `path`.

    Raises UsageError if it cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: it cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def whole_folder(target: Path, may_replace: MayReplace = None) -> Iterator[Path]:
    """Yield an empty folder to write to; what is there in the end becomes the folder `target`.

    `may_replace` says why a folder that is there may not be replaced; without it, none may. Raises UsageError if that
    is so, before anything is done, and if the folder cannot be written.
    """
    check_place(target, may_replace)
    place = target.resolve()
    unfinished: Path | None = None
    try:
        _make_folder(place.parent)
        unfinished = Path(mkdtemp(prefix=f".{place.name}.", suffix=".partial", dir=place.parent))
        unfinished.chmod(0o755)
        yield unfinished
        if place.exists():
            shutil.rmtree(place)
        unfinished.rename(place)
    except OSError as error:
        raise UsageError(f"{target}: it cannot be written: {error.strerror}.") from error
    finally:
        if unfinished is not None:
            shutil.rmtree(unfinished, ignore_errors=True)


def _make_folder(folder: Path) -> None:
    if folder.is_file():
        # What mkdir says of it, that it exists, is true and of no help.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)


def check_place(target: Path, may_replace: MayReplace) -> None:
    """Raise UsageError if `whole_folder` would refuse; for those who have long work to do before they write."""
    place = target.resolve()
    if not place.exists():
        return
    if may_replace is None:
        raise UsageError(f"{target}: there is something already; choose another --output, or --overwrite it.")
    reason = may_replace(place)
    if not place.name:
        reason = "it is the root of all folders"
    if reason is not None:
        raise UsageError(f"{target}: {reason}, so it is not overwritten.")
