"""Probabilities and expected numbers of steps where a scheduler decides: the least and the greatest, exactly.

A scheduler picks in each state, and chance decides the results of the pick; a run may stop where nothing is enabled.
For each of these numbers some scheduler that looks at the present state only is the best, and another one the worst.
So a policy, one pick for each state, is improved until no other pick is better; the numbers of each policy are the
solution of linear equations over the fractions. A policy that is improved is one by which a goal is reached with
positive probability from each state, or at positive cost, so that its equations have one solution, and each
improvement is strict, so that no policy comes twice. For more states, bounds are computed (`enclosed.py`).

All schedulers count, fair or not: a promise that every fair run keeps may be kept with probability 0 by an unfair one.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

import msgspec

from gomboc.checker.explore.graph.components import strong_components
from gomboc.checker.explore.graph.enclosed import Equations, enclosed
from gomboc.checker.explore.graph.expectation import Row, solved
from gomboc.checker.explore.graph.graph import BEYOND, Graph
from gomboc.checker.explore.questions.bounds import go_on
from gomboc.spec.core.model import Promise

Picks = dict[int, list[Row]]
"""For each state in which a promise does not hold, the chances of each pick, by the state that it leads to."""

MOST = 1_000
"""Number of states without the promise up to which the numbers are exact: each policy needs as many equations."""


class Optimal(msgspec.Struct, frozen=True):
    """For each state in which a promise does not hold, the numbers of the best and of the worst scheduler.

    - `likely` and `unlikely`: the greatest and the least probability that the promise holds at some time.
    - `soon` and `late`: the least and the greatest expected number of steps until then; states are left out for which
      it is infinite.
    """

    likely: dict[int, Fraction]
    unlikely: dict[int, Fraction]
    soon: dict[int, Fraction]
    late: dict[int, Fraction]


class Regions(msgspec.Struct, frozen=True):
    """The picks where a promise does not hold, and the states whose probability is 0 or 1.

    From the states in `lost` no scheduler reaches the promise, and from those in `shunning` some scheduler never does;
    from those in `surely`, with the picks that keep that so, some scheduler does with probability 1; from those in
    `always` every scheduler does.
    """

    picks: Picks
    lost: set[int]
    shunning: set[int]
    surely: Picks
    always: Picks


def regions(graph: Graph, promise: Promise) -> Regions:
    """The regions of a complete graph in which no command comes from outside."""
    picks = {state: _picks(graph, state) for state in sorted(graph.region_without(promise))}
    lost, shunning = picks.keys() - _reaching(picks), _shunning(picks)
    sure = _sure(picks)
    surely = {s: [row for row in picks[s] if all(to in sure or to not in picks for to in row)] for s in sorted(sure)}
    stranded = _leading_to(picks, shunning)
    always = {state: rows for state, rows in picks.items() if state not in stranded}
    return Regions(picks, lost, shunning, surely, always)


def optimal(graph: Graph, promise: Promise, insist: Callable[[], None] = go_on) -> tuple[Optimal, Optimal]:
    """Lower and upper bounds of the numbers of the best and of the worst scheduler.

    They are equal if the promise does not hold in at most MOST states. The graph is complete, and no command comes from
    outside. Raises UnsolvedError if there are too many equations, or no close bounds.
    """
    of = regions(graph, promise)
    if len(of.picks) > MOST:
        return _bounds(of, insist)
    exact = Optimal(
        likely=_improved(of.picks, of.lost, 0, max, insist),
        unlikely=_improved(of.picks, of.shunning, 0, min, insist),
        soon=_improved(of.surely, set(), 1, min, insist),
        late=_improved(of.always, set(), 1, max, insist),
    )
    return exact, exact


def _bounds(of: Regions, insist: Callable[[], None]) -> tuple[Optimal, Optimal]:
    never, ever = Fraction(0), Fraction(1)
    numbers: tuple[tuple[Picks, dict[int, Fraction], int, Callable[..., Fraction]], ...] = (
        (of.picks, dict.fromkeys(of.lost, never) | dict.fromkeys(of.surely, ever), 0, max),
        (of.picks, dict.fromkeys(of.shunning, never) | dict.fromkeys(of.always, ever), 0, min),
        (of.surely, {}, 1, min),
        (of.always, {}, 1, max),
    )
    sides = [_enclosed(picks, known, cost, better, insist) for picks, known, cost, better in numbers]
    low, high = zip(*sides, strict=True)
    return Optimal(*low), Optimal(*high)


def _enclosed(
    picks: Picks, known: dict[int, Fraction], cost: int, better: Callable[..., Fraction], insist: Callable[[], None]
) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The bounds of the numbers of all states with picks, of which some are known."""
    open_ = {state: rows for state, rows in picks.items() if state not in known}
    goals = {to for rows in picks.values() for row in rows for to in row} - picks.keys()
    numbers = known | dict.fromkeys(goals, Fraction(0 if cost else 1))
    low, high = enclosed(Equations(open_, numbers, cost, better), insist)
    if not cost:
        low = {state: max(number, Fraction(0)) for state, number in low.items()}
        high = {state: min(number, Fraction(1)) for state, number in high.items()}
    return known | low, known | high


def _picks(graph: Graph, state: int) -> list[Row]:
    rows: dict[object, Row] = {}
    for action, target in zip(graph.actions[state], graph.targets[state], strict=True):
        assert target != BEYOND, "the graph is complete"
        row = rows.setdefault(graph.model.pick(action), {})
        row[target] = row.get(target, Fraction(0)) + graph.model.chance(action)
    return list(rows.values())


def _ranked(picks: Picks) -> dict[int, int]:
    """A pick of each state that can reach the promise, such that all of them together do with positive probability."""
    chosen: dict[int, int] = {}
    while True:
        nearer = {
            state: index
            for state, rows in picks.items()
            if state not in chosen
            for index, row in enumerate(rows)
            if any(to not in picks or to in chosen for to in row)
        }
        if not nearer:
            return chosen
        chosen |= nearer


def _reaching(picks: Picks) -> set[int]:
    """The states from which some scheduler reaches the promise with positive probability."""
    return set(_ranked(picks))


def _shunning(picks: Picks) -> set[int]:
    """The states from which some scheduler never reaches the promise, whatever the results: it may stop, or go on."""
    left = set(picks)
    while True:
        kept = {s for s in left if not picks[s] or any(all(to in left for to in row) for row in picks[s])}
        if kept == left:
            return left
        left = kept


def _sure(picks: Picks) -> set[int]:
    """The states from which some scheduler reaches the promise with probability 1."""
    left = set(picks)
    while True:
        staying = {s: [row for row in picks[s] if all(to in left or to not in picks for to in row)] for s in left}
        kept = _reaching(staying)
        if kept == left:
            return left
        left = kept


def _leading_to(picks: Picks, goals: Iterable[int]) -> set[int]:
    """The states from which some scheduler reaches one of the goals with positive probability, before the promise."""
    reached = set(goals)
    while True:
        more = {s for s, rows in picks.items() if s not in reached and any(to in reached for row in rows for to in row)}
        if not more:
            return reached
        reached |= more


def _improved(
    picks: Picks, lost: set[int], cost: int, better: Callable[..., Fraction], insist: Callable[[], None]
) -> dict[int, Fraction]:
    """The numbers of the best policy, with the greatest or the least numbers, by steps of that cost.

    Without a cost, they are probabilities: 1 where the promise holds, and 0 in the states that are `lost`.
    """
    policy = _ranked(picks)
    values = dict.fromkeys(lost, Fraction(0))
    open_ = {state: rows for state, rows in picks.items() if state not in lost}
    beyond = {to for rows in open_.values() for row in rows for to in row} - open_.keys() - lost
    values |= dict.fromkeys(beyond, Fraction(0 if cost else 1))
    links = {state: [to for row in rows for to in row if to in open_] for state, rows in open_.items()}
    # A component comes after all that it leads to, so that the numbers of those are known already.
    for component in strong_components(links):
        values |= _best(component, open_, policy, values, cost, better, insist)
    return {state: values[state] for state in picks}


def _best(
    component: list[int],
    picks: Picks,
    policy: dict[int, int],
    known: dict[int, Fraction],
    cost: int,
    better: Callable[..., Fraction],
    insist: Callable[[], None],
) -> dict[int, Fraction]:
    """The numbers of the best policy within a component."""
    while True:
        insist()
        rows = {state: picks[state][policy[state]] for state in component}
        values = known | _of_policy(rows, known, cost)
        changed = False
        for state in component:
            ahead = [sum((chance * values[to] for to, chance in row.items()), Fraction(cost)) for row in picks[state]]
            best = better(ahead)
            if best != ahead[policy[state]]:
                policy[state], changed = ahead.index(best), True
        if not changed:
            return {state: values[state] for state in component}


def _of_policy(rows: dict[int, Row], known: dict[int, Fraction], cost: int) -> dict[int, Fraction]:
    """The numbers of one policy, component by component."""
    values: dict[int, Fraction] = {}
    for part in strong_components({state: [to for to in row if to in rows] for state, row in rows.items()}):
        values |= solved(part, rows, known | values, cost)
    return values
