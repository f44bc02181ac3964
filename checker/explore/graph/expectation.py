"""The exact expected number of steps until a promise holds, where chance alone decides how a run continues."""

from collections.abc import Callable
from fractions import Fraction
from importlib.util import find_spec

from gomboc.checker.core.errors import lacking
from gomboc.checker.explore.graph.components import strong_components
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.checker.explore.verdicts import EXPECTED, UnsolvedError
from gomboc.checker.judge.verdict import Unknown
from gomboc.spec.core.model import Promise

Row = dict[int, Fraction]
"""The chances of one step from a state, by the state that it leads to."""

LARGEST = 2_500
"""Maximal number of equations that are solved together: those of states that can all reach each other."""


def scheduler_decides(graph: Graph, promise: Promise) -> str:
    """A state where a scheduler decides before a promise holds, as text; empty if chance decides in all of them."""
    for state in sorted(graph.region_without(promise)):
        if graph.is_explored(state):
            picks = {graph.model.pick(action) for action in graph.actions[state]}
            if len(picks) != 1:
                return f"{len(picks)} picks are possible in state {state}, so a scheduler decides, not chance"
    return ""


def expected_steps(graph: Graph, promise: Promise, insist: Callable[[], None] = go_on) -> dict[int, Fraction] | Unknown:
    """For each state, the expected number of steps until the promise holds; 0 where it does.

    Unknown if a scheduler has a choice in some state, if the graph is not complete, if the number is infinite, or if
    there are too many equations.
    """
    region = graph.region_without(promise)
    why = graph.extent.incomplete or graph.extent.exceeding
    why = why or scheduler_decides(graph, promise)
    if why:
        return Unknown(why)
    rows = {state: _chances(graph, state) for state in sorted(region)}
    steps = dict.fromkeys((state for state in range(len(graph.states)) if state not in region), Fraction(0))
    inner = {state: [after for after in row if after in region] for state, row in rows.items()}
    try:
        # A component comes after all that it leads to, so that those are solved already.
        for component in strong_components(inner):
            insist()
            steps |= solved(component, rows, steps)
    except UnsolvedError as error:
        return Unknown(str(error))
    return steps


def _chances(graph: Graph, state: int) -> Row:
    row: Row = {}
    for action, target in zip(graph.actions[state], graph.targets[state], strict=True):
        assert target != BEYOND, "the graph is complete"
        row[target] = row.get(target, Fraction(0)) + graph.model.chance(action)
    return row


def solved(
    component: list[int], rows: dict[int, Row], known: dict[int, Fraction], cost: int = 1
) -> dict[int, Fraction]:
    """The expected cost of each state of a component, from those of the other states that it leads to.

    cost(state) = cost of a step + sum of chance * cost(target). Raises UnsolvedError if no step leads out, or if there
    are too many equations.
    """
    inside = set(component)
    if all(target in inside for state in component for target in rows[state]):
        raise UnsolvedError("the expected number of steps is infinite")
    one = Fraction(cost)
    ahead = {s: sum((p * known[to] for to, p in rows[s].items() if to not in inside), one) for s in component}
    if len(component) == 1:
        (state,) = component
        return {state: ahead[state] / (1 - rows[state].get(state, Fraction(0)))}
    if len(component) > LARGEST:
        why = f"{len(component):,} equations hang together, and at most {LARGEST:,} are solved"
        raise UnsolvedError(f"{why}: {EXPECTED}")
    if find_spec("flint") is None:
        raise UnsolvedError(lacking("An expectation", "python-flint", "explore"))
    return _by_flint(sorted(component), rows, ahead)


def _by_flint(component: list[int], rows: dict[int, Row], ahead: dict[int, Fraction]) -> dict[int, Fraction]:
    from flint import fmpq, fmpq_mat

    index = {state: number for number, state in enumerate(component)}
    matrix, right = fmpq_mat(len(index), len(index)), fmpq_mat(len(index), 1)
    for state, number in index.items():
        matrix[number, number] = fmpq(1)
        right[number, 0] = fmpq(ahead[state].numerator, ahead[state].denominator)
        for target, chance in rows[state].items():
            if target in index:
                matrix[number, index[target]] -= fmpq(chance.numerator, chance.denominator)
    solution = matrix.solve(right)
    return {s: Fraction(int(solution[n, 0].p), int(solution[n, 0].q)) for s, n in index.items()}
