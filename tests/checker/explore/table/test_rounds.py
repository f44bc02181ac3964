"""Whole rounds by tables are those of the plain model, on random protocols and on one that is written down."""

from fractions import Fraction
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from checker.explore.fairness import Coins, Fairness
from checker.explore.graph import examine as plain
from checker.explore.graph.search import explore
from checker.explore.question import Question
from checker.explore.rounds import round_model, unrolled
from checker.explore.run import Run
from checker.explore.table import tables as tables_module
from checker.explore.table.examine import examine
from checker.explore.table.search import search
from checker.explore.table.untrusted import outcomes
from spec.model import Received, Timeout
from spec.protocol import Discipline
from tests.checker.explore.table.protocols import instance_of, instances, tabled
from tests.checker.explore.table.test_examine import COUNTS, assert_runs_are_real, told

QUESTIONS = st.builds(Question, fairness=st.sampled_from(Fairness), coins=st.sampled_from(Coins))

RELAY = {
    ("a", 0, None): ((0, (("b", 10),)),),
    ("b", 0, 10): ((1, ()), (2, (("a", 11),))),
    ("b", 1, 10): ((1, ()),),
}
"""In each round a tells b; b tosses a coin when it hears it first."""


def in_rounds(instance):
    return replace(instance, protocol=replace(instance.protocol, discipline=Discipline.ROUNDS))


@settings(max_examples=150, deadline=None)
@given(instance=instances().map(in_rounds), question=QUESTIONS)
def test_tables_say_of_whole_rounds_what_the_plain_explorer_says(instance, question):
    model = round_model(instance)
    one, other = plain.examine(model, question), examine(instance, question)
    assert [getattr(one, count) for count in COUNTS] == [getattr(other, count) for count in COUNTS]
    assert told(one) == told(other)
    assert_runs_are_real(model, other, question.fairness)


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
    assert explored.found > 9
    assert len(asked) == len(set(asked))
    assert {type(taken) for _, _, taken in asked} == {Received, Timeout}


def test_a_run_of_rounds_is_unrolled_into_its_steps():
    graph = explore(round_model(in_rounds(instance_of(tabled(RELAY)))))
    (one, *_), (two, *_) = graph.actions[0], graph.actions[1]
    steps = unrolled(Run(tuple(graph.states[:2]), (one, two), 1))
    assert (steps.states, steps.actions, steps.back) == ((graph.states[0],), (*one.acts, *two.acts), 2)
