"""Writing a corpus: pieces of work of a fixed size, each of which gives one pack, or more if it is too much for one."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from gomboc.checker.output import whole_folder
from gomboc.checker.replay.pack.format import SUFFIX, PackEntry
from gomboc.checker.replay.pack.write import PackWriter, writing_pack

Item = TypeVar("Item")

PACK_SIZE = 10_000
"""Traces in a pack, unless somebody wants another number."""


class Target(msgspec.Struct, frozen=True):
    """What is written where: the folder of a corpus that is being written, and what every pack of it has."""

    folder: str
    protocol: str
    parameters: dict[str, Any]


def write_packs(
    target: Target, number: int, items: Sequence[Item], record: Callable[[PackWriter], Callable[[Item], None]]
) -> list[PackEntry]:
    """Write piece `number` of a corpus. `record` is told of each new pack, and answers with what adds an item to it.

    Where one pack ends and the next begins depends on the items only.
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
    """A folder to write a corpus into, which is called `folder` at the end of the body, and is gone if the body fails.

    Raises UsageError if there is something already that must not be replaced, or if it cannot be written.
    """
    with whole_folder(folder, overwrite) as unfinished:
        yield unfinished
