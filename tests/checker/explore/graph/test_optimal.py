"""The best and the worst scheduler, exactly: against every policy of small graphs, and against published truths."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import networkx
import pytest

from gomboc.checker.explore.graph import enclosed
from gomboc.checker.explore.graph import optimal as module
from gomboc.checker.explore.graph.optimal import Optimal, optimal
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Coins
from gomboc.checker.explore.verdicts import PROBABLE, SCHEDULED, UnsolvedError
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.spec.core.model import Kind, Model, Promise
from tests.checker.explore.graph.graphs import CLASSES, finding, graph_model
from tests.sampling import share


def solved(model):
    graph = explore(model)
    found, same = optimal(graph, model.promises[0])
    assert found is same, "exact"
    return graph, found


# Against every policy.


def policies(graph, region):
    """Every choice of a pick for each state that has one, as the chances of its results."""
    picks = {}
    for state in region:
        rows = {}
        for action, target in zip(graph.actions[state], graph.targets[state], strict=True):
            row = rows.setdefault(graph.model.pick(action), {})
            row[target] = row.get(target, 0) + graph.model.chance(action)
        picks[state] = list(rows.values()) or [{}]
    yield from (dict(zip(picks, rows, strict=True)) for rows in product(*picks.values()))


def numbers(policy, region):
    """The probability and the expected number of steps of one policy, by elimination, None for infinity."""
    links = networkx.DiGraph((state, to) for state, row in policy.items() for to in row)
    links.add_nodes_from(region)
    hopeless = {s for s in region if not any(to not in region for to in networkx.descendants(links, s))}
    doubtful = {s for s in region if s in hopeless or networkx.descendants(links, s) & hopeless}
    chances = dict.fromkeys(hopeless, Fraction(0)) | eliminated(policy, region, region - hopeless, 0)
    return chances, dict.fromkeys(doubtful) | eliminated(policy, region, region - doubtful, 1)


def eliminated(policy, region, states, cost):
    order = sorted(states)
    matrix = [[Fraction(s == to) - policy[s].get(to, 0) for to in order] for s in order]
    for line, s in zip(matrix, order, strict=True):
        out = sum((chance for to, chance in policy[s].items() if to not in region), Fraction(0))
        line.append(Fraction(1) if cost else out)
    for index in range(len(order)):
        pivot = next(row for row in range(index, len(order)) if matrix[row][index])
        matrix[index], matrix[pivot] = matrix[pivot], matrix[index]
        matrix[index] = [value / matrix[index][index] for value in matrix[index]]
        for row in range(len(order)):
            if row != index:
                factor = matrix[row][index]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[index], strict=True)]
    return {state: matrix[index][-1] for index, state in enumerate(order)}


def drawn_graph(seed):
    """A graph of up to four states with up to three picks each, a goal, and sometimes a state in which runs stop.

    Of every other one no pick leads back.
    """
    random = Random(seed)
    count, stop = random.randint(2, 4), seed % 3 == 0

    def after(state):
        first = state if seed % 2 else 0
        picks = CLASSES[: random.randint(1, 3)]
        return [(name, random.randint(first, count + stop)) for name in picks for _ in range(random.randint(1, 2))]

    return graph_model([(state, after(state)) for state in range(count)], {count}, coins=True)


def test_no_policy_is_better_or_worse():
    seen = Counter()
    for seed in range(share(900)):
        graph, found = solved(drawn_graph(seed))
        region = graph.region_without(graph.model.promises[0])
        every = [numbers(policy, region) for policy in policies(graph, region)]
        for state in region:
            chances, steps = ([of[state] for of in column] for column in zip(*every, strict=True))
            finite = [number for number in steps if number is not None]
            late = None if None in steps else max(steps)
            assert (found.likely[state], found.unlikely[state]) == (max(chances), min(chances)), seed
            assert (found.soon.get(state), found.late.get(state)) == (min(finite, default=None), late), seed
            seen["a choice of chances"] += min(chances) < max(chances) < 1 or 0 < min(chances) < 1
            seen["a choice of steps"] += late is not None and min(finite) < late
            seen["a late end for some"] += bool(finite) and late is None
            seen["a stop"] += not graph.targets[state]
    assert len(seen) == 4
    assert min(seen.values()) > 3, seen


# Published truths.


def game(states, moves, goal, start):
    """A model of numbers, with the moves of each: (name, (next, chance), ...)."""
    return Model(
        name="game",
        initial=lambda: (start,),
        enabled=lambda state: tuple((name, to, chance) for name, *after in moves(state) for to, chance in after),
        step=lambda state, action: action[1],
        actor=lambda action: action[0],
        promises=(Promise(Kind.EVENTUALLY, "convergence", goal, "nowhere"),),
        pick=lambda action: action[0],
        chance=lambda action: action[2],
    )


@pytest.mark.parametrize(("stake", "chance"), [(2, "4/25"), (4, "2/5"), (6, "16/25"), (1, "8/125"), (7, "98/125")])
def test_bold_play_is_best_in_an_unfair_game(stake, chance):
    """Bet all, or what is missing to win; chance 2/5. Source: Dubins and Savage, How to gamble if you must, 1965"""
    win = Fraction(2, 5)

    def moves(purse):
        bets = range(1, min(purse, 8 - purse) + 1)
        return [(bet, (purse + bet, win), (purse - bet, 1 - win)) for bet in bets]

    graph, found = solved(game(range(9), moves, lambda purse: purse == 8, stake))
    assert found.likely[graph.states.index(stake)] == Fraction(chance)
    assert found.soon == {}, "no play wins with probability 1"


def two_tokens(machines, apart):
    """Two tokens on a ring, so far apart, of which a scheduler moves one in either direction, until they meet."""
    half = Fraction(1, 2)

    def moves(pair):
        one, other = pair
        step = lambda token: [((token + by) % machines, half) for by in (-1, 1)]  # noqa: E731
        if one == other:
            return []
        return [
            ("one", *(((to, other), chance) for to, chance in step(one))),
            ("other", *(((one, to), chance) for to, chance in step(other))),
        ]

    return game((), moves, lambda pair: pair[0] == pair[1], (0, apart))


@pytest.mark.parametrize(("machines", "apart"), [(5, 1), (5, 2), (8, 3), (9, 4)])
def test_two_tokens_on_a_ring_meet_as_a_gambler_is_ruined(machines, apart):
    """Whichever token is moved, their distance d is a fair walk: d(N - d) moves. Source: Israeli and Jalfon 1990"""
    graph, found = solved(two_tokens(machines, apart))
    start = graph.states.index((0, apart))
    assert found.soon[start] == found.late[start] == apart * (machines - apart)
    assert found.likely[start] == found.unlikely[start] == 1


# Among the findings.

EITHER = graph_model([(0, [("a", 0), ("a", 1), ("b", 1), ("c", 0)])], goals=(1,), coins=True)


def test_the_numbers_are_findings_where_they_are_asked_for():
    assert finding(EITHER, PROBABLE) is None
    probable, steps = (finding(EITHER, of, numbers=True).verdict for of in (PROBABLE, SCHEDULED))
    extent = "2 states and 4 transitions"
    assert probable == Holds(f"at least 1 from any state under the best scheduler, 0 under the worst; {extent}")
    late = "infinite from some state under the worst"
    assert steps == Holds(f"at most 1 from any state under the best scheduler, {late}; {extent}")


def test_where_no_scheduler_comes_to_the_goal_the_expected_number_of_steps_is_infinite():
    away = graph_model([(0, [("a", 1), ("a", 2)])], goals=(1,), coins=True)
    says = "infinite from some state under any scheduler; 3 states and 2 transitions"
    assert finding(away, SCHEDULED, numbers=True).verdict == Holds(says)


def test_where_all_is_right_nothing_is_awaited():
    right = graph_model([(0, [("a", 0)])], goals=(0,), coins=True)
    assert optimal(explore(right), right.promises[0])[0] == Optimal({}, {}, {}, {})
    assert finding(right, SCHEDULED, numbers=True).verdict.claim.startswith("at most 0 from any state under the best")


@pytest.mark.parametrize(
    ("model", "question", "why"),
    [
        (EITHER, {"coins": Coins.ADVERSARY}, "the coins are the adversary's, and have no chances"),
        (
            graph_model([(0, [("a", 1)])], goals=(), beyond=(1,), coins=True),
            {},
            "1 state leads beyond the bound, the nearest by a run of 1 step; 1 state and 1 transition",
        ),
    ],
)
def test_numbers_that_are_not_known_are_unknown(model, question, why):
    assert finding(model, PROBABLE, numbers=True, **question).verdict == Unknown(why)


# Bounds, for more states.


def enclosing(model):
    graph = explore(model)
    return graph, *optimal(graph, model.promises[0])


def test_the_numbers_of_many_states_are_between_their_bounds(monkeypatch):
    seen = Counter()
    for seed in range(share(600)):
        graph, found = solved(drawn_graph(seed))
        with monkeypatch.context() as many:
            many.setattr(module, "MOST", 0)
            try:
                low, high = optimal(graph, graph.model.promises[0])
            except UnsolvedError:
                seen["a scheduler that may stay"] += 1
                continue
        for name in Optimal.__struct_fields__:
            numbers, *sides = (getattr(bounds, name) for bounds in (found, low, high))
            assert numbers.keys() == sides[0].keys() == sides[1].keys(), seed
            for state, number in numbers.items():
                lower, upper = (side[state] for side in sides)
                assert lower <= number <= upper <= lower + Fraction(1, 10**6), (seed, name, state)
                seen[name] += lower < number < upper
    assert len(seen) == 5
    assert min(seen.values()) > 2, seen


def test_more_than_a_thousand_states_have_bounds():
    graph, low, high = enclosing(two_tokens(33, 8))
    start = graph.states.index((0, 8))
    assert len(low.soon) == 33 * 32 > module.MOST
    for name in ("soon", "late"):
        lower, upper = (getattr(side, name)[start] for side in (low, high))
        assert lower < 8 * 25 < upper < lower + Fraction(1, 10**6)
    assert low.likely[start] == low.unlikely[start] == 1


def test_bounds_are_findings_where_there_are_too_many_states(monkeypatch):
    monkeypatch.setattr(module, "MOST", 0)
    loop = graph_model([(0, [("a", 0), ("a", 1), ("b", 0), ("b", 0), ("b", 1)])], goals=(1,), coins=True)
    says = "at most [1.999999, 2.000001] from any state under the best scheduler, [2.999999, 3.000001] under the worst"
    assert finding(loop, SCHEDULED, numbers=True).verdict == Holds(f"{says}; 2 states and 5 transitions")


def test_bounds_that_are_not_close_are_unknown(monkeypatch):
    monkeypatch.setattr(module, "MOST", 0)
    monkeypatch.setattr(enclosed, "MOST_ROUNDS", 2)
    loop = graph_model([(0, [("a", 0), ("a", 1)])], goals=(1,), coins=True)
    why = "the bounds of 1 number are not close after 2 iterations"
    assert finding(loop, SCHEDULED, numbers=True).verdict == Unknown(why)


@pytest.mark.parametrize("side", ["low", "high"])
def test_a_bound_on_the_wrong_side_is_not_confirmed(monkeypatch, side):
    """The fault that the check is for: iteration that comes to other numbers."""
    shift = 1 if side == "low" else -1
    right = enclosed._iterated
    monkeypatch.setattr(enclosed, "_iterated", lambda *arguments: right(*arguments) + shift)
    loop = graph_model([(0, [("a", 0), ("a", 1)])], goals=(1,), coins=True)
    monkeypatch.setattr(module, "MOST", 0)
    with pytest.raises(UnsolvedError, match="bound could not be confirmed"):
        enclosing(loop)
