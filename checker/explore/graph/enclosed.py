"""Bounds of the numbers of schedulers, where there are too many states for exact equations.

The numbers are the solution x of x = T(x), where T takes one step by the best pick. T is iterated in floating point;
then a little is subtracted and added, in proportion to the expected number of steps. That these two are bounds is
checked exactly, over the fractions: low <= T(low) and high >= T(high). T is monotone, so from `high` it only comes
down to its least solution, which is x. From `low` it only comes up to the number of some picks, which is none above
(or below) that of the best ones, where these reach a state with a known number with probability 1. For probabilities
this is checked for all picks: numbers of steps that no pick exceeds are confirmed in the same way.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import msgspec

from gomboc.checker.core.errors import lacking
from gomboc.checker.core.phrases import counted
from gomboc.checker.explore.graph.expectation import Row
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.verdicts import UnsolvedError

EPSILON = 1e-9
"""The part of the expected number of steps that is subtracted and added."""

MOST_ROUNDS = 20_000
"""Number of iterations after which there are no bounds."""

PATIENCE = 256
"""Number of iterations between two checks of the bounds of the question."""

Numbers = dict[int, Fraction]


class Equations(msgspec.Struct, frozen=True):
    """For each state, its number is the best of its picks: the cost of a step, and the mean of the numbers after it.

    `known` has the numbers of the other states, and `better` is `min` or `max`.
    """

    picks: dict[int, list[Row]]
    known: Numbers
    cost: int
    better: Callable[..., Fraction]

    def after_a_step(self, state: int, numbers: Numbers) -> Fraction:
        """The number of a state from those of the states after it, of which some are known."""
        every = (
            sum((p * (numbers[to] if to in numbers else self.known[to]) for to, p in row.items()), Fraction(self.cost))
            for row in self.picks[state]
        )
        return self.better(every)


def enclosed(equations: Equations, insist: Callable[[], None] = go_on) -> tuple[Numbers, Numbers]:
    """A lower and an upper bound of the number of each state.

    Raises UnsolvedError if the bounds are not close after MOST_ROUNDS iterations, or not confirmed.
    """
    if not equations.picks:
        return {}, {}
    if find_spec("scipy") is None:
        raise UnsolvedError(lacking("A bound of a number", "scipy", "explore"))
    matrix, constant, first = _as_arrays(equations)
    best = "maximum" if equations.better is max else "minimum"
    values = _iterated(matrix, constant, first, best, insist)
    if equations.cost:
        steps = values
    else:
        steps = _iterated(matrix, constant * 0 + 1, first, "maximum", insist)
        ends = Equations(equations.picks, dict.fromkeys(equations.known, Fraction(0)), 1, max)
        _confirm_upper(ends, _numbers(equations, steps * (1 + EPSILON)), insist)
    low, high = (_numbers(equations, values + sign * EPSILON * steps) for sign in (-1, 1))
    _confirm_lower(equations, low, insist)
    _confirm_upper(equations, high, insist)
    return low, high


def _numbers(equations: Equations, values: Any) -> Numbers:
    return dict(zip(equations.picks, map(Fraction, values.tolist()), strict=True))


def _as_arrays(equations: Equations) -> tuple[Any, Any, Any]:
    """The chances of each pick as a sparse matrix (picks by states), its constant part, and each state's first pick."""
    import numpy as np
    from scipy.sparse import csr_array

    index = {state: number for number, state in enumerate(equations.picks)}
    rows = [row for picks in equations.picks.values() for row in picks]
    inner = [(number, index[to], float(p)) for number, row in enumerate(rows) for to, p in row.items() if to in index]
    outer = [
        float(sum((p * equations.known[to] for to, p in row.items() if to not in index), Fraction(equations.cost)))
        for row in rows
    ]
    lines, columns, chances = zip(*inner, strict=True) if inner else ((), (), ())
    matrix = csr_array((np.array(chances, float), (lines, columns)), shape=(len(rows), len(index)))
    return matrix, np.array(outer), np.cumsum([0, *map(len, equations.picks.values())])[:-1]


def _iterated(matrix: Any, constant: Any, first: Any, best: str, insist: Callable[[], None]) -> Any:
    """The numbers after so many steps that one more changes little. Raises UnsolvedError if too many are needed."""
    import numpy as np

    choose, values = getattr(np, best).reduceat, np.zeros(len(first))
    for number in range(MOST_ROUNDS):
        if not number % PATIENCE:
            insist()
        after = choose(matrix @ values + constant, first)
        if np.abs(after - values).max() <= EPSILON / 4:
            return after
        values = after
    numbers = counted(len(first), "number")
    raise UnsolvedError(f"the bounds of {numbers} are not close after {MOST_ROUNDS:,} iterations")


def _confirm_lower(equations: Equations, low: Numbers, insist: Callable[[], None]) -> None:
    """Raise UnsolvedError unless no number decreases by a step."""
    for state in _patiently(equations, insist):
        if low[state] > equations.after_a_step(state, low):
            raise UnsolvedError("a lower bound could not be confirmed")


def _confirm_upper(equations: Equations, high: Numbers, insist: Callable[[], None]) -> None:
    """Raise UnsolvedError unless no number increases by a step."""
    for state in _patiently(equations, insist):
        if high[state] < equations.after_a_step(state, high):
            raise UnsolvedError("an upper bound could not be confirmed")


def _patiently(equations: Equations, insist: Callable[[], None]) -> Iterator[int]:
    """Every state; `insist` is called now and then."""
    for index, state in enumerate(equations.picks):
        if not index % PATIENCE:
            insist()
        yield state
