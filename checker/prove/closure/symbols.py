"""Symbols in the place of names, other texts and numbers: each comparison is decided by the path."""

import numbers
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Never

import msgspec
import z3

from gomboc.checker.prove.closure.paths import Path, Undecided, all_quietly
from gomboc.checker.prove.lemma import Term

MARK = "\ue000"
"""A character in each text that is made out of a symbol; no specification has it."""

RANK = z3.Function("rank", z3.IntSort(), z3.IntSort())
"""The place of a text in the order of texts."""


@all_quietly
class Symbol:
    """A text that is known by its comparisons only: a whole number of z3, different for different texts.

    `spelled(number)` is the text for a number, in counterexamples. `ordered`: whether texts have the order of their
    numbers; otherwise they have an unknown one. `free`: whether it may be a text that the specification's code has. A
    hash says nothing, so that sets and tables compare.
    """

    __slots__ = ("free", "ordered", "path", "spelled", "term")

    def __init__(
        self, path: Path, term: Term, spelled: Callable[[int], Any], ordered: bool = False, free: bool = False
    ) -> None:
        self.path, self.term, self.spelled, self.ordered, self.free = path, term, spelled, ordered, free

    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        """A rule that asks for the type of a value is told that of a text."""
        return str

    def __getattr__(self, name: str) -> Any:
        return refused(str, name)

    def __eq__(self, other: object) -> Any:
        if self is other or not isinstance(other, str):
            return True if self is other else NotImplemented
        term = self._beside(other)
        return term is not None and self.path.decide(self.term == term)

    def __ne__(self, other: object) -> Any:
        return not self == other if isinstance(other, str) else NotImplemented

    def __lt__(self, other: object) -> Any:
        return self._before(self, other)

    def __gt__(self, other: object) -> Any:
        return self._before(other, self)

    def __le__(self, other: object) -> Any:
        after = self > other if isinstance(other, str) else NotImplemented
        return after if after is NotImplemented else not after

    def __ge__(self, other: object) -> Any:
        before = self < other if isinstance(other, str) else NotImplemented
        return before if before is NotImplemented else not before

    def __hash__(self) -> int:
        return self.path.hash_of(self.term) if self.free else 0

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return self._read()

    def __iter__(self) -> Iterator[str]:
        return self._read()

    def __getitem__(self, index: object) -> str:
        return self._read()

    def __contains__(self, part: object) -> bool:
        return self._read()

    def _read(self) -> Never:
        raise Undecided("a text is read letter by letter that is known by comparisons only")

    def __repr__(self) -> str:
        return _text_of(self.path, self.term)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return _text_of(self.path, self.term)

    def _beside(self, other: Any) -> Term | None:
        """The other text's number; None for a value that is certainly another one."""
        if isinstance(other, Symbol):
            return other.term
        if MARK in other:
            raise Undecided("a text that is made out of a name is compared")
        return self._known(other)

    def _known(self, text: str) -> Term | None:
        """The number of a text that code has.

        No symbol stands for one, but for a name that every system has, if it is not free.
        """
        if text in self.path.fixed:
            return z3.IntVal(self.path.fixed[text])
        return z3.IntVal(self.path.number_of(text)) if self.free else None

    def _before(self, one: Any, other: Any) -> Any:
        if not isinstance(one, str) or not isinstance(other, str):
            return NotImplemented
        first, second = self._beside(one), self._beside(other)
        if first is None or second is None:
            raise Undecided("the order of a name and a text of the code is not known")
        if self.ordered:
            return self.path.decide(first < second)
        self.path.add(z3.Implies(RANK(first) == RANK(second), first == second))
        for lower, higher in pairwise(self.path.texts_in_order()):
            self.path.add(RANK(lower) < RANK(higher))
        return self.path.decide(RANK(first) < RANK(second))


@all_quietly
class Text(Symbol):
    """A text that is no name. If it is not free, nothing is known of how it compares with a text that code has."""

    __slots__ = ()

    __hash__ = Symbol.__hash__

    def __bool__(self) -> bool:
        return not self.free or bool(self != "")

    def _known(self, text: str) -> Term | None:
        if not self.free:
            raise Undecided(f"a text is compared with {text!r}")
        return super()._known(text)


@all_quietly
class Number:
    """A whole number of z3. Only what decides a path is computed.

    Where its value itself is needed, as by a table, a range or an index, a path is taken for each value that it can
    have; if these are many, the path is undecided.
    """

    __slots__ = ("path", "term")

    def __init__(self, path: Path, term: Term) -> None:
        self.path, self.term = path, term

    @property  # type: ignore[misc]
    def __class__(self) -> type[Any]:
        """A rule that asks for the type of a value is told that of a whole number."""
        return int

    def __getattr__(self, name: str) -> Any:
        return refused(int, name)

    def __eq__(self, other: object) -> Any:
        return self.path.decide(self.term == term_of(other)) if _is_number(other) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return not self == other if _is_number(other) else NotImplemented

    def __lt__(self, other: object) -> Any:
        return self.path.decide(self.term < term_of(other)) if _is_number(other) else NotImplemented

    def __le__(self, other: object) -> Any:
        return self.path.decide(self.term <= term_of(other)) if _is_number(other) else NotImplemented

    def __gt__(self, other: object) -> Any:
        return self.path.decide(self.term > term_of(other)) if _is_number(other) else NotImplemented

    def __ge__(self, other: object) -> Any:
        return self.path.decide(self.term >= term_of(other)) if _is_number(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(int(self))

    def __bool__(self) -> bool:
        return self.path.decide(self.term != 0)

    def __repr__(self) -> str:
        return _text_of(self.path, self.term)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return _text_of(self.path, self.term)

    def __add__(self, other: object) -> "Number":
        return Number(self.path, self.term + term_of(other))

    def __sub__(self, other: object) -> "Number":
        return Number(self.path, self.term - term_of(other))

    def __rsub__(self, other: object) -> "Number":
        return Number(self.path, term_of(other) - self.term)

    def __mul__(self, other: object) -> "Number":
        return Number(self.path, self.term * term_of(other))

    def __neg__(self) -> "Number":
        return Number(self.path, -self.term)

    def __abs__(self) -> "Number":
        return Number(self.path, z3.If(self.term < 0, -self.term, self.term))

    __radd__, __rmul__ = __add__, __mul__

    def __mod__(self, other: object) -> "Number":
        """The rest; by cases where the number is at most once around, which z3 likes better."""
        size = term_of(other)
        if not self.path.decide(size > 0):
            raise Undecided("a rest is taken of a division by a number that may be 0 or less")
        if self.path.decide(z3.And(-size <= self.term, self.term < 2 * size)):
            above = z3.If(self.term >= size, self.term - size, self.term)
            return Number(self.path, z3.If(self.term < 0, self.term + size, above))
        return Number(self.path, self.term % size)

    def __floordiv__(self, other: object) -> "Number":
        size = term_of(other)
        if not self.path.decide(size > 0):
            raise Undecided("a number is divided by one that may be 0 or less")
        return Number(self.path, self.term / size)

    def __index__(self) -> int:
        return self.path.value_of(self.term)

    __int__ = __index__


def _text_of(path: Path, term: Term) -> str:
    """A text for a symbol. Its path takes down the code that asks for it, since what becomes of it is not followed."""
    made = sys._getframe(2)  # noqa: SLF001
    path.spelled.append((made.f_code, made.f_lineno))
    return f"{MARK}{term}"


def _is_number(value: object) -> bool:
    """Whether a value is a whole number. Raises Undecided for another number, which may be the same one."""
    if isinstance(value, int):
        return True
    if isinstance(value, numbers.Number):
        raise Undecided(f"a whole number is compared with {value!r}")
    return False


def term_of(value: object) -> Term:
    """The term of a number. Raises Undecided for other values."""
    if isinstance(value, Number):
        return value.term
    if isinstance(value, int):
        return z3.IntVal(int(value))
    raise Undecided(f"{value!r} stands beside a number that is known by comparisons only")


def is_symbol(value: object) -> bool:
    """Whether a value is a symbol."""
    return isinstance(value, Symbol | Number)


def symbols(value: object) -> Iterator[object]:
    """The symbols in a value."""
    if is_symbol(value):
        yield value
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from symbols(getattr(value, field))
    elif isinstance(value, tuple | frozenset):
        for part in value:
            yield from symbols(part)


def refused(kind: type, name: str) -> Never:
    """Raise Undecided for an attribute of real values of a type, and AttributeError for any other one."""
    if hasattr(kind, name):
        raise Undecided(f"{name!r} of a value is asked for that is known by comparisons only")
    raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}")
