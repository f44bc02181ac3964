"""Which lines of some functions are never executed while something else is done."""

import dis
import inspect
import linecache
import sys
from typing import Any


def unreached(functions: Any, action: Any) -> Any:
    """The lines of the functions, as written, that `action` does not execute."""
    codes = {code_of(function) for function in functions}
    missing = {(code, number): line for code in codes for number, line in lines_of(code).items()}
    for function in functions:
        if hasattr(function, "cache_clear"):
            function.cache_clear()

    def trace(frame: Any, event: str, _argument: Any) -> Any:
        if frame.f_code not in codes:
            return None
        if event == "line":
            missing.pop((frame.f_code, frame.f_lineno), None)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return set(missing.values())


def code_of(function: Any) -> Any:
    """The code of a function without its wrappers."""
    return inspect.unwrap(function).__code__


def lines_of(code: Any) -> dict[int, str]:
    """The lines of code below its first one, by number."""
    numbers = {number for _, number in dis.findlinestarts(code) if number and number > code.co_firstlineno}
    return {number: linecache.getline(code.co_filename, number).strip() for number in numbers}
