"""Shrinking in a process of its own: code of the caller's that hangs or exits ends that process, and nothing else."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
from msgspec.structs import replace

from gomboc.checker.judge.naive import DEFAULT, Options
from gomboc.checker.processes import Heir
from gomboc.checker.shrink.case import Case
from gomboc.checker.shrink.shrink import Shrunk, shrink, shrunk, violated
from gomboc.checker.simulate.redone import redo_of

PROGRAM = "from gomboc.checker.simulate.apart import serve; serve()"

GRACE = 5.0
"""Seconds that a search may take beyond its time, to start and to end, before it is ended."""

AT_ONCE = 1 << 16
"""Bytes that are read at a time."""


class Request(msgspec.Struct, frozen=True):
    """What is to be shrunk, for how long, and whether by new runs.

    Those are of the implementation of that name, or of the one that the header names.
    """

    case: Case
    options: Options
    rerun: bool
    implementation: str | None
    seconds: float


class Progress(msgspec.Struct, frozen=True):
    """How far a search is: the smallest trace, how many were tried, whether it is a new run; why it ended, if it has.

    `lost`: its process hung or ended on the way.
    """

    case: Case | None = None
    tried: int = 0
    run: bool = False
    why: str = ""
    lost: bool = False


def shrink_apart(
    case: Case, options: Options = DEFAULT, implementation: str | None = None, seconds: float = 60.0
) -> Shrunk:
    """The same as `shrink`, with new runs of the implementation that the header names, or of the one of that name.

    Where the search hangs or its process ends, the smallest trace until then is the result. If not even a new run of
    the trace itself came to an end, the trace is cut in the rest of the time. Raises UsageError if nothing is violated.
    """
    judgement, kind = violated(case, options)
    until = time.monotonic() + seconds
    found = _searched(Request(case, options, True, implementation, seconds))
    if found.case is None and found.lost:
        left = max(0.0, until - time.monotonic())
        cut = _searched(Request(case, options, False, None, left))
        found = replace(cut, why=f"a new run of it was tried, but {found.why}; {cut.why}")
    if found.case is None:
        return shrunk(case, case, judgement, kind, found.tried, found.why, found.run)
    judgement, _ = violated(found.case, options)
    return shrunk(case, found.case, judgement, kind, found.tried, found.why, found.run)


def _searched(request: Request) -> Progress:
    """How far a search came, and why no further. The first new run may take half of the time."""
    found, began = Progress(), time.monotonic() + GRACE
    with _process() as process:
        try:
            _ask(process, msgspec.json.encode(request))
            for said in _said(process, began + request.seconds / 2, began + request.seconds):
                found = said
        except TimeoutError:
            return replace(found, why="its process did not answer in time, and was ended", lost=True)
        if found.why:
            return found
        return replace(found, why=f"its process ended with exit code {process.wait()}", lost=True)


@contextmanager
def _process() -> Iterator[subprocess.Popen[bytes]]:
    """A process that serves, and ends with this one."""
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
    """Hand the request over. A process that has ended already says nothing, which is noticed then."""
    assert process.stdin is not None, "it has a pipe"
    with suppress(BrokenPipeError), process.stdin as pipe:
        pipe.write(request)


def _said(process: subprocess.Popen[bytes], first: float, last: float) -> Iterator[Progress]:
    """What the process says, until it ends. Raises TimeoutError if nothing is said until `first`, or after `last`."""
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
    """Answer the request on standard input. Nothing that code of the caller's prints is part of the answer."""
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

        def say(progress: Progress) -> None:
            answers.write(msgspec.json.encode(progress) + b"\n")
            answers.flush()

        _answer(msgspec.json.decode(sys.stdin.buffer.read(), type=Request), say)


def _answer(request: Request, say: Callable[[Progress], None]) -> None:
    """Shrink, and say how far that is. Code of the caller's may raise what is no Exception."""
    best = Progress()

    def note(case: Case, tried: int, run: bool) -> None:
        nonlocal best
        best = Progress(case, tried, run)
        say(best)

    try:
        redo = redo_of(request.case.header, request.implementation) if request.rerun else None
        found = shrink(request.case, request.options, redo, request.seconds, note=note)
        say(Progress(found.case, found.tried, found.run, found.why))
    except BaseException as error:  # noqa: BLE001  # the smallest trace until then is the result
        say(replace(best, why=f"the search ended with {type(error).__name__}: {error}", lost=True))
