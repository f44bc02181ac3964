"""One file of a store: digests of values and steps that are right, with the effects of the steps; never changed later.

A file is complete or not a segment: its head states the number of entries and the SHA-256 of all that follows.
"""

import hashlib
import os
import stat
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array
from gomboc.checker.distinct.findings import Fired

FORMAT, VERSION = "gomboc-store", 1

BYTES_OF_AN_ENTRY = 20

Effect = tuple[Fired, ...]
"""What a right step does: an entry for each rule that it fires; none for a value."""


class StoreError(UsageError):
    """A store, or a part of one, that must not be used, and why."""


class Form(msgspec.Struct, frozen=True):
    """The beginning of the first line in every version."""

    format: str
    version: int


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line. `key` stands for all that the entries depend on, `effects` are those that the entries number."""

    format: str
    version: int
    key: str
    entries: int
    sha256: str
    effects: list[Effect]


class Entries(NamedTuple):
    """Digests in two halves, ascending by the first, and the number of each one's effect in `effects`."""

    first: Array
    second: Array
    effect: Array
    effects: list[Effect]

    def __len__(self) -> int:
        return len(self.first)

    def look_up(self, first: Array, second: Array) -> Array:
        """The number of the effect of each digest; -1 for one that is not there."""
        if not len(self):
            return np.full(len(first), -1)
        order = np.argsort(first)
        place = np.empty(len(first), np.int64)
        place[order] = np.searchsorted(self.first, first[order])  # in order, since that is three times as fast
        place = np.minimum(place, len(self) - 1)
        there = (self.first[place] == first) & (self.second[place] == second)
        return np.where(there, self.effect[place].astype(np.int64), -1)


NONE = Entries(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.uint32), [])


def sorted_entries(first: Array, second: Array, effect: Array, effects: list[Effect]) -> Entries:
    """Entries in any order; of two with the same digest, one stays."""
    # Runs that are sorted already, as those of segments are, only have to be merged.
    order = np.argsort(first, kind="stable")
    first, second, effect = first[order], second[order], effect[order]
    new = np.ones(len(first), bool)
    new[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return Entries(first[new], second[new], effect[new], effects)


def segment(key: str, entries: Entries) -> bytes:
    """The content of a segment."""
    body = b"".join(column.tobytes() for column in entries[:3])
    head = Head(FORMAT, VERSION, key, len(entries), hashlib.sha256(body).hexdigest(), entries.effects)
    return msgspec.json.encode(head) + b"\n" + body


def is_open_to_others(status: os.stat_result) -> bool:
    """Whether somebody else owns a file or folder, or can write to it."""
    return status.st_uid != os.getuid() or bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def private_content(path: Path) -> bytes:
    """The content of a file of a store. Raises StoreError if others can write to it, or if it cannot be read."""
    try:
        with path.open("rb") as file:
            if is_open_to_others(os.fstat(file.fileno())):
                raise StoreError(f"{path}: others can write to it.")
            return file.read()
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}.") from error


def read_segment(path: Path, key: str) -> Entries:
    """The entries of a segment. Raises StoreError unless it is whole, the caller's, and of this key and version."""
    line, _, body = private_content(path).partition(b"\n")
    try:
        form = msgspec.json.decode(line, type=Form)
        if form.format == FORMAT and form.version != VERSION:
            raise StoreError(
                f"{path}: the segment has version {form.version}, and this gomboc reads version {VERSION}."
            )
        head = msgspec.json.decode(line, type=Head)
    except ValueError as error:
        raise StoreError(f"{path}: this is no segment of a store.") from error
    if head.format != FORMAT:
        raise StoreError(f"{path}: this is no segment of a store.")
    if head.key != key:
        raise StoreError(f"{path}: the segment is of another specification.")
    if len(body) != head.entries * BYTES_OF_AN_ENTRY or hashlib.sha256(body).hexdigest() != head.sha256:
        raise StoreError(f"{path}: the segment is damaged.")
    halves = np.frombuffer(body, np.uint64, 2 * head.entries).reshape(2, head.entries)
    effect = np.frombuffer(body, np.uint32, head.entries, 16 * head.entries)
    if head.entries and int(effect.max()) >= len(head.effects):
        raise StoreError(f"{path}: the segment is damaged.")
    return Entries(halves[0], halves[1], effect, head.effects)
