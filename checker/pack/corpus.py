"""Writing a corpus: pieces of work of a fixed size, each of which gives one pack, or more if it is too much for one."""

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from checker.errors import UsageError
from checker.pack.format import SUFFIX, PackEntry
from checker.pack.read import is_corpus
from checker.pack.write import PackWriter, writing_pack
from checker.whole import whole_folder

Item = TypeVar("Item")
Result = TypeVar("Result")

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


def in_processes(work: Callable[[int], Result], pieces: int, jobs: int) -> Iterator[Result]:
    """What `work` gives for each number below `pieces`, in order, worked out in `jobs` processes.

    If the caller stops, or is interrupted, so do the processes. Raises UsageError if one of them dies.
    """
    if jobs == 1 or pieces == 1:
        yield from map(work, range(pieces))
        return
    before = set(multiprocessing.active_children())
    # Spawned, since a process with threads cannot be forked safely, and a progress bar is a thread.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, pieces), context, _leave_interrupts_to_the_caller) as pool:
        try:
            yield from pool.map(work, range(pieces))
        except BrokenProcessPool as error:
            raise UsageError(
                "A process that was at work died, perhaps for lack of memory: give fewer --jobs."
            ) from error
        finally:
            for process in set(multiprocessing.active_children()) - before:
                process.terminate()
            pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_the_caller() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def new_corpus(folder: Path, overwrite: bool) -> Iterator[Path]:
    """A folder to write a corpus into, which is called `folder` at the end of the body, and is gone if the body fails.

    Raises UsageError if there is something already that must not be replaced, or if it cannot be written.
    """
    with whole_folder(folder, _is_no_corpus if overwrite else None) as unfinished:
        yield unfinished


def _is_no_corpus(folder: Path) -> str | None:
    return None if is_corpus(folder) else "it is no corpus"
