"""Output that is whole or absent, has one writer at a time, and is replaced only where gomboc wrote it.

A folder is written under another name beside its place, and renamed when it is complete. In it is a marker, which names
everything else that was written: what somebody has added since is not removed with it.
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

from gomboc.checker.errors import UsageError
from gomboc.checker.processes import Heir

MARKER = ".gomboc"
"""The file in which a folder says what of it was written by gomboc."""

FORMAT = "gomboc-folder"

CLEANING = """
rm -rf -- "$1/.$2".????????.partial "$1/.$2.$3.partial"
find "$1/$2" -name ".*.$3.partial" -delete
rm -f -- "$1/.$2.lock"
"""
"""What is done with the unfinished output at place $1/$2 of process $3 if it is killed."""


class Marker(msgspec.Struct, frozen=True):
    """What a marker holds: the names of what else is in the folder."""

    format: str
    wrote: tuple[str, ...]


CLEANING_SECONDS = 30.0
"""How long the next one waits for an heir at most."""

LOOK_SECONDS = 0.02


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
        raise unwritable(path, error) from error
    finally:
        # A name that is too long is an error here, too, in place of the sentence above.
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def write_whole(path: Path, content: Any) -> None:
    """Write a file that is there whole or not at all, even after the power was cut. Raises UsageError."""
    with whole_file(path) as unfinished, unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def new_file(path: Path, overwrite: bool) -> Iterator[None]:
    """Be the only one that writes a file, which `write_whole` does in the end, as long as the body runs.

    Raises UsageError if it is there and is not to be replaced, or if somebody else is writing it.
    """
    with only_writer(path):
        if path.exists() and not overwrite:
            raise UsageError(f"{path}: it is there already; choose another --output, or say --overwrite.")
        yield


@contextmanager
def whole_folder(target: Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty folder to write to; what is there in the end becomes the folder `target`, with a marker.

    With `overwrite`, it replaces one that gomboc wrote. Raises UsageError if something is there that is not replaced,
    or if somebody else is writing it, before anything is done; and if the folder cannot be written.
    """
    with only_writer(target):
        check_replaceable(target, overwrite)
        _remove_abandoned(target.resolve())
        with replacing_folder(target) as unfinished:
            yield unfinished
            mark(unfinished)


@contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """The same without lock and marker, and whatever is there is replaced: for what is inside of a folder of ours."""
    place = target.resolve()
    unfinished: Path | None = None
    try:
        _make_folder(place.parent)
        unfinished = Path(mkdtemp(prefix=f".{place.name}.", suffix=".partial", dir=place.parent))
        unfinished.chmod(0o755)
        yield unfinished
        put_in_place(unfinished, place)
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        if unfinished is not None:
            shutil.rmtree(unfinished, ignore_errors=True)


def put_in_place(unfinished: Path, place: Path) -> None:
    """Let a finished folder be the one at `place`; what was there is gone afterwards."""
    if not place.exists():
        unfinished.rename(place)
        return
    aside = Path(mkdtemp(prefix=f".{place.name}.", suffix=".partial", dir=place.parent))
    place.rename(aside / place.name)
    unfinished.rename(place)
    shutil.rmtree(aside)


def check_place(target: Path, overwrite: bool) -> None:
    """Raise UsageError if `whole_folder` would; for those who have long work to do before they write."""
    with only_writer(target):
        check_replaceable(target, overwrite)


@contextmanager
def only_writer(target: Path) -> Iterator[None]:
    """Be the only one that writes `target`, a file or folder, as long as the body runs.

    Whoever comes second gets a UsageError. The lock is a file beside it, and ends with its process however that ends.
    """
    place = target.resolve()
    if not place.name:
        raise UsageError(f"{target}: it is the root of all folders, so it is not overwritten.")
    path = place.with_name(f".{place.name}.lock")
    try:
        _make_folder(place.parent)
        lock = _locked(path)
    except BlockingIOError as error:
        raise UsageError(
            f"{target}: another gomboc is writing it at this moment; wait for its end, or choose another --output."
        ) from error
    except OSError as error:
        raise unwritable(target, error) from error
    # The lock is the heir's, too, so that nobody begins to write there before it has removed what is unfinished.
    heir = Heir(CLEANING, str(place.parent), place.name, str(os.getpid()), kept=(lock,))
    try:
        yield
    finally:
        heir.dismiss()
        with suppress(OSError):
            path.unlink(missing_ok=True)
        os.close(lock)


def _locked(path: Path) -> int:
    """The file at `path`, open and locked, with our number in it. Raises BlockingIOError if somebody else holds it."""
    deadline = time.monotonic() + CLEANING_SECONDS
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it before removed it in the end: a lock on a file without a name keeps nobody out.
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
    """Whether the process that wrote its number into a lock is gone: then it is its heir who holds it, and not long."""
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
        # What mkdir says of it, that it exists, is true and of no help.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)


def check_replaceable(target: Path, overwrite: bool) -> None:
    """Raise UsageError if something is there that is not to be replaced, or not ours to replace."""
    if not target.exists():
        return
    if not overwrite:
        raise UsageError(f"{target}: there is something already; choose another --output, or --overwrite it.")
    reason = not_ours(target)
    if reason is not None:
        raise UsageError(f"{target}: {reason}, so it is not overwritten.")


def not_ours(place: Path) -> str | None:
    """Why what is at a place is not taken for a folder that gomboc wrote, or an empty one; None if it is."""
    if not place.is_dir():
        return "it is no folder"
    try:
        there = {path.name for path in place.iterdir()} - {MARKER}
        if not there:
            return None
        marker = msgspec.json.decode((place / MARKER).read_bytes(), type=Marker)
    except (OSError, ValueError):
        return f"it has no {MARKER} that says that gomboc wrote it"
    others = sorted(there.difference(marker.wrote))
    return f"it holds {others[0]!r}, which gomboc did not write" if others else None


def mark(folder: Path, names: Iterable[str] | None = None) -> None:
    """Note in a folder that gomboc wrote those things in it, besides what is noted there; all of it by default."""
    path = folder / MARKER
    wrote = {each.name for each in folder.iterdir()} - {MARKER} if names is None else set(names)
    with suppress(OSError, ValueError):
        wrote.update(msgspec.json.decode(path.read_bytes(), type=Marker).wrote)
    write_whole(path, msgspec.json.encode(Marker(FORMAT, tuple(sorted(wrote)))))


def _remove_abandoned(place: Path) -> None:
    """Remove what others left unfinished who were killed. Nobody else is at it, since we hold the lock."""
    left = re.compile(rf"\.{re.escape(place.name)}\.[a-z0-9_]{{8}}\.partial")
    for path in place.parent.iterdir():
        if left.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)


def unwritable(path: Path, error: OSError) -> UsageError:
    """The sentence for what cannot be written."""
    return UsageError(f"{path}: it cannot be written: {error.strerror or error}.")
