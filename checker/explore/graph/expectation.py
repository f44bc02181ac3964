"""The expected number of steps until a promise holds, exactly, where chance alone decides how a run goes on."""

from collections.abc import Iterator
from fractions import Fraction

from checker.explore.claims import EXPECTED
from checker.explore.finding import Finding, settled
from checker.explore.graph.convergence import region_without, tosses_coins
from checker.explore.graph.graph import BEYOND, Graph, extent
from checker.judge.verdict import Unknown
from spec.model import Promise

Row = dict[int, Fraction]
"""A linear equation: coefficients by state; the constant is under CONSTANT."""

CONSTANT = -1


LARGEST = 2_000
"""States for which the equations are solved at most, where nobody asked for it."""


def expectation(graph: Graph, promise: Promise) -> Iterator[Finding]:
    """The largest expected number of steps until a promise holds, if there is one and the graph is small enough."""
    if len(graph.states) > LARGEST or not tosses_coins(graph):
        return
    expected = expected_steps(graph, promise)
    if not isinstance(expected, Unknown):
        claim = f"at most {max(expected.values(), default=Fraction(0))} steps; {extent(graph)}"
        yield settled(promise, EXPECTED, claim, "")


def expected_steps(graph: Graph, promise: Promise) -> dict[int, Fraction] | Unknown:
    """For each state, the expected number of steps until the promise holds; 0 where it does.

    Unknown if a scheduler has a choice somewhere, if the graph is not complete, or if the number is infinite.
    """
    region = sorted(region_without(graph, promise))
    if graph.stopped or graph.beyond:
        return Unknown(graph.stopped or "some transitions lead beyond the bound")
    rows: dict[int, Row] = {}
    for state in region:
        picks = {graph.model.pick(action) for action in graph.actions[state]}
        if len(picks) != 1:
            return Unknown(f"{len(picks)} picks are possible in state {state}, so a scheduler decides, not chance")
        rows[state] = _equation(graph, state, rows.keys() | set(region))
    return _solve(rows, len(graph.states))


def _equation(graph: Graph, state: int, region: set[int]) -> Row:
    """steps(state) - sum of chance * steps(target) = 1, for the targets in the region."""
    row: Row = {state: Fraction(1), CONSTANT: Fraction(1)}
    for action, target in zip(graph.actions[state], graph.targets[state], strict=True):
        assert target != BEYOND, "the graph is complete"
        if target in region:
            row[target] = row.get(target, Fraction(0)) - graph.model.chance(action)
    return row


def _solve(rows: dict[int, Row], states: int) -> dict[int, Fraction] | Unknown:
    """Gauss-Jordan elimination over the rationals, on rows that hold only what is not zero."""
    for pivot in list(rows):
        factor = rows[pivot].get(pivot, Fraction(0))
        if not factor:
            return Unknown("the expected number of steps is infinite")
        rows[pivot] = {place: value / factor for place, value in rows[pivot].items()}
        for other, row in rows.items():
            if other != pivot and row.get(pivot):
                _subtract(row, rows[pivot], row[pivot])
    return {state: rows[state][CONSTANT] if state in rows else Fraction(0) for state in range(states)}


def _subtract(row: Row, pivot: Row, factor: Fraction) -> None:
    for place, value in pivot.items():
        row[place] = row.get(place, Fraction(0)) - factor * value
        if not row[place] and place != CONSTANT:
            del row[place]
