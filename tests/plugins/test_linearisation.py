"""Linearisation of three nodes, explored plainly and by tables: the sizes that other explorers find."""

from functools import cache
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.graph import examine as plain
from gomboc.checker.explore.graph.lasso import is_fair, replays
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.instance import bounded_model, size
from tests.plugins.linearisation import PROTOCOL, linearisation
from tests.plugins.promises import findings

SIZES = [(1, 2_258, 11_616, 16), (2, 26_138, 159_399, 81)]


@cache
def plain_graph(copies):
    return explore(bounded_model(linearisation(copies)))


def plainly(copies, question=Question()):  # noqa: B008
    """The plain explorer's exploration; its graph is searched once for all questions."""
    with patch.object(plain, "search", lambda model, watch: plain_graph(copies)):
        return plain.examine(bounded_model(linearisation(copies)), question)


def counts(exploration):
    extent = exploration.extent
    return extent.states, extent.transitions, exploration.legitimate, extent.beyond


@cache
def by_tables(copies, fairness=Fairness.WEAK):
    return examine(linearisation(copies), Question(fairness=fairness))


@pytest.mark.parametrize(("copies", "states", "pairs", "legitimate"), SIZES)
def test_tables_find_that_many_states_pairs_and_legitimate_states(copies, states, pairs, legitimate):
    assert counts(by_tables(copies)) == (states, pairs, legitimate, 0)


@pytest.mark.parametrize(
    ("copies", "states", "pairs", "legitimate"), [*SIZES[:-1], pytest.param(*SIZES[-1], marks=pytest.mark.dear)]
)
def test_the_plain_explorer_finds_as_many(copies, states, pairs, legitimate):
    assert counts(plainly(copies)) == (states, pairs, legitimate, 0)


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("fairness", Fairness)
def test_it_converges_under_weak_fairness_of_each_action_and_not_without(copies, fairness):
    instance = linearisation(copies)
    can, must, *worst = findings(by_tables(copies, fairness))
    assert isinstance(can.verdict, Holds)
    assert isinstance(must.verdict, Violated if fairness is Fairness.NONE else Holds)
    assert not worst, "timeouts go on for ever"
    if must.run is not None:
        assert replays(bounded_model(instance), must.run)
        assert is_fair(bounded_model(instance), must.run, fairness)


@pytest.mark.parametrize("copies", [1, pytest.param(2, marks=pytest.mark.dear)])
@pytest.mark.parametrize("fairness", [Fairness.NONE, Fairness.WEAK])
def test_the_plain_explorer_says_so_too(copies, fairness):
    must = findings(plainly(copies, Question(fairness=fairness)))[1]
    assert isinstance(must.verdict, type(findings(by_tables(copies, fairness))[1].verdict))


def test_closure_holds_in_every_legitimate_state():
    (finding,) = findings(by_tables(2), "closure")
    claim = "in 81 states of 26,138 states and 159,399 transitions; "
    bounds = "deduplicating channels, at most 2 of the same message in flight"
    assert finding.verdict == Holds(claim + bounds)


def test_starts_that_are_not_connected_are_left_out():
    assert size(linearisation(1)) == 2_304
    assert by_tables(1).extent.starts == 2_258


def test_without_delegation_it_does_not_converge():
    def forgetful(me, local, taken, choice):
        return replace(PROTOCOL.actor.react(me, local, taken, choice), sends=())

    broken = replace(linearisation(1), protocol=PROTOCOL.changed(react=forgetful))
    can, must = findings(examine(broken))
    assert isinstance(can.verdict, Violated)
    assert isinstance(must.verdict, Violated)
    assert replays(bounded_model(broken), can.run)
    assert replays(bounded_model(broken), must.run)
