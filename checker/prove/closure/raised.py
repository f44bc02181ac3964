"""Exceptions along a path: those that code handles are heard, since a symbol may raise one where no real value does.

A function that is given a symbol may refuse it for its type, as `"".join` does, or a bare `except` may catch that z3 is
undecided. Code that goes on after that takes a way that no system takes.
"""

import sys
from dis import opname
from functools import cache
from types import FrameType, TracebackType
from typing import Any

from gomboc.checker.prove.closure.paths import Path, Pruned, Undecided

MACHINERY = "gomboc.checker.", "z3."
"""Modules that may raise and handle any exception."""

OF_REAL_VALUES = KeyError, IndexError, ValueError, ZeroDivisionError
"""Exceptions that the specification's own code raises for symbols just as for the values in their place."""

END = StopIteration, GeneratorExit
"""How a generator ends, in any code."""


class Heard:
    """Has a path take down each exception in code of its packages, `with Heard(path)`, and in code that it calls."""

    def __init__(self, path: Path) -> None:
        self._path, self._roots = path, path.roots
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        sys.settrace(self._called)

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        del event, argument
        module, caller = frame.f_globals.get("__name__", ""), frame.f_back
        heard = caller is not None and caller.f_trace is not None and not f"{module}.".startswith(MACHINERY)
        if not heard and not is_below(module, self._roots):
            return None
        frame.f_trace_lines = False
        return self._within

    def _within(self, frame: FrameType, event: str, argument: Any) -> Any:
        del frame
        if event == "exception":
            self._hear(*argument)
        return self._within

    def _hear(self, kind: type[BaseException], error: BaseException, traceback: TracebackType) -> None:
        if isinstance(error, Pruned):
            self._path.meet(None)
        elif isinstance(error, Undecided):
            self._path.meet(str(error))
        elif kind not in END and not self._is_of_real_values(kind, last(traceback)):
            self._path.meet(f"code handles an exception that a symbol may have raised ({kind.__name__}: {error})")

    def _is_of_real_values(self, kind: type[BaseException], place: TracebackType) -> bool:
        own = is_below(module_of(place), self._roots)
        return is_raised(place, self._roots) or (own and kind in OF_REAL_VALUES)


def is_raised(place: TracebackType, roots: tuple[str, ...]) -> bool:
    """Whether an error comes from a `raise` in code of these packages, and not from a function that it calls."""
    code = place.tb_frame.f_code.co_code
    return is_below(module_of(place), roots) and opname[code[place.tb_lasti]] == "RAISE_VARARGS"


def origin(error: BaseException) -> TracebackType:
    """The place that an error comes from, which was caught."""
    assert error.__traceback__ is not None, "an error that was caught has a place"
    return last(error.__traceback__)


def last(place: TracebackType) -> TracebackType:
    """The innermost place of a traceback."""
    while place.tb_next is not None:
        place = place.tb_next
    return place


def module_of(place: TracebackType) -> str:
    """The name of the module of a place."""
    return str(place.tb_frame.f_globals.get("__name__", ""))


@cache
def is_below(module: str, roots: tuple[str, ...]) -> bool:
    """Whether a module belongs to one of these packages."""
    return any(module == root or module.startswith(f"{root}.") for root in roots)
