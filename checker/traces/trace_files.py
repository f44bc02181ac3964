"""Trace files: their names, what is read from them if they are compressed, and a trace on standard input.

A trace file ends in `.jsonl`, `.jsonl.gz` or `.jsonl.zst`. The path `-` is standard input, which is copied to a
temporary file first: a trace may be read several times, and by several processes.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, Protocol, cast

from gomboc.checker.core.errors import UsageError, lacking
from gomboc.checker.core.folder import files_below

PLAIN, GZIP, ZSTD = ".jsonl", ".gz", ".zst"
ENDINGS = (PLAIN, PLAIN + GZIP, PLAIN + ZSTD)
"""The endings of trace files."""

SIGNATURES = {b"\x1f\x8b": GZIP, b"\x28\xb5\x2f\xfd": ZSTD}
"""The first bytes of compressed content, by which standard input is recognised: it has no name."""

STANDARD_INPUT = Path("-")

SPOOLED = "GOMBOC_STANDARD_INPUT"
"""The environment variable with the path of the copy of standard input: processes that are started inherit it."""

OF_ONE_COMPRESSED = 12
"""Bytes of traces that become one, about, when they are compressed."""

NO_TRACE = "there is no trace in it; traces are files that end in .jsonl, .jsonl.gz or .jsonl.zst."


class Lines(Protocol):
    """A file as readers of traces need it."""

    def readline(self, limit: int, /) -> bytes:
        """The next line with its newline, or its first `limit` bytes; nothing at the end."""


def is_trace(name: str) -> bool:
    """Whether a file of that name is a trace."""
    return name.endswith(ENDINGS)


def trace_name(name: str) -> str:
    """The name of a trace file without its ending; `stdin` for standard input."""
    if name == str(STANDARD_INPUT):
        return "stdin"
    return next((name.removesuffix(ending) for ending in ENDINGS if name.endswith(ending)), name)


def traces_below(folder: Path) -> list[Path]:
    """The trace files below a folder, in order.

    Raises UsageError if a folder cannot be read, and for a trace that is there both plain and compressed: one of the
    two may be older, and both would be counted.
    """
    paths = files_below(folder, ENDINGS)
    first: dict[Path, Path] = {}
    for path in paths:
        other = first.setdefault(path.with_name(trace_name(path.name)), path)
        if other is not path:
            raise UsageError(f"{path}: {other.name} beside it is the same trace: remove one of the two.")
    return paths


def some_traces_below(folder: Path) -> list[Path]:
    """The same. Raises UsageError also if there is none."""
    paths = traces_below(folder)
    if not paths:
        raise UsageError(f"{folder}: {NO_TRACE}")
    return paths


@contextmanager
def open_lines(path: Path) -> Iterator[Lines]:
    """The lines of a file, decompressed if its name says that it is compressed.

    Raises UsageError, with the line, where compressed content is damaged or cut off.
    """
    content = _content_of(path)
    try:
        file = content.open("rb")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}.") from error
    with file:
        if content.suffix not in (GZIP, ZSTD):
            yield file
            return
        yield _Decompressed(path, content.suffix, _decompressed(path, file, content.suffix))


def trace_size(path: Path) -> int:
    """The bytes of a trace, about, if it is compressed; 0 if there is none."""
    content = _content_of(path)
    try:
        size = content.stat().st_size
    except OSError:
        return 0
    return size * OF_ONE_COMPRESSED if content.suffix in (GZIP, ZSTD) else size


def read_whole(path: Path) -> bytes:
    """The content of a file, decompressed if its name says that it is compressed. Raises UsageError."""
    with open_lines(path) as lines:
        return b"".join(iter(lambda: lines.readline(-1), b""))


def compressed(path: Path, content: bytes) -> bytes:
    """The content of a file as the ending of its name asks for it. Raises UsageError if a package is missing."""
    if path.suffix == GZIP:
        import gzip

        # Without the time: the same trace is the same file.
        return gzip.compress(content, mtime=0)
    if path.suffix == ZSTD:
        return bytes(_pyarrow(path).compress(content, codec="zstd", asbytes=True))
    return content


@contextmanager
def standard_input() -> Iterator[Path]:
    """Copy standard input to where `-` is read from, for as long as the body runs. Raises UsageError if it is taken."""
    if os.environ.get(SPOOLED):
        raise UsageError("-: standard input can be read once: name it once.")
    if sys.stdin is None:
        raise UsageError("-: there is no standard input.")
    with TemporaryDirectory(prefix="gomboc-") as folder:
        copy = Path(folder, f"stdin{PLAIN}")
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        os.environ[SPOOLED] = str(_named_by_content(copy))
        try:
            yield STANDARD_INPUT
        finally:
            del os.environ[SPOOLED]


def _named_by_content(path: Path) -> Path:
    with path.open("rb") as file:
        first = file.read(4)
    ending = next((ending for signature, ending in SIGNATURES.items() if first.startswith(signature)), "")
    return path.rename(path.with_name(path.name + ending))


def _content_of(path: Path) -> Path:
    """The file with the content of a path: of `-`, the copy of standard input."""
    spooled = os.environ.get(SPOOLED)
    return Path(spooled) if spooled and path == STANDARD_INPUT else path


class _Decompressed:
    """Lines of compressed content. What goes wrong is said with the line: numbers are those of the content."""

    def __init__(self, path: Path, ending: str, file: BinaryIO) -> None:
        self._path = path
        self._kind = ending.removeprefix(".")
        self._file = file
        self._line = 0

    def readline(self, limit: int, /) -> bytes:
        """The next line."""
        self._line += 1
        try:
            return self._file.readline(limit)
        except Exception as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> Exception:
        """The sentence for what a decompressor raised; zlib, gzip and pyarrow each raise types of their own."""
        if isinstance(error, OSError) and error.errno is not None:
            return error
        where = f"{self._path}:{self._line}: the {self._kind} content"
        if isinstance(error, EOFError) or "Truncated" in str(error):
            return UsageError(f"{where} is cut off: copy or compress the file anew.")
        return UsageError(f"{where} is damaged: copy or compress the file anew.")


def _decompressed(path: Path, file: BinaryIO, ending: str) -> BinaryIO:
    if ending == GZIP:
        import gzip

        return cast(BinaryIO, gzip.GzipFile(fileobj=file))
    import io

    pyarrow = _pyarrow(path)
    return io.BufferedReader(pyarrow.CompressedInputStream(pyarrow.PythonFile(file, mode="r"), "zstd"))


def _pyarrow(path: Path) -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        raise UsageError(lacking(f"{path}: zst", "pyarrow")) from error
    return pyarrow
