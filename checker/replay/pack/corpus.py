"""Write a corpus in pieces of work of a fixed size, each of which gives one pack, or more if one would be too large."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gomboc.checker.core.output import whole_folder
from gomboc.checker.replay.pack.format import SUFFIX, PackEntry
from gomboc.checker.replay.pack.write import PackWriter, writing_pack

Item = TypeVar("Item")

PACK_SIZE = 10_000
"""Default number of traces in a pack."""


class PackTarget(msgspec.Struct, frozen=True):
    """The folder of a corpus that is being written, and the fields that all of its packs share."""

    folder: str
    protocol: str
    parameters: dict[str, Any]


def write_packs(
    target: PackTarget, number: int, items: Sequence[Item], record: Callable[[PackWriter], Callable[[Item], None]]
) -> list[PackEntry]:
    """Write piece `number` of a corpus. `record` receives each new pack, and returns a function that adds an item to
    it.

    The boundaries between packs depend on the items only.
    """
    made: list[PackEntry] = []
    done = 0
    while done < len(items):
        name = f"{number:06d}{f'-{len(made)}' if made else ''}{SUFFIX}"
        with writing_pack(Path(target.folder) / name, target.protocol, target.parameters) as writer:
            add = record(writer)
            while done < len(items) and not writer.full:
                add(items[done])
                done += 1
        made.append(PackEntry(name, writer.counts))
    return made


@contextmanager
def new_corpus(folder: Path, overwrite: bool) -> Iterator[Path]:
    """A folder to write a corpus into. It is renamed to `folder` at the end of the body, and removed if the body fails.

    Raises UsageError if `folder` exists and must not be replaced, or if it cannot be written.
    """
    with whole_folder(folder, overwrite) as unfinished:
        yield unfinished
