"""A store: a folder of segments. Writers add segments and never change one, so they need not know of each other.

A store is used only if no other user can write to it, and a share of its entries is judged again: if one entry turns
out to be wrong, nothing of the store is believed any more.
"""

import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import write_whole
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.replay.store.segment import (
    BYTES_OF_AN_ENTRY,
    NONE,
    Effect,
    Entries,
    StoreError,
    is_open_to_others,
    read_segment,
    segment,
    sorted_entries,
)

ENDING, VERDICTS, HITS = ".segment", ".verdicts", ".gomboc-hits"
"""The endings of the names of segments and of verdicts; the name of the file that counts the entries found. The
count may lag behind.
"""

_DIGIT = "[0-9a-f]"

KEY, NUMBER = _DIGIT * 24, _DIGIT * 16
"""Patterns of a key, and of the number that tells segments apart."""

HELD = f"-{NUMBER}{ENDING}", f"-{KEY}{VERDICTS}"
"""The names of all that a store holds, after the key. A caller's own files in the folder have other names."""

MOST_BYTES = 1 << 30
"""Bytes of a store at most, unless the caller says otherwise; the oldest segments go first."""

JUDGED_AGAIN = 64
"""Of so many entries that are found, one is judged again, chosen at random."""

UNKNOWN = -1
"""The number of no effect."""


class WrongEntryError(Exception):
    """A store holds an entry for a value or step that is not right, or has another effect."""


def default_folder() -> Path:
    """The folder of the store in the caller's cache."""
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "gomboc" / "judged"


def check_private(folder: Path) -> None:
    """Make the folder if there is none. Raises StoreError if it cannot be made, or if others may write to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.stat()
    except FileExistsError as error:
        raise StoreError(f"{folder}: it is no folder.") from error
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}.") from error
    if is_open_to_others(status):
        raise StoreError(f"{folder}: others can write to it; take a folder of your own, with mode 700.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"{folder}: it cannot be written to.")


class Store:
    """The entries of one key, as they were when it was opened, and new ones until `save`."""

    def __init__(self, folder: Path, key: str, most: int = MOST_BYTES) -> None:
        """Raises StoreError if the folder cannot be used."""
        check_private(folder)
        self._folder, self._key, self._most = folder, key, most
        self.ignored: list[str] = []
        self._known = self._read()
        self._new: list[tuple[Array, Array]] = []
        self._found = 0
        self._effects = {effect: number for number, effect in enumerate(self._known.effects)}

    def _segments(self) -> list[Path]:
        return sorted(self._folder.glob(f"{self._key}-*{ENDING}"))

    def _read(self) -> Entries:
        """All entries of the key. Segments that cannot be used are named in `ignored`."""
        read = []
        for path in self._segments():
            try:
                read.append(read_segment(path, self._key))
            except StoreError as error:
                self.ignored.append(str(error))
        if not read:
            return NONE
        effects: dict[Effect, int] = {}
        numbers = [
            np.array([effects.setdefault(effect, len(effects)) for effect in each.effects] or [0], np.uint32)[
                each.effect
            ]
            for each in read
        ]
        first, second = (np.concatenate([each[half] for each in read]) for half in range(2))
        return sorted_entries(first, second, np.concatenate(numbers), list(effects))

    def look_up(self, digests: Array) -> Array:
        """For each digest (a row of two numbers), the number of its effect; -1 for one that is not known."""
        numbers = self._known.look_up(*digests.T)
        self._found += int((numbers != UNKNOWN).sum())
        return numbers

    def effect(self, number: int) -> Effect:
        """The effect of that number."""
        return self._known.effects[number]

    def numbers(self, effects: Iterable[Effect]) -> Array:
        """The numbers of those effects, new ones for new effects."""
        return np.array([self._effects.setdefault(effect, len(self._effects)) for effect in effects], np.int64)

    def check(self, said: Array, anew: Array) -> None:
        """Compare the numbers of effects in the store with those found by judging anew, UNKNOWN for all that is wrong.

        Raises WrongEntryError.
        """
        if ((said != UNKNOWN) & (said != anew)).any():
            raise WrongEntryError

    def add(self, digests: Array, numbers: Array) -> None:
        """Note right values or steps, with the numbers of their effects."""
        self._new.append((digests, numbers.astype(np.uint32)))

    def save(self) -> None:
        """Write the new entries into a segment, and remove old ones beyond the limit. Raises StoreError."""
        if self._found:
            hold(self._folder / HITS, b"%d" % (hits(self._folder) + self._found))
            self._found = 0
        if not any(len(numbers) for _, numbers in self._new):
            return
        digests, numbers = map(np.concatenate, zip(*self._new, strict=True))
        first, second = digests.T
        entries = sorted_entries(first, second, numbers, list(self._effects))
        if len(entries) * BYTES_OF_AN_ENTRY <= self._most:
            hold(self._folder / f"{self._key}-{secrets.token_hex(8)}{ENDING}", segment(self._key, entries))
            shorten(self._folder, self._most)
        self._new.clear()

    def void(self) -> None:
        """Remove every entry of the key, and all verdicts that rest on them."""
        void(self._folder, self._key)
        self._known = NONE


def void(folder: Path, key: str) -> None:
    """Remove all that a store holds under a key."""
    for path in _held(folder, key):
        path.unlink(missing_ok=True)


def _held(folder: Path, key: str = KEY) -> Iterator[Path]:
    """All files of a store under a key, also those that are being written, or that a killed process has left."""
    for name in HELD:
        for pattern in (f"{key}{name}", f".{key}{name}.*.partial"):
            yield from (path for path in folder.glob(pattern) if not path.is_dir())


def hold(path: Path, content: bytes) -> None:
    """Write a file of a store, completely or not at all, that no other user can write to. Raises StoreError."""
    try:
        write_whole(path, content, 0o600)
    except UsageError as error:
        raise StoreError(str(error)) from error


def hits(folder: Path) -> int:
    """How many values and steps were found in a store so far, about."""
    try:
        return int((folder / HITS).read_bytes())
    except (OSError, ValueError):
        return 0


def clear(folder: Path) -> None:
    """Remove all that a store holds. Raises StoreError."""
    try:
        for path in (*_held(folder), folder / HITS):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror}.") from error


def shorten(folder: Path, most: int) -> None:
    """Remove the oldest files until all others together have at most that many bytes."""
    kept = 0
    for _, size, path in sorted(_files(folder), reverse=True):
        kept += size
        if kept > most:
            path.unlink(missing_ok=True)


def _files(folder: Path) -> list[tuple[float, int, Path]]:
    """Time, bytes and path of each file; another process may remove some meanwhile."""
    found = []
    for path in _held(folder):
        try:
            status = path.stat()
        except OSError:
            continue
        found.append((status.st_mtime, status.st_size, path))
    return found


def size(folder: Path) -> tuple[int, int]:
    """The number of files that a store holds, and their bytes."""
    files = _files(folder)
    return len(files), sum(size for _, size, _ in files)
