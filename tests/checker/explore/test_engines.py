"""The choice of the engine: tables where they support all statements of an instance, values otherwise."""

import pytest

from gomboc.checker.core.bad_models import BadModelError, NotTabularError
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.spec.core.model import Offer
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.table.protocols import instance_of, tabled

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
