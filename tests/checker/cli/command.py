"""The command `gomboc` as a user calls it, without the half second that another process costs."""

import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from math import inf
from typing import NamedTuple
from unittest.mock import patch

from gomboc.checker.cli import main
from gomboc.checker.core import progress

NOT_OURS = "it has no .gomboc that says that gomboc wrote it, so it is not overwritten."


class Ran(NamedTuple):
    """The exit code of a call, and its texts."""

    code: int
    out: str
    err: str


def gomboc(*words: object, cores: int = 1) -> Ran:
    """Its output and its exit code. Any exception but the exit is a traceback that a user would see.

    It works in this process unless `words` ask for --jobs, Spark or a gate: another takes half a second to begin.
    """
    parallel = not {"spark", "gate"}.isdisjoint(words) or any(str(word).startswith("--jobs") for word in words)
    with nullcontext() if parallel else patch.object(os, "cpu_count", lambda: cores):
        return called(main, *words)


def called(program: Callable[[], object], *words: object) -> Ran:
    """The output and the exit code of a program with these words, in this process."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    argv = patch.object(sys, "argv", ["gomboc", *map(str, words)])
    # Otherwise click says "python -m pytest.gomboc", since that is how this process was started.
    as_a_script = patch.object(sys.modules["__main__"], "__package__", None)
    # On a busy machine any call may take ten seconds, and say how far it has come.
    without_progress = patch.object(progress, "PLAIN_SECONDS", inf)
    code = 0
    with argv, as_a_script, without_progress, redirect_stdout(out), redirect_stderr(err):
        try:
            program()
        except SystemExit as exited:
            code = int(exited.code or 0)
    return Ran(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def refused(*words: object) -> str:
    """The one sentence with which a call is refused, under exit code 2, with nothing on standard output."""
    ran = gomboc(*words)
    assert (ran.code, ran.out) == (2, ""), ran
    return ran.err
