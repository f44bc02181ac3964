"""What a lemma is: statements made of obligations that z3 settles, and what the specification says to them."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import msgspec

Term = Any
"""A term of z3, which has no types of its own."""

Model = Any
"""An assignment of z3's that makes a claim false."""

Values = Mapping[str, Any]
"""The same in the specification's words: labels, claims, databases. Can be written as JSON."""


class Obligation(msgspec.Struct, frozen=True):
    """One thing to prove: that `claim` is true whenever every term of `given` is.

    `what` names it, with its size where there are several. `read` puts an assignment into words.
    """

    what: str
    claim: Term
    given: tuple[Term, ...] = ()
    read: Callable[[Model], Values] | None = None


class Replayed(msgspec.Struct, frozen=True):
    """What a statement expects of some values, and what the specification's own functions make of them."""

    expected: Any
    found: Any

    def confirms(self) -> bool:
        """Whether the values speak against the statement in the specification too."""
        return bool(self.expected != self.found)


class Statement(msgspec.Struct, frozen=True):
    """What is said, as obligations that together prove it. `holds` is whether it is meant to be true.

    `replay` asks the specification about the values that refute it.
    """

    says: str
    obligations: Callable[[], Iterable[Obligation]]
    holds: bool = True
    replay: Callable[[Values], Replayed] | None = None


class Sample(msgspec.Struct, frozen=True):
    """One input, what the encoding makes of it, and what the specification does."""

    input: Any
    encoded: Any
    specified: Any


class Lemma(msgspec.Struct, frozen=True):
    """A named statement, with others that must turn out the other way, or the lemma would say nothing.

    - `source`: its place in the paper; `ranges_over`: for which values it is settled; `about`: of what, if not of the
      specification itself.
    - `contrasts`: for a statement that holds, versions without one of its hypotheses, which do not; for a claim of the
      paper that does not hold, what holds instead.
    - `by_hand`: what leads from the obligations to the statement without z3. `leaves_out`: what the statement could be
      taken to say, and does not.
    - `agrees_with_spec(random)`: a sample on which the encoding and the specification should agree. `tied_to`: the
      specification's functions that the encoding stands for; samples reach every line of them.
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
