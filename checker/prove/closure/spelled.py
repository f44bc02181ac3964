"""Texts that are made out of symbols: what becomes of one is not followed, so only errors and faults may say some."""

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import msgspec

from gomboc.checker.prove.closure.paths import Path, Undecided
from gomboc.checker.prove.closure.raised import Heard
from gomboc.checker.prove.closure.symbols import MARK, Symbol
from gomboc.spec.core.model import Fault


def check_spelled(path: Path, since: int, error: ValueError | None = None, place: TracebackType | None = None) -> None:
    """Raises Undecided if a rule made texts out of symbols, other than in the `raise` of an error that says them.

    It may have compared them, or looked them up.
    """
    made, allowed = path.spelled[since:], 0
    if place is not None:
        inside = [code is place.tb_frame.f_code and line >= place.tb_lineno for code, line in made]
        allowed = str(error).count(MARK) if all(inside) else 0
    if len(made) != allowed:
        raise Undecided("a rule makes a text out of a name or number")


def faults_of(path: Path, predicate: Callable[..., tuple[Fault, ...]], *values: Any) -> tuple[Fault, ...]:
    """The faults that a predicate finds. Raises Undecided if it made texts out of symbols that no fault says."""
    since = len(path.spelled)
    with Heard(path):
        faults = tuple(predicate(*values))
    if len(path.spelled) - since != "".join(_texts(faults)).count(MARK):
        raise Undecided("a conjunct makes a text out of a name or number")
    return faults


def told(path: Path, what: str, function: Callable[..., Any], *values: Any) -> Any:
    """What a function says of symbols. Raises Undecided if it made texts out of them; `what` names it."""
    since = len(path.spelled)
    with Heard(path):
        answer = function(*values)
    if len(path.spelled) != since:
        raise Undecided(f"{what} makes a text out of a name or number")
    return answer


def is_so(path: Path, what: str, function: Callable[..., Any], *values: Any) -> bool:
    """Whether a function says True. Raises Undecided if it does not say True or False, such as a term of z3."""
    answer = told(path, what, function, *values)
    if not isinstance(answer, bool):
        raise Undecided(f"{what} is to be True or False, and is {str(answer).replace(MARK, '')}")
    return answer


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value, without symbols."""
    match value:
        case Symbol():
            return
        case str():
            yield value
        case msgspec.Struct():
            for field in value.__struct_fields__:
                yield from _texts(getattr(value, field))
        case tuple():
            for part in value:
                yield from _texts(part)
