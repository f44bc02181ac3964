"""Verdicts on the row groups of earlier runs in which every trace held, so that they are not composed again.

They depend on nothing but what their key stands for. The distinct steps are looked up and sampled in each run all the
same, and of the row groups that are found, one in `COMPOSED_AGAIN` is composed again, chosen at random.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple

from gomboc.checker.core.arrow import read_parquet
from gomboc.checker.core.output import write_whole
from gomboc.checker.replay.store.segment import StoreError, private_content
from gomboc.checker.replay.store.store import VERDICTS, check_private, hold, shorten, void

COMPOSED_AGAIN = 16
"""Of so many row groups that are found, one is composed again."""


class Piece(NamedTuple):
    """A row group: its key in the store, and the file for its verdicts."""

    key: str
    verdicts: Path


class Kept:
    """The kept verdicts below one key of a store in `folder`, which holds `most` bytes at most.

    A file of them is a line with the SHA-256 of the rest, and the rest. `ignored` names those that were not as they
    were written.
    """

    def __init__(self, folder: Path, key: str, most: int) -> None:
        """Raises StoreError if the folder cannot be used."""
        check_private(folder)
        self._folder, self._key, self._most = folder, key, most
        self.ignored: list[str] = []
        self._sampled: dict[Piece, bytes] = {}
        self._reused: list[Piece] = []

    def _path(self, piece: Piece) -> Path:
        return self._folder / f"{self._key}-{piece.key}{VERDICTS}"

    def reuse(self, pieces: Iterable[Piece]) -> None:
        """Write the verdicts that are known to where a run has its own, but for a sample of them. Raises UsageError."""
        for piece in pieces:
            verdicts = self._read(self._path(piece))
            if verdicts is None:
                continue
            if SystemRandom().random() * COMPOSED_AGAIN < 1:
                self._sampled[piece] = verdicts
            else:
                write_whole(piece.verdicts, verdicts)
                self._reused.append(piece)

    def _read(self, path: Path) -> bytes | None:
        """The verdicts in a file of the store; None if there is none. One that cannot be believed is removed."""
        if not path.exists():
            return None
        try:
            checksum, _, verdicts = private_content(path).partition(b"\n")
            if checksum == _checksum(verdicts):
                return verdicts
            self.ignored.append(f"{path}: the verdicts are damaged.")
        except StoreError as error:
            self.ignored.append(str(error))
        path.unlink(missing_ok=True)
        return None

    def refuted(self) -> bool:
        """Whether a sample differs from what has been composed now. Then all that was reused is removed again, and so
        is all that the store holds below the key.
        """
        if all(_content(piece.verdicts) == verdicts for piece, verdicts in self._sampled.items()):
            return False
        void(self._folder, self._key)
        for piece in self._reused:
            piece.verdicts.unlink(missing_ok=True)
        return True

    def add(self, pieces: Iterable[Piece]) -> None:
        """Keep the verdicts of those pieces in which every trace holds. Raises StoreError."""
        for piece in pieces:
            if not self._path(piece).exists() and _all_hold(piece.verdicts):
                verdicts = piece.verdicts.read_bytes()
                if len(verdicts) <= self._most:
                    hold(self._path(piece), _checksum(verdicts) + b"\n" + verdicts)
        shorten(self._folder, self._most)


def _all_hold(verdicts: Path) -> bool:
    column = read_parquet(verdicts, ["verdict"])["verdict"]
    return set(column.unique().to_pylist()) <= {"holds"}


def _checksum(verdicts: bytes) -> bytes:
    return hashlib.sha256(verdicts).hexdigest().encode()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
