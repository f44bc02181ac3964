"""Shrinking in a process of its own: user code that hangs or exits ends that process, and nothing else."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from gomboc.checker.core.processes.heir import Heir
from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.shrink.case import TraceCase
from gomboc.checker.shrink.shrink import Shrunk, shrink, shrunk, violated
from gomboc.checker.simulate.redone import redo_of

PROGRAM = "from gomboc.checker.simulate.apart import serve; serve()"

GRACE = 5.0
"""Seconds that a search may take beyond its time, to start and to end, before its process is killed."""

AT_ONCE = 1 << 16
"""Bytes that are read at a time."""


class Request(msgspec.Struct, frozen=True):
    """A request to shrink a case, for a number of seconds, by new runs or not.

    New runs use the named implementation, or, without a name, the one of the trace's header.
    """

    case: TraceCase
    options: Options
    rerun: bool
    implementation: str | None
    seconds: float


class Progress(msgspec.Struct, frozen=True):
    """Progress of a search: the smallest trace, the number of tries, whether it is a new run; the reason of its end.

    `why` is empty while it goes on.

    `lost`: its process hung or ended before it was done.
    """

    case: TraceCase | None = None
    tried: int = 0
    run: bool = False
    why: str = ""
    lost: bool = False


def shrink_apart(
    case: TraceCase, options: Options = DEFAULT, implementation: str | None = None, seconds: float = 60.0
) -> Shrunk:
    """The same as `shrink`, with new runs of the named implementation, or, without a name, of the one of the header.

    If the search hangs or its process ends, the smallest trace until then is the result. If not even a new run of
    the trace itself came to an end, the trace is cut in the rest of the time. Raises UsageError if nothing is violated.
    """
    judgement, kind = violated(case, options)
    until = time.monotonic() + seconds
    progress = _searched(Request(case, options, True, implementation, seconds))
    if progress.case is None and progress.lost:
        left = max(0.0, until - time.monotonic())
        cut = _searched(Request(case, options, False, None, left))
        progress = replace(cut, why=f"a new run of it was tried, but {progress.why}; {cut.why}")
    if progress.case is None:
        return shrunk(case, case, judgement, kind, progress.tried, progress.why, progress.run)
    judgement, _ = violated(progress.case, options)
    return shrunk(case, progress.case, judgement, kind, progress.tried, progress.why, progress.run)


def _searched(request: Request) -> Progress:
    """The last progress of a search, with the reason of its end. The first new run may take half of the time."""
    progress, began = Progress(), time.monotonic() + GRACE
    with _process() as process:
        try:
            _ask(process, msgspec.json.encode(request))
            for said in _progress_lines(process, began + request.seconds / 2, began + request.seconds):
                progress = said
        except TimeoutError:
            return replace(progress, why="its process did not answer in time, and was ended", lost=True)
        if progress.why:
            return progress
        return replace(progress, why=f"its process ended with exit code {process.wait()}", lost=True)


@contextmanager
def _process() -> Iterator[subprocess.Popen[bytes]]:
    """A process that runs `serve`, and is killed with this one."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=nowhere
    )
    heir = Heir('kill -9 "$1"', str(process.pid))
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout)):
            pipe.close()
        heir.dismiss()


def _ask(process: subprocess.Popen[bytes], request: bytes) -> None:
    """Send the request. If the process has ended already, the missing answer shows it."""
    assert process.stdin is not None, "it has a pipe"
    with suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(request)


def _progress_lines(process: subprocess.Popen[bytes], first: float, last: float) -> Iterator[Progress]:
    """The answers of the process, until it ends.

    Raises TimeoutError if there is none until `first`, or after `last`.
    """
    assert process.stdout is not None, "it has a pipe"
    decoder, unread, until = msgspec.json.Decoder(Progress), b"", first
    while select.select([process.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
        read = os.read(process.stdout.fileno(), AT_ONCE)
        if not read:
            return
        *lines, unread = (unread + read).split(b"\n")
        yield from map(decoder.decode, lines)
        until = last
    raise TimeoutError


def serve() -> None:
    """Answer the request on standard input. Output that user code prints is no part of the answer."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

        def say(progress: Progress) -> None:
            answers.write(msgspec.json.encode(progress) + b"\n")
            answers.flush()

        _answer(msgspec.json.decode(sys.stdin.buffer.read(), type=Request), say)


def _answer(request: Request, say: Callable[[Progress], None]) -> None:
    """Shrink, and report the progress. User code may raise a BaseException that is no Exception."""
    best = Progress()

    def note(case: TraceCase, tried: int, run: bool) -> None:
        nonlocal best
        best = Progress(case, tried, run)
        say(best)

    try:
        redo = redo_of(request.case.header, request.implementation) if request.rerun else None
        result = shrink(request.case, request.options, redo, request.seconds, note=note)
        say(Progress(result.case, result.tried, result.run, result.why))
    except BaseException as error:  # noqa: BLE001  # the smallest trace until then is the result
        say(replace(best, why=f"the search ended with {type(error).__name__}: {error}", lost=True))
