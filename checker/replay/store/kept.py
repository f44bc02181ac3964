"""Verdicts on the row groups of earlier runs in which every trace held, so that they are not composed again.

They depend on nothing but what their key stands for. The distinct steps are looked up and sampled in each run all the
same, and of the row groups that are found, one in `COMPOSED_AGAIN` is composed again, chosen at random.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple

import pyarrow.parquet

from gomboc.checker.core.arrow import pa, read_parquet
from gomboc.checker.core.output import write_whole
from gomboc.checker.replay.store.segment import StoreError, private_content
from gomboc.checker.replay.store.store import VERDICTS, check_private, hold, shorten, void

COMPOSED_AGAIN = 16
"""Of so many row groups that are found, one is composed again."""


UNSETTLED = ".unsettled"
"""The ending of the names of verdicts in a run's folder while no sample has been compared. No run takes them for its
own, so a run that is killed before then leaves nothing of the store behind.
"""


class Piece(NamedTuple):
    """A row group: its key in the store, the file for its verdicts, and its number of traces."""

    key: str
    verdicts: Path
    traces: int

    @property
    def unsettled(self) -> Path:
        """The file for verdicts from the store."""
        return self.verdicts.with_name(self.verdicts.name + UNSETTLED)


class Kept:
    """The kept verdicts below one key of a store in `folder`, which holds `most` bytes at most.

    A file of them is a line with the SHA-256 of its name and the rest, and the rest. `ignored` names those that were
    not as they were written.
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

    def reuse(self, pieces: Iterable[Piece]) -> set[Piece]:
        """The pieces whose verdicts are known, but for a sample of them. Raises UsageError.

        Their verdicts wait beside the files for them until `settle`.
        """
        for piece in pieces:
            verdicts = self._read(piece)
            if verdicts is None:
                continue
            if SystemRandom().random() * COMPOSED_AGAIN < 1:
                self._sampled[piece] = verdicts
            else:
                write_whole(piece.unsettled, verdicts)
                self._reused.append(piece)
        return set(self._reused)

    def _read(self, piece: Piece) -> bytes | None:
        """The verdicts on a piece in the store; None if there are none. A file that cannot be believed is removed."""
        path = self._path(piece)
        if not path.exists():
            return None
        try:
            checksum, _, verdicts = private_content(path).partition(b"\n")
            if checksum == _checksum(path, verdicts) and _traces(verdicts) == piece.traces:
                return verdicts
            self.ignored.append(f"{path}: the verdicts are damaged.")
        except StoreError as error:
            self.ignored.append(str(error))
        if path.is_file():
            path.unlink(missing_ok=True)
        return None

    def settle(self) -> bool:
        """Give the verdicts that were reused to the run. Returns whether it was so.

        If a sample differs from what has been composed now, they are removed instead, and so is all that the store
        holds below the key.
        """
        if all(_content(piece.verdicts) == verdicts for piece, verdicts in self._sampled.items()):
            for piece in self._reused:
                piece.unsettled.replace(piece.verdicts)
            return True
        void(self._folder, self._key)
        for piece in self._reused:
            piece.unsettled.unlink(missing_ok=True)
        return False

    def add(self, pieces: Iterable[Piece]) -> None:
        """Keep the verdicts of those pieces in which every trace holds. Raises StoreError."""
        for piece in pieces:
            if not self._path(piece).exists() and _all_hold(piece.verdicts):
                verdicts = piece.verdicts.read_bytes()
                if len(verdicts) <= self._most:
                    hold(self._path(piece), _checksum(self._path(piece), verdicts) + b"\n" + verdicts)
        shorten(self._folder, self._most)


def _all_hold(verdicts: Path) -> bool:
    column = read_parquet(verdicts, ["verdict"])["verdict"]
    return set(column.unique().to_pylist()) <= {"holds"}


def _checksum(path: Path, verdicts: bytes) -> bytes:
    """The checksum of verdicts under a name, so that no file can stand in the place of another."""
    return hashlib.sha256(path.name.encode() + b"\n" + verdicts).hexdigest().encode()


def _traces(verdicts: bytes) -> int | None:
    """The number of traces in verdicts; None if they are no Parquet file."""
    try:
        return int(pyarrow.parquet.ParquetFile(pa.BufferReader(verdicts)).metadata.num_rows)
    except (pa.ArrowException, OSError):
        return None


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
