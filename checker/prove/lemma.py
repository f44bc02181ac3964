"""The structure of a lemma: statements made of obligations for z3, and their replay by the specification."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import msgspec

Term = Any
"""A term of z3, which has no types of its own."""

Model = Any
"""An assignment of z3's that makes a claim false."""

Values = Mapping[str, Any]
"""The same in the specification's terms: labels, claims, databases. Can be written as JSON."""


class Obligation(msgspec.Struct, frozen=True):
    """One obligation: that `claim` is true whenever every term of `given` is.

    `what` names it, with its size where there are several. `read` converts an assignment to values.
    """

    what: str
    claim: Term
    given: tuple[Term, ...] = ()
    read: Callable[[Model], Values] | None = None


Journal = Callable[[str, str], None]
"""`journal(status, query)`: takes a query of z3 that a result rests on, as SMT-LIB, with `sat` or `unsat`."""


class Count(msgspec.Struct, frozen=True):
    """How a part of a proof went: along how many paths, how many of which a system can take, in seconds of a processor.

    `obligations` were proved; they are about nothing if no path is satisfiable.
    """

    name: str
    obligations: int
    paths: int
    satisfiable: int
    seconds: float


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of an enumeration: its count, and the reason why it is open, or the values that refute it.

    `bounds` has how many items a collection had at most, by its place, as class and field.
    """

    count: Count
    open: str | None = None
    values: Values | None = None
    replayed: "Replayed | None" = None
    bounds: Mapping[str, int] = {}


class Enumeration(msgspec.Struct, frozen=True):
    """Obligations that are settled along the paths of a program, which asks z3 at each fork.

    `settle(seconds_left, journal)`: the outcome, in the seconds that are left.
    """

    what: str
    settle: Callable[[Callable[[], float], Journal | None], Outcome]


class Replayed(msgspec.Struct, frozen=True):
    """The values that a statement expects, and the results of the specification's own functions."""

    expected: Any
    found: Any

    def confirms(self) -> bool:
        """Whether the values refute the statement in the specification too."""
        return bool(self.expected != self.found)


Replay = Callable[["Values"], Replayed]
"""Runs the specification on the values that refute a statement."""


class Statement(msgspec.Struct, frozen=True):
    """A statement, as obligations that together prove it. `holds`: whether it should be true.

    `replay` runs the specification on the values that refute it.
    """

    says: str
    obligations: Callable[[], Iterable[Obligation | Enumeration]]
    holds: bool = True
    replay: Replay | None = None


class Sample(msgspec.Struct, frozen=True):
    """One input, with the results of the encoding and of the specification."""

    input: Any
    encoded: Any
    specified: Any


class Lemma(msgspec.Struct, frozen=True):
    """A named statement, with negative controls, without which it could be vacuous.

    - `source`: its place in the paper; `ranges_over`: the values for which it is decided; `about`: its subject, if not
      the specification itself.
    - `contrasts`: for a statement that holds, versions without one of its hypotheses, which do not; for a claim of the
      paper that does not hold, a statement that holds instead.
    - `by_hand`: the argument from the obligations to the statement without z3. `leaves_out`: possible readings of the
      statement that it does not cover.
    - `agrees_with_spec(random)`: a sample on which the encoding and the specification should agree. `tied_to`: the
      specification's functions that the encoding represents; samples reach every line of them.
    """

    name: str
    statement: Statement
    source: str
    ranges_over: str
    contrasts: tuple[Statement, ...]
    by_hand: str
    leaves_out: str
    agrees_with_spec: Callable[[Random], Sample]
    tied_to: tuple[Callable[..., Any], ...]
    about: str = "the specification"

    def ties(self) -> tuple[str, ...]:
        """The names of the functions in `tied_to`."""
        return tuple(f"{function.__module__}.{function.__qualname__}" for function in self.tied_to)
