"""Symbols in the place of names, other texts and numbers: each comparison is decided by the path."""

from collections.abc import Callable
from typing import Any

import z3

from gomboc.checker.prove.closure.paths import Path, Undecided
from gomboc.checker.prove.lemma import Term

MARK = "\ue000"
"""A character in each text that is made out of a symbol; no specification has it."""

RANK = z3.Function("rank", z3.IntSort(), z3.IntSort())
"""The place of a text in the order of texts."""


class Symbol:
    """A text that is known by its comparisons only: a whole number of z3, different for different texts.

    `spelled(number)` is the text for a number, in counterexamples. `ordered`: whether texts have the order of their
    numbers; otherwise they have an unknown one. A hash says nothing, so that sets and tables compare.
    """

    __slots__ = ("ordered", "path", "spelled", "term")

    def __init__(self, path: Path, term: Term, spelled: Callable[[int], Any], ordered: bool = False) -> None:
        self.path, self.term, self.spelled, self.ordered = path, term, spelled, ordered

    def __eq__(self, other: object) -> bool:
        term = self._beside(other)
        return self is other or (term is not None and self.path.decide(self.term == term))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> bool:
        return self.path.decide(self._place(self.term) < self._place(self._ordered(other)))

    def __gt__(self, other: object) -> bool:
        return self.path.decide(self._place(self.term) > self._place(self._ordered(other)))

    def __le__(self, other: object) -> bool:
        return not self > other

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __hash__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{MARK}{self.term}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def _beside(self, other: object) -> Term | None:
        """The other text's number; None for a value that is certainly another one."""
        if isinstance(other, Symbol):
            return other.term
        if not isinstance(other, str):
            return None
        if MARK in other:
            raise Undecided("a text that is made out of a name is compared")
        return self._known(other)

    def _known(self, text: str) -> Term | None:
        """The number of a name that every system has; no symbol stands for any other text of the specification."""
        return z3.IntVal(self.path.fixed[text]) if text in self.path.fixed else None

    def _ordered(self, other: object) -> Term:
        term = self._beside(other)
        if term is None:
            raise TypeError(f"a text is compared with {other!r}")
        if not self.ordered:
            self.path.add(z3.Implies(RANK(self.term) == RANK(term), self.term == term))
        return term

    def _place(self, term: Term) -> Term:
        return term if self.ordered else RANK(term)


class Text(Symbol):
    """A text that is no name. Nothing is known of how it compares with a text of the specification."""

    __slots__ = ()

    def _known(self, text: str) -> Term | None:
        raise Undecided(f"a text is compared with {text!r}")


class Number:
    """A whole number of z3. Only what decides a path is computed: no digits, no ranges, and no hash.

    A number of the specification has a hash of its own, so that a set or a table would not even be asked to compare.
    """

    __slots__ = ("path", "term")

    def __init__(self, path: Path, term: Term) -> None:
        self.path, self.term = path, term

    def __eq__(self, other: object) -> bool:
        return _is_number(other) and self.path.decide(self.term == term_of(other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> bool:
        return self.path.decide(self.term < term_of(other))

    def __le__(self, other: object) -> bool:
        return self.path.decide(self.term <= term_of(other))

    def __gt__(self, other: object) -> bool:
        return self.path.decide(self.term > term_of(other))

    def __ge__(self, other: object) -> bool:
        return self.path.decide(self.term >= term_of(other))

    def __hash__(self) -> int:
        raise Undecided("a number is looked up that is known by comparisons only")

    def __bool__(self) -> bool:
        return self.path.decide(self.term != 0)

    def __repr__(self) -> str:
        return f"{MARK}{self.term}"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

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

    def __index__(self) -> int:
        raise Undecided("a number is needed that is known by comparisons only")


def _is_number(value: object) -> bool:
    return isinstance(value, int | Number)


def term_of(value: object) -> Term:
    """The term of a number. Raises TypeError for other values."""
    if isinstance(value, Number):
        return value.term
    if isinstance(value, int):
        return z3.IntVal(value)
    raise TypeError(f"a number is compared with {value!r}")
