"""Questions of code whether two values are one object, which no symbol can answer: equal texts may be one or two.

The instruction that asks is in every Python from 3.9 on. Others change with each version, so the two values are read in
the source.
"""

import ast
import builtins
import linecache
from collections.abc import Iterator, Mapping
from dis import get_instructions, opmap
from enum import Enum
from itertools import pairwise
from types import BuiltinFunctionType, CellType, CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import Any

from gomboc.checker.prove.closure.paths import Undecided

ASKING = "IS_OP"
"""The instruction that asks; `is None` may have another one, and needs no look."""

Span = tuple[int | None, int | None, int | None, int | None]
"""The first and last line of an expression, and its first and last column in bytes."""

OF_ITS_OWN = type, NoneType, EllipsisType, FunctionType, BuiltinFunctionType, Enum
"""The types of values of which no other one is equal and may stand in their place."""

NO_NAME: Any = ()
"""What stands for the value of an expression that is none of a module's, and may be one of several equal ones."""


def check_identities(function: FunctionType) -> None:
    """Raise Undecided for a function that asks whether two values are one object, unless one is None, a class or such.

    Without the source it is not known which ones, and with an instruction of another name not whether code asks at all.
    """
    codes = [*parts_of(function.__code__)]
    spans = [(code, span) for code in codes for span in _questions(code)]
    if not spans:
        return
    asked, known = _expressions(function), _names(function, codes)
    for code, span in spans:
        if span not in asked:
            raise Undecided(f"{code.co_qualname} may ask by `is` about two values: its source is needed")
        values = asked[span]
        if not all(_is_of_its_own(one, known) or _is_of_its_own(other, known) for one, other in pairwise(values)):
            raise Undecided(f"{code.co_qualname} asks by `is` whether two values are one object: compare them by ==")


def parts_of(code: CodeType) -> Iterator[CodeType]:
    """Code, and that of all functions and comprehensions in it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from parts_of(part)


def around(function: FunctionType) -> dict[str, Any]:
    """The names that a function takes from the functions around it, with their values; without those that have none."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if cell != CellType()}


def _questions(code: CodeType) -> Iterator[Span]:
    """The places of the questions in code; one that is nowhere in a Python without that instruction."""
    if ASKING not in opmap:
        yield (None,) * 4
    for step in get_instructions(code):
        if step.opname == ASKING:
            yield step.positions or (None,) * 4


def _expressions(function: FunctionType) -> dict[Span, tuple[ast.expr, ...]]:
    """The values that each expression of a source compares, by its place: of a pattern or a name, none.

    Python 3.14 asks whether a name is that of a built-in function, at the place of the name.
    """
    source = "".join(linecache.getlines(function.__code__.co_filename, function.__globals__))
    try:
        read = ast.parse(source)
    except SyntaxError:
        # It has changed since.
        return {}
    return {
        (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset): (
            (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
        )
        for node in ast.walk(read)
        if isinstance(node, ast.Compare | ast.MatchSingleton | ast.Name)
    }


def _names(function: FunctionType, codes: list[CodeType]) -> dict[str, Any]:
    """The values of the names that no part of a function assigns."""
    own = {name for code in codes for name in (*code.co_varnames, *code.co_cellvars)}
    every = vars(builtins) | function.__globals__ | around(function)
    return {name: value for name, value in every.items() if name not in own}


def _is_of_its_own(node: ast.expr, known: Mapping[str, Any]) -> bool:
    """Whether an expression has a value that no other one is equal to."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return known.get(node.func.id) is type
    value = _value(node, known)
    if isinstance(value, bool) or type(value) is object:
        return True
    return isinstance(value, OF_ITS_OWN) and not isinstance(value, str | int | float)


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return known.get(name, NO_NAME)
        case ast.Attribute(value=of, attr=name):
            holder = _value(of, known)
            return getattr(holder, name, NO_NAME) if isinstance(holder, ModuleType | type) else NO_NAME
    return NO_NAME
