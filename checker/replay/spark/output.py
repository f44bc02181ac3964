"""The output of Java and its Python workers, without the lines that need no reaction."""

import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO

# Each worker prints these on every start, at no log level.
_CHATTER = ("Current mem limits:", "Setting mem limits to")

_TRACEBACK = "Traceback (most recent call last):"

_BROKEN_PIPE = re.compile(r"BrokenPipeError: \[Errno \d+\] Broken pipe")

# The frames of a worker between two tasks, and the carets that newer Pythons draw below them.
_BETWEEN_TASKS = re.compile(r'  File ".*pyspark/daemon\.py", line \d+, in (?:manager|worker)|    .*')


@dataclass(slots=True)
class Output:
    """Output of Java and its workers: kept until the session is up, forwarded to standard error from then on."""

    forwarding: bool = False
    last: deque[str] = field(default_factory=lambda: deque(maxlen=200))

    def read(self, stream: IO[bytes]) -> None:
        """Reads `stream` to its end, line by line."""
        for line in worth_telling(line.decode(errors="replace").rstrip() for line in iter(stream.readline, b"")):
            self.last.append(line)
            if self.forwarding:
                # Looked up at each line: a progress display puts its own stream there while it is on screen.
                print(line, file=sys.stderr, flush=True)


def worth_telling(lines: Iterable[str]) -> Iterator[str]:
    """`lines` without empty ones, chatter, and the last output of workers that Spark dismissed.

    Spark closes the connection of a worker that had no task for a minute; the worker takes that for an error, fails to
    report it over that connection, and prints where. Several may do so at once, line between line. A traceback is held
    back until its frames show whether it comes from a dismissed worker.
    """
    held: list[str] = []
    dismissed = False
    for line in lines:
        if not line or line.startswith(_CHATTER):
            continue
        if line == _TRACEBACK or ((held or dismissed) and _BETWEEN_TASKS.fullmatch(line)):
            held.append(line)
            continue
        if _BROKEN_PIPE.fullmatch(line) and (dismissed or any(map(_BETWEEN_TASKS.fullmatch, held))):
            held, dismissed = [], True
            continue
        yield from held
        held, dismissed = [], False
        yield line
    yield from held
