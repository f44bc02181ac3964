"""Small changes of a source text, made by rule: every place where one can be made, and the text there afterwards."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from tests.tree.words import statements

COMPARED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: (" in ", " not in "),
    ast.NotIn: (" not in ", " in "),
    ast.Is: (" is ", " is not "),
    ast.IsNot: (" is not ", " is "),
}
COMPUTED = {ast.Add: (" + ", " - "), ast.Sub: (" - ", " + "), ast.BitOr: (" | ", " & "), ast.BitAnd: (" & ", " | ")}
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}
LEFT_OUT = ("assert", "import", "from", "@", "raise", "del ", "class ")
"""The beginnings of statements that are not changed: they decide nothing, or only the text of an error."""


class Spot(msgspec.Struct, frozen=True):
    """In line `line`, counted from 1, the text from `start` to `end` becomes `new`."""

    line: int
    start: int
    end: int
    new: str


@cache
def spots(text: str) -> tuple[Spot, ...]:
    """Every place in a source text, in order."""
    lines = text.split("\n")
    tree = ast.parse(text)
    candidates = {spot for node in ast.walk(tree) for spot in _of(node, lines) if spot is not None}
    passed_over = _passed_over(tree)
    kept = (
        spot
        for spot in candidates
        if spot.line not in passed_over and not lines[spot.line - 1].strip().startswith(LEFT_OUT)
    )
    return tuple(sorted(kept, key=lambda spot: (spot.line, spot.start, spot.new)))


def _passed_over(tree: ast.Module) -> set[int]:
    """The lines with annotations, and those of decorators and of the arguments of functions."""
    lines: set[int] = set()
    for node in statements(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            lines |= {
                line for decorator in node.decorator_list for line in range(decorator.lineno, _last(decorator) + 1)
            }
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines |= set(range(node.lineno, node.body[0].lineno))
        if isinstance(node, ast.AnnAssign):
            lines |= set(range(node.lineno, _last(node) + 1))
    return lines


def _of(node: ast.AST, lines: Sequence[str]) -> Iterator[Spot | None]:
    """The places of one node of the tree. Bytes are characters in our sources, but where papers' letters stand."""
    match node:
        case ast.Compare(left, [operator], [right]):
            yield _between(left, right, COMPARED.get(type(operator)), lines)
        case ast.BinOp(left, operator, right) if type(operator) in COMPUTED:
            yield _between(left, right, COMPUTED[type(operator)], lines)
        case ast.BoolOp(operator, [*_, last_but_one, last]):
            words = (" and ", " or ") if isinstance(operator, ast.And) else (" or ", " and ")
            yield _between(last_but_one, last, words, lines)
        case ast.UnaryOp(ast.Not()):
            # Not up to the operand: it may begin behind a parenthesis.
            yield _replaced(node, len("not "), "", lines)
        case ast.Constant(bool(value)):
            yield _replaced(node, len(str(value)), str(not value), lines)
        case ast.Constant(int(value)):
            yield _replaced(node, _length(node), str(value + 1), lines)
        case ast.Call(ast.Name(name)) if name in CALLED:
            yield _replaced(node, len(name), CALLED[name], lines)
        case ast.If(test) | ast.While(test) if test.lineno == test.end_lineno:
            yield _replaced(test, _length(test), f"not ({_text(test, lines)})", lines)
        case ast.Expr(ast.Call()) if node.lineno == node.end_lineno:
            yield _replaced(node, _length(node), "pass", lines)
        case ast.Return(value) if value is not None and node.lineno == node.end_lineno:
            yield _replaced(value, _length(value), "None", lines)


def _between(left: Any, right: ast.expr, words: tuple[str, str] | None, lines: Sequence[str]) -> Spot | None:
    """A change of the operator between two operands on one line, if it stands there once."""
    if words is None or left.end_lineno != right.lineno or not lines[left.end_lineno - 1].isascii():
        return None
    between = lines[left.end_lineno - 1][left.end_col_offset : right.col_offset]
    if between.count(words[0]) != 1:
        return None
    start = left.end_col_offset + between.index(words[0])
    return Spot(left.end_lineno, start, start + len(words[0]), words[1])


def _replaced(node: Any, length: int, new: str, lines: Sequence[str]) -> Spot | None:
    line = lines[node.lineno - 1]
    if not line.isascii() or line[node.col_offset : node.col_offset + length] == new:
        return None
    return Spot(node.lineno, node.col_offset, node.col_offset + length, new)


def _last(node: Any) -> int:
    last: int = node.end_lineno
    return last


def _length(node: Any) -> int:
    length: int = node.end_col_offset - node.col_offset
    return length


def _text(node: Any, lines: Sequence[str]) -> str:
    return lines[node.lineno - 1][node.col_offset : node.end_col_offset]
