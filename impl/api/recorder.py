"""Traces as JSON Lines: the header, then one line per step; and what says of traces that they are layers of one run."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.trace import Step


def lines(header: Mapping[str, object], steps: Iterable[Step]) -> Iterator[bytes]:
    """The trace line by line, each with its newline."""
    encode = msgspec.json.Encoder().encode
    yield encode(header) + b"\n"
    for step in steps:
        yield encode(step) + b"\n"


def record(path: Path, header: Mapping[str, object], steps: Iterable[Step]) -> None:
    """Write the trace to `path`, whole or not at all; `UsageError` if the path cannot be written to.

    `steps` has to end: cut a simulation short first.
    """
    _write(path, lines(header, steps))


def record_stack(folder: Path, stack: str, topics: Mapping[str, Mapping[str, object]]) -> None:
    """Write to `folder`/stack.json that the traces in the folder are one run of a stack, on these topics.

    Each topic has its values by name, such as its key. Raises `UsageError` if that is not possible.
    """
    said = {"format": "gomboc-stack", "version": 1, "stack": stack, "topics": topics}
    _write(folder / "stack.json", [msgspec.json.format(msgspec.json.encode(said), indent=2), b"\n"])


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    # The temporary file stands beside its goal, since a rename is atomic only within one file system.
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            file.writelines(pieces)
        unfinished.replace(path)
    except OSError as error:
        raise UsageError(f"The trace {path} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
