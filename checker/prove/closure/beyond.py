"""Values that functions of a protocol see beyond their arguments: closure is open if one may change between two calls.

A value with a name in a module is taken for a constant if no function assigns the name, if the value is no source of
other ones, such as a clock, and if no step changes it.
"""

import builtins
import datetime
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence, MutableSet
from dis import get_instructions, opmap
from types import BuiltinMethodType, CodeType, FunctionType, ModuleType
from typing import Any

import msgspec

from gomboc.checker.prove.closure.identities import around, parts_of
from gomboc.checker.prove.closure.paths import Undecided

OUTSIDE = frozenset({"os", "posix", "nt", "random", "_random", "secrets", "socket", "threading", "time", "uuid"})
"""Modules that say something else at each call."""

ANEW = open, input, id, datetime.datetime, datetime.date
"""Functions and classes that do so."""

LOADS, STORES = frozenset({"LOAD_GLOBAL", "LOAD_NAME"}), frozenset({"STORE_GLOBAL", "DELETE_GLOBAL"})
"""The instructions that read a name of a module, and that assign it."""

Collection: Any = MutableMapping | MutableSequence | MutableSet


class Beyond:
    """The collections, classes and objects that functions see beyond their arguments, as they are now.

    Raises Undecided for a function that sees a value which may change, or that assigns one.
    """

    def __init__(self, functions: Iterable[FunctionType]) -> None:
        self._kept: dict[int, tuple[str, Any, list[Any]]] = {}
        for function in functions:
            for name, value in _seen(function):
                where = f"{name} of {function.__module__}"
                if why := _why_not_constant(value):
                    raise Undecided(f"{function.__qualname__} looks at {where}, {why}: give it as an argument")
                self._kept[id(value)] = where, value, [*_parts(value)]

    def insist(self) -> None:
        """Raise Undecided if one of them has changed."""
        for where, value, before in self._kept.values():
            now = [*_parts(value)]
            if len(now) != len(before) or any(one is not other for one, other in zip(now, before, strict=True)):
                raise Undecided(f"{where} is changed by a step: keep nothing out of local states")


def _seen(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The values that a function sees by a name of its module, around it, or as a default.

    Raises Undecided if it assigns a name of its module.
    """
    code = function.__code__
    yield from around(function).items()
    defaults = function.__defaults__ or ()
    yield from zip(code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True)
    yield from (function.__kwdefaults__ or {}).items()
    every = vars(builtins) | function.__globals__
    for name in dict.fromkeys(_globals(code)):
        if name in every:
            yield name, every[name]


def _globals(code: CodeType) -> Iterator[str]:
    if not opmap.keys() >= LOADS | STORES:
        raise Undecided("this Python has other instructions, by which a function may look beyond its arguments")
    for part in parts_of(code):
        for step in get_instructions(part):
            if step.opname in STORES:
                assigned = f"{part.co_qualname} assigns {step.argval}"
                raise Undecided(f"{assigned}, which stays: keep nothing out of local states")
            if step.opname in LOADS:
                yield str(step.argval)


def _why_not_constant(value: Any) -> str:
    """Why a value may be another one at the next call; empty if it is a constant as far as can be seen."""
    of = value.__self__ if isinstance(value, BuiltinMethodType) and value.__self__ is not None else value
    module = of.__name__ if isinstance(of, ModuleType) else (of if callable(of) else type(of)).__module__
    if any(value is one for one in ANEW) or (not isinstance(value, type) and module in OUTSIDE):
        return "which is another one at each call"
    if isinstance(value, Iterator):
        return "which is at another place at each call"
    return "which is empty, and of use only if it changes" if isinstance(value, Collection) and not value else ""


def _parts(value: Any) -> Iterator[Any]:
    """The items, entries and fields of a value in the place of which others may be put."""
    if isinstance(value, Collection):
        yield from value
    if isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, msgspec.Struct):
        yield from (getattr(value, field) for field in value.__struct_fields__)
    elif hasattr(value, "__dict__") and not isinstance(value, ModuleType):
        yield from (part for name, part in vars(value).items() if not name.startswith("_"))
