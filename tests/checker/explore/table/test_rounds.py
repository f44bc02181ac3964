"""Whole rounds by tables are those of the plain model, on random protocols and on one that is written down."""

from fractions import Fraction
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from gomboc.checker.core.bad_models import NotCommutingError
from gomboc.checker.explore import engines
from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds, silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.rounds import round_model
from gomboc.checker.explore.results.finding import Run
from gomboc.checker.explore.results.recording import unrolled
from gomboc.checker.explore.table.model import tables as tables_module
from gomboc.checker.explore.table.model.checked_calls import outcomes
from gomboc.checker.explore.table.rounds.local_rounds import Commuting
from gomboc.checker.explore.table.search import search
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.spec.core.model import Fault, Received, Timeout
from gomboc.spec.core.promises import Observer
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.alike import QUESTIONS, explored_alike
from tests.checker.explore.table.protocols import instance_of, instances, tabled
from tests.plugins.promises import finding_on
from tests.sampling import share

RELAY = {
    ("a", 0, None): ((0, (("b", 10),)),),
    ("b", 0, 10): ((1, ()), (2, (("a", 11),))),
    ("b", 1, 10): ((1, ()),),
}
"""In each round a tells b; b tosses a coin when it hears it first."""

ORDER_IS_FIXED = patch.object(Commuting, "insist", lambda self, node, local, messages: None)
"""Receipts drawn at random hardly ever commute: both explorers take them in the same order."""


def in_rounds(instance):
    return replace(instance, protocol=replace(instance.protocol, discipline=Discipline.ROUNDS))


@settings(max_examples=share(150), deadline=None)
@given(instance=instances().map(in_rounds), question=QUESTIONS)
def test_tables_say_of_whole_rounds_what_the_plain_explorer_says(instance, question):
    with ORDER_IS_FIXED:
        explored_alike(instance, question)


def test_a_round_is_all_receipts_and_then_all_timeouts_for_each_fall_of_the_coins():
    graph = explore(round_model(in_rounds(instance_of(tabled(RELAY)))))
    first, second = graph.actions[0], graph.actions[1]
    assert [(act.node, act.input) for act in first[0].acts] == [("a", Timeout()), ("b", Timeout())]
    assert [[(act.node, act.input) for act in taken.acts] for taken in second] == [
        [("b", Received(10)), ("a", Timeout()), ("b", Timeout())]
    ] * 2
    assert [graph.model.chance(taken) for taken in second] == [Fraction(1, 2)] * 2


def test_the_specification_is_asked_for_single_steps_only_and_once_for_each():
    asked = []

    def noted(protocol, *step):
        asked.append(step[:3])
        return outcomes(protocol, *step)

    with patch.object(tables_module, "outcomes", noted):
        explored = search(in_rounds(instance_of(tabled(RELAY), locals_=(0, 1, 2))))
    assert explored.extent.states > 9
    assert len(asked) == len(set(asked))
    assert {type(taken) for _, _, taken in asked} == {Received, Timeout}


def test_a_run_of_rounds_is_unrolled_into_its_steps():
    graph = explore(round_model(in_rounds(instance_of(tabled(RELAY)))))
    (one, *_), (two, *_) = graph.actions[0], graph.actions[1]
    steps = unrolled(Run(tuple(graph.states[:2]), (one, two), 1))
    assert (steps.states, steps.actions, steps.back) == ((graph.states[0],), (*one.acts, *two.acts), 2)


BOTH = (("a", 10), ("a", 11))
LAST_WINS = {("a", 0, 10): ((1, ()),), ("a", 1, 11): ((2, ()),), ("a", 0, 11): ((0, ()),)}
"""10 and then 11 lead from 0 to 2, 11 and then 10 to 1."""


def test_receipts_that_do_not_commute_are_found_in_the_state_where_they_meet():
    met = in_rounds(instance_of(tabled(LAST_WINS), messages=BOTH, in_flight=2))
    says = "takes whole rounds as single steps, and receipts of tabled do not commute, though it says so; explore"
    with pytest.raises(NotCommutingError, match=says):
        explore_by("table", met)
    exploration = explore_by("auto", met)
    assert (exploration.engine, exploration.exit_code()) == ("plain", 1)
    commuting = finding_on(exploration, "commuting")
    assert commuting.of == "the receipts of one round commute, as the protocol says"
    assert commuting.verdict.says == "two do not: of node 'a' in the state 0: 10 and 11"


@pytest.mark.parametrize("sends", [((("b", 10),), (("b", 11),)), ((("b", 10), ("b", 11)), ())])
def test_receipts_commute_whatever_the_order_in_which_they_send(sends):
    one, other = sends
    met = in_rounds(instance_of(tabled({("a", 0, 10): ((0, one),), ("a", 0, 11): ((0, other),)}), (0,), BOTH, 2))
    (commuting,) = (finding for finding in explore_by("table", met).findings if finding.promise == "commuting")
    assert commuting.verdict == Holds("in all 2 pairs of receipts that were met, each in a local state")


def test_receipts_that_send_otherwise_in_another_order_do_not_commute():
    late = {("a", 0, 10): ((1, ()),), ("a", 1, 11): ((1, (("b", 11),)),), ("a", 0, 11): ((0, ()),)}
    with pytest.raises(NotCommutingError):
        explore_by("table", in_rounds(instance_of(tabled(late), messages=BOTH, in_flight=2)))


def test_receipts_that_break_a_promise_in_one_order_only_do_not_commute():
    def observe(node, seen, delivered):
        faults = (Fault("first", node, 10, delivered, "nowhere"),) if (seen, delivered) == (0, 11) else ()
        return seen + 1, faults

    alike = tabled({}).changed(observers=(Observer("ten_is_first", "nowhere", 0, observe),))
    with pytest.raises(NotCommutingError):
        explore_by("table", in_rounds(instance_of(alike, messages=BOTH, in_flight=2)))


def test_a_third_receipt_is_looked_at_where_two_have_been():
    item = {("a", local, message): ((local + 1, ()),) for local in (0, 1) for message in (10, 11, 12)}
    after_two = {**item, ("a", 2, 10): ((3, ()),), ("a", 2, 11): ((4, ()),)}
    three = in_rounds(instance_of(tabled(after_two), messages=(*BOTH, ("a", 12)), in_flight=3))
    with pytest.raises(NotCommutingError) as result:
        explore_by("table", three)
    assert result.value.where.startswith("of node 'a' in the state 1: ")


def test_receipts_beyond_a_bound_may_not_commute():
    told = {("a", 0, None): ((0, BOTH),)}
    met = in_rounds(instance_of(tabled(LAST_WINS | told), most=1))
    (commuting,) = (finding for finding in explore_by("table", met).findings if finding.promise == "commuting")
    says = "in all 0 pairs of receipts that were met, each in a local state; 1 state leads beyond the bound"
    assert commuting.verdict == Unknown(says)
    stopped = engines.explore(in_rounds(instance_of(tabled(RELAY))), "table", Question(bounds=Bounds(1)), silent)
    assert isinstance(finding_on(stopped, "commuting").verdict, Unknown)


def explore_by(engine, instance):
    return engines.explore(instance, engine, Question(), silent)
