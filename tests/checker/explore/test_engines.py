"""The choice of the engine: tables where they support all statements of an instance, values otherwise."""

import pytest

from gomboc.checker.core.bad_models import BadModelError, NotTabularError
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import Bounds, silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.model import Offer
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.plugins.promises import finding_on

STEP = {("a", 0, None): ((1, ()),)}


def engine_of(asked, **parts):
    return explore(instance_of(tabled(STEP).changed(**parts)), asked, Question(), silent).engine


@pytest.mark.parametrize("discipline", Discipline)
def test_tables_explore_what_keeps_no_order(discipline):
    assert engine_of("auto", discipline=discipline) == ("numbered" if discipline is Discipline.FIFO else "table")
    assert engine_of("plain", discipline=discipline) == "plain"


@pytest.mark.parametrize("discipline", [Discipline.UNORDERED, Discipline.ROUNDS])
def test_a_node_that_falls_asleep_on_the_way_is_one_for_the_tables(discipline):
    assert engine_of("auto", discipline=discipline, asleep=lambda local: local == 1) == "table"


def test_what_is_offered_twice_is_left_to_the_plain_explorer_which_calls_it_a_mistake():
    twice = {"offers": lambda states, in_flight: (Offer("a", "x", ""), Offer("a", "x", "", True))}
    with pytest.raises(NotTabularError, match="refuses two equal offers of tabled in one state"):
        engine_of("table", **twice)
    with pytest.raises(BadModelError, match="has coins whose chances add up to 2 and not to 1"):
        engine_of("auto", **twice)


WIDE = {("a", 0, 10): ((1, ()),)}


def wide(reactions, sent=(("a", 10), ("b", 10)), copies=99, **more):
    """An instance whose channels have room for more messages than a state of 63 bits names."""
    return instance_of(tabled(reactions, {(0, "a", 0)}), (0,), sent, 2, copies=copies, **more)


def test_a_state_that_is_too_wide_for_tables_is_explored_plainly():
    chosen, plain = (explore(wide(WIDE), engine, Question(), silent) for engine in ("auto", "plain"))
    assert chosen.engine == plain.engine == "plain"
    assert chosen.extent == plain.extent
    assert explore(wide(WIDE), "table", Question(), silent).exit_code() == 3
    # Nothing puts "a" right if the message is not in flight.
    assert chosen.exit_code() == plain.exit_code() == 1


def test_a_model_without_end_is_explored_plainly_up_to_a_bound(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.engines.MOST_PLAINLY", 50)
    endless = wide({("b", 0, None): ((0, (("a", 10),)),)}, coalesce=False)
    for bounds, most in ((Bounds(), 50), (Bounds(most_states=20), 20)):
        exploration = explore(endless, "auto", Question(bounds=bounds), silent)
        whys = [one.verdict.why for one in exploration.findings if isinstance(one.verdict, Unknown)]
        assert exploration.extent.stopped == f"the bound of {most} states was reached"
        assert whys
        assert all("or --engine plain" in why for why in whys)


def test_a_model_with_too_many_starts_is_not_explored_plainly(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.engines.MOST_STARTS", 3)
    exploration = explore(wide(WIDE), "auto", Question(), silent)
    assert (exploration.engine, exploration.exit_code()) == ("table", 3)


@pytest.mark.parametrize("admitted", [True, False])
def test_nothing_is_settled_of_a_model_of_which_no_start_was_found(monkeypatch, admitted):
    monkeypatch.setattr("gomboc.checker.explore.engines.MOST_STARTS", 3)
    called = {("a", 0, None): ((0, (("b", 10),)),), ("b", 0, 10): ((1, ()),)}
    converging = instance_of(tabled(called, {(0, "b", 0)}), (0, 2), [("a", 10)], 2, 999, admits=lambda start: admitted)
    exploration = explore(converging, "auto", Question(), silent)
    assert (exploration.extent.states, exploration.exit_code()) == (0, 3)
    holds = {one.promise for one in exploration.findings if isinstance(one.verdict, Holds)}
    assert holds == ({"closure", "canonical", "convergence"} if admitted else set())


@pytest.mark.parametrize("engine", ["auto", "plain", "table"])
def test_closure_is_unknown_where_no_state_is_legitimate(engine):
    never = instance_of(tabled({}, {(0, "a", 0)}))
    exploration = explore(never, engine, Question(), silent)
    closure, vacuous = (finding_on(exploration, promise) for promise in ("closure", "not_vacuous"))
    extent = "1 state and 0 transitions; deduplicating channels, at most 1 of the same message in flight"
    assert closure.verdict == Unknown(f"it holds in none of {extent}, so nothing is claimed")
    assert isinstance(vacuous.verdict, Violated)
