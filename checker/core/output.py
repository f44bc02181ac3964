"""Output that is complete or absent, has one writer at a time, and is replaced only where gomboc wrote it.

A folder is written under another name beside its target, and renamed when it is complete. It has a marker that lists
all other files that were written: files that the user has added since are not removed with it.
"""

import errno
import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.processes.heir import Heir

MARKER = ".gomboc"
"""The file in a folder that lists the files written by gomboc."""

FORMAT = "gomboc-folder"

CLEANING = """
rm -rf -- "$1/.$2".????????.partial "$1/.$2.$3.partial"
find "$1/$2" -name ".*.$3.partial" -delete
rm -f -- "$1/.$2.lock"
"""
"""Shell script that removes the unfinished output at $1/$2 of process $3 if the process is killed."""


class Marker(msgspec.Struct, frozen=True):
    """The content of a marker: the names of the other files in the folder."""

    format: str
    wrote: tuple[str, ...]


CLEANING_SECONDS = 30.0
"""Most seconds that the next writer waits for an heir."""

LOOK_SECONDS = 0.02


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield the path to write to; after the body it is renamed to `path`.

    Raises UsageError if it cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        # A name that is too long is an error here, too, in place of the sentence above.
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def write_whole(path: Path, content: Any, mode: int = 0o666) -> None:
    """Write a file that appears complete or not at all, even after a power cut. Raises UsageError.

    `mode` has the permissions of the file, of which the caller's umask takes some.
    """

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    with whole_file(path) as unfinished, open(unfinished, "wb", opener=opened) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def new_file(path: Path, overwrite: bool) -> Iterator[None]:
    """Be the only writer of a file, which `write_whole` writes in the end, as long as the body runs.

    Raises UsageError if it exists and is not to be replaced, or if another process is writing it.
    """
    with only_writer(path):
        if path.exists() and not overwrite:
            raise UsageError(f"{path}: it is there already; choose another --output, or say --overwrite.")
        yield


@contextmanager
def whole_folder(target: Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty folder to write to; after the body it becomes the folder `target`, with a marker.

    With `overwrite`, it replaces a folder that gomboc wrote. Raises UsageError, before any other action, if the target
    exists and must not be replaced, or if another process is writing it; and if the folder cannot be written.
    """
    with only_writer(target):
        check_replaceable(target, overwrite)
        _remove_abandoned(target.resolve())
        with replacing_folder(target) as unfinished:
            yield unfinished
            mark(unfinished)


@contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """The same without lock and marker, and any target is replaced: for folders inside of a folder of ours."""
    path = target.resolve()
    unfinished: Path | None = None
    try:
        _make_folder(path.parent)
        unfinished = Path(mkdtemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent))
        unfinished.chmod(0o755)
        yield unfinished
        put_in_place(unfinished, path)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        if unfinished is not None:
            shutil.rmtree(unfinished, ignore_errors=True)


def put_in_place(unfinished: Path, path: Path) -> None:
    """Rename a finished folder to `path`; an earlier folder there is removed."""
    if not path.exists():
        unfinished.rename(path)
        return
    aside = Path(mkdtemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent))
    path.rename(aside / path.name)
    unfinished.rename(path)
    shutil.rmtree(aside)


def check_place(target: Path, overwrite: bool) -> None:
    """Raise UsageError if `whole_folder` would; for callers with long work to do before they write."""
    with only_writer(target):
        check_replaceable(target, overwrite)


@contextmanager
def only_writer(target: Path) -> Iterator[None]:
    """Be the only writer of `target`, a file or folder, as long as the body runs.

    A second writer gets a UsageError. The lock is a file beside the target; it ends with its process, even a killed
    one.
    """
    target_path = target.resolve()
    if not target_path.name:
        raise UsageError(f"{target}: it is the root of all folders, so it is not overwritten.")
    path = target_path.with_name(f".{target_path.name}.lock")
    try:
        _make_folder(target_path.parent)
        lock = _locked(path)
    except BlockingIOError as error:
        raise UsageError(
            f"{target}: another gomboc is writing it at this moment; wait for its end, or choose another --output."
        ) from error
    except OSError as error:
        raise unwritable(target, error) from error
    # The heir holds the lock, too, so that no process begins to write there before unfinished files are removed.
    heir = Heir(CLEANING, str(target_path.parent), target_path.name, str(os.getpid()), kept=(lock,))
    try:
        yield
    finally:
        heir.dismiss()
        with suppress(OSError):
            path.unlink(missing_ok=True)
        os.close(lock)


def _locked(path: Path) -> int:
    """The file at `path`, open and locked, with our number in it. Raises BlockingIOError if another
    process holds it.
    """
    deadline = time.monotonic() + CLEANING_SECONDS
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The last holder may have removed the file meanwhile: a lock on a file without a name excludes no process.
            if _is_at(lock, path):
                _sign(lock, path)
                return lock
        except BlockingIOError:
            if time.monotonic() > deadline or not _is_inherited(lock):
                os.close(lock)
                raise
            time.sleep(LOOK_SECONDS)
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)


def _sign(lock: int, path: Path) -> None:
    """Write our number into a lock that we hold; a lock that cannot be signed is removed."""
    try:
        os.ftruncate(lock, 0)
        os.write(lock, b"%d" % os.getpid())
    except OSError:
        path.unlink()
        raise


def _is_inherited(lock: int) -> bool:
    """Whether the process that wrote its number into a lock is gone: then its heir holds the lock, and not for long."""
    try:
        os.kill(int(os.pread(lock, 20, 0)), 0)
    except ProcessLookupError:
        return True
    except (ValueError, OSError):
        return False
    return False


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def _make_folder(folder: Path) -> None:
    if folder.is_file():
        # The message of mkdir, that it exists, is true and of no help.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)


def check_replaceable(target: Path, overwrite: bool) -> None:
    """Raise UsageError if the target is not empty and must not be replaced, or is not ours to replace."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not overwrite:
        raise UsageError(f"{target}: there is something already; choose another --output, or --overwrite it.")
    reason = not_ours(target)
    if reason is not None:
        raise UsageError(f"{target}: {reason}, so it is not overwritten.")


def not_ours(folder: Path) -> str | None:
    """The reason why a path is not a folder that gomboc wrote, or an empty one; None if it is."""
    if not folder.is_dir():
        return "it is no folder"
    try:
        there = {path.name for path in folder.iterdir()} - {MARKER}
        if not there:
            return None
        marker = msgspec.json.decode((folder / MARKER).read_bytes(), type=Marker)
    except (OSError, ValueError):
        return f"it has no {MARKER} that says that gomboc wrote it"
    others = sorted(there.difference(marker.wrote))
    return f"it holds {others[0]!r}, which gomboc did not write" if others else None


def mark(folder: Path, names: Iterable[str] | None = None) -> None:
    """Add names to a folder's marker of files that gomboc wrote; by default all files in it."""
    path = folder / MARKER
    wrote = {entry.name for entry in folder.iterdir()} - {MARKER} if names is None else set(names)
    with suppress(OSError, ValueError):
        wrote.update(msgspec.json.decode(path.read_bytes(), type=Marker).wrote)
    write_whole(path, msgspec.json.encode(Marker(FORMAT, tuple(sorted(wrote)))))


def _remove_abandoned(target: Path) -> None:
    """Remove unfinished output of processes that were killed. No other process writes here, since we hold the lock."""
    left = re.compile(rf"\.{re.escape(target.name)}\.[a-z0-9_]{{8}}\.partial")
    for path in target.parent.iterdir():
        if left.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)


def unwritable(path: Path, error: OSError) -> UsageError:
    """The error message for a path that cannot be written."""
    return UsageError(f"{path}: it cannot be written: {error.strerror or error}.")
