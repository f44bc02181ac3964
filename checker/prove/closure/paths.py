"""Every path of a function whose decisions depend on symbols: it is run again and again, once for each path.

A path is a list of decisions. A comparison of symbols asks z3 which results are possible; where both are, the path
takes one of them, and the other one is the beginning of a further path. The function must be deterministic.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from types import CodeType, FunctionType
from typing import Any, Generic, TypeVar, cast

import msgspec
import z3

from gomboc.checker.prove.assignments import assignments
from gomboc.checker.prove.lemma import Journal, Term
from gomboc.checker.prove.limits import timeout

R = TypeVar("R")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

OF_CODE = -1_000
"""The number of the first text that code has, and that is no name which every system has."""
HASHES = 0, 7
"""Hashes of all names. Two names with the first one are in a set in the order in which they came, with the other one in
the other order.
"""
MANY = 16
"""A number with more values has too many."""

Decisions = tuple[int, ...]
"""The decisions of a path, from its beginning: truth values, and numbers of alternatives."""


class Pruned(BaseException):
    """The path is excluded by the hypotheses. No error, so that no rule catches it."""


class Undecided(BaseException):
    """The path cannot be decided; the text is the reason, a sentence."""


class Ended(msgspec.Struct, Generic[R], frozen=True):
    """A path that the hypotheses allow: its result, and the path itself."""

    result: R
    path: "Path"


class Stack:
    """The solver that all paths share: a scope for each decision, with the terms that are added after it."""

    def __init__(self, seconds_left: Callable[[], float], journal: Journal | None = None) -> None:
        self.solver = z3.SimpleSolver()
        self.solver.set("ctrl_c", False)
        self.decisions: list[int] = []
        self.path: Path | None = None
        self.seconds_left, self.journal = seconds_left, journal
        self.used = False

    def back_to(self, begun: Decisions) -> int:
        """Leave the scopes of the last path that are not of this one; the number of decisions that are the same."""
        same = 0
        for old, new in zip(self.decisions, begun, strict=False):
            if old != new:
                break
            same += 1
        self.solver.pop(len(self.decisions) - same)
        del self.decisions[same:]
        shared = same if self.used else -1
        self.used = True
        return shared

    def take(self, decision: int) -> None:
        """Open a scope."""
        self.solver.push()
        self.decisions.append(decision)


def quietly(function: F) -> F:
    """The function without traces of what it calls, which would double its time."""

    @wraps(function)
    def called(*arguments: Any, **named: Any) -> Any:
        tracer = sys.gettrace()
        if tracer is None:
            return function(*arguments, **named)
        sys.settrace(None)
        try:
            return function(*arguments, **named)
        finally:
            sys.settrace(tracer)

    return cast(F, called)


def all_quietly(kind: type[T]) -> type[T]:
    """The class with all of its methods so, but those that make a text, which look for the code that asks for it."""
    for name, method in list(vars(kind).items()):
        if isinstance(method, FunctionType) and name not in ("__repr__", "__str__", "__format__"):
            setattr(kind, name, quietly(method))
    return kind


@all_quietly
class Path:
    """A run of a function along the decisions of `begun`, and then along any possible ones.

    `alternatives` are the beginnings of the paths not taken. The terms of the last path up to the first
    different decision are in the solver already. `spelled` has the code and the line of each text
    that was made out of a symbol.
    """

    def __init__(self, begun: Decisions, stack: Stack) -> None:
        self.begun = begun
        self.taken: list[int] = []
        self.alternatives: list[Decisions] = []
        self.fixed: dict[str, int] = {}
        self.spelled: list[tuple[CodeType, int]] = []
        self.roots: tuple[str, ...] = ()
        self.bounds: dict[str, int] = {}
        self.looked_up: tuple[str, ...] = ()
        self._texts: dict[str, int] = {}
        self._met: list[str | None] = []
        self._turned: int | None = None
        self._stack = stack
        stack.path = self
        self._shared = stack.back_to(begun)
        self._model: Any = None
        self._counts: dict[str, int] = {}
        # The terms are kept, since z3 gives the number of a term that is gone to another one.
        self._decided: dict[int, tuple[Term, bool]] = {}

    @property
    def is_new(self) -> bool:
        """Whether terms that are added now are not in the solver yet; those that are need not be built."""
        return len(self.taken) > self._shared

    def meet(self, doubt: str | None) -> None:
        """Take down that code met an exception: one that excludes the path, or leaves it undecided for that reason."""
        self._met.append(doubt)

    def settle(self) -> None:
        """Raise the first exception that code met, whatever it made of it: Pruned, or Undecided if the path is one."""
        if not self._met:
            return
        if self._met[0] is None:
            raise Pruned
        self.model()
        raise Undecided(self._met[0])

    def fresh(self, name: str) -> str:
        """The name with a number that makes it new in this path."""
        count = self._counts[name] = self._counts.get(name, -1) + 1
        return f"{name}_{count}"

    def add(self, *terms: Term) -> None:
        """Add axioms, or hypotheses that are known not to exclude one another."""
        if self.is_new:
            self._stack.solver.add(*terms)
        if self._model is not None and not all(z3.is_true(self._model.eval(t, model_completion=True)) for t in terms):
            self._model = None

    def require(self, term: Term) -> None:
        """Add a hypothesis. Raises Pruned if it excludes those before."""
        self.add(term)
        if len(self.taken) >= len(self.begun) and self.check() == z3.unsat:
            raise Pruned

    def number_of(self, text: str) -> int:
        """The number of a text that code has: below those of names that every system has."""
        return self._texts.setdefault(text, OF_CODE - len(self._texts))

    def texts_in_order(self) -> Iterator[Term]:
        """The terms of the texts that have a number, in the order of the texts."""
        return (z3.IntVal(number) for _, number in sorted((self.fixed | self._texts).items()))

    def spelled_as(self, number: int) -> str | None:
        """The text of code with that number; None if there is none."""
        return next((text for text, known in (self.fixed | self._texts).items() if known == number), None)

    def hash_of(self, term: Term) -> int:
        """The hash of a text: that of each text of code which is looked up, or else the same for all other ones.

        So sets compare these. It is one or the other of two hashes, which give sets other orders.
        """
        for text in self.looked_up:
            if self.decide(term == self.fixed.get(text, self.number_of(text))):
                return hash(text)
        if self._turned is None:
            self._turned = self.choose(len(HASHES))
        return HASHES[self._turned]

    def value_of(self, term: Term) -> int:
        """A value that a number can have, each of them in some path. Raises Undecided if it can have many."""
        self._check_current()
        known = z3.simplify(term)
        if z3.is_int_value(known):
            return int(known.as_long())
        if len(self.taken) < len(self.begun):
            value = self.begun[len(self.taken)]
        else:
            value, *others = self._values(term)
            self.alternatives += [(*self.taken, other) for other in others]
        self._take(value)
        if self.is_new:
            self._stack.solver.add(term == value)
        self._model = None
        return value

    def _check_current(self) -> None:
        if self._stack.path is not self:
            raise Undecided("a value is met that was kept from an earlier step: keep none out of local states")

    def _values(self, term: Term) -> list[int]:
        values: list[int] = []
        while self.check(*(term != value for value in values)) == z3.sat:
            if len(values) == MANY:
                raise Undecided(f"the value of a number is needed that can have more than {MANY}")
            values.append(self._stack.solver.model().eval(term, model_completion=True).as_long())
        if not values:
            raise Pruned
        return sorted(values)

    def choose(self, count: int) -> int:
        """One of so many alternatives, each of them in some path."""
        if count == 1:
            return 0
        if len(self.taken) < len(self.begun):
            return self._take(self.begun[len(self.taken)])
        self.alternatives += [(*self.taken, other) for other in range(1, count)]
        return self._take(0)

    def decide(self, term: Term) -> bool:
        """Whether a formula is true in this path. Raises Undecided if z3 does not know whether it can be."""
        self._check_current()
        term = z3.simplify(term)
        if z3.is_true(term) or z3.is_false(term):
            return bool(z3.is_true(term))
        if term.get_id() in self._decided:
            return self._decided[term.get_id()][1]
        if len(self.taken) < len(self.begun):
            value = bool(self.begun[len(self.taken)])
        else:
            value = self._possible(term)
            if self.check(z3.Not(term) if value else term) == z3.sat:
                self.alternatives.append((*self.taken, int(not value)))
        self._take(int(value))
        if self.is_new:
            self._stack.solver.add(term if value else z3.Not(term))
        self._decided[term.get_id()] = term, value
        return value

    def check(self, *terms: Term) -> Any:
        """z3's answer for the path and these formulas. Raises Undecided if there is none."""
        stack = self._stack
        left = stack.seconds_left()
        if left <= 0:
            raise Undecided("the time is up")
        stack.solver.set("timeout", timeout(left))
        answer = stack.solver.check(*terms)
        if answer == z3.unknown:
            in_time = stack.seconds_left() > 0
            raise Undecided(f"z3 says {stack.solver.reason_unknown()!r}" if in_time else "the time is up")
        if stack.journal is not None:
            stack.journal(str(answer), query(stack.solver, terms))
        if not terms:
            self._model = stack.solver.model() if answer == z3.sat else None
        return answer

    def model(self) -> Any:
        """An assignment that leads along this path. Raises Pruned if there is none."""
        if self._model is None and self.check() == z3.unsat:
            raise Pruned
        return self._model

    def models(self) -> Iterator[Any]:
        """Assignments that lead along this path, which is the last one. Raises Pruned if there is none."""
        return assignments(self._stack.solver, self.model())

    def _possible(self, term: Term) -> bool:
        """A possible value of a formula."""
        return bool(z3.is_true(self.model().eval(term, model_completion=True)))

    def _take(self, decision: int) -> int:
        self.taken.append(decision)
        if self.is_new:
            self._stack.take(decision)
        return decision


def query(solver: Any, terms: Sequence[Term]) -> str:
    """The assertions of a solver, and these formulas, as SMT-LIB."""
    alone = z3.Solver()
    alone.add(*solver.assertions(), *terms)
    return str(alone.to_smt2())


def every_path(
    run: Callable[[Path], R],
    seconds_left: Callable[[], float],
    begun: Sequence[Decisions] = ((),),
    journal: Journal | None = None,
) -> Iterator[Ended[R]]:
    """The result of a function along each path, from those beginnings on, that the hypotheses allow.

    Raises Undecided if z3 is undecided, or the time is up.
    """
    pending, stack = list(reversed(begun)), Stack(seconds_left, journal)
    while pending:
        path = Path(pending.pop(), stack)
        try:
            result = run(path)
            path.model()
        except Pruned:
            continue
        finally:
            pending += reversed(path.alternatives)
        yield Ended(result, path)
