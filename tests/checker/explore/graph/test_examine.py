"""From a model to findings: one for each property, each with its fairness, its scheduler and its bounds."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.explore.graph.examine import examine
from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.results.finding import Extent
from gomboc.checker.explore.verdicts import ALWAYS, BOUNDED, POSSIBLE, SOMETIMES, STABLE
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.spec.core.model import Kind
from tests.checker.explore.graph.graphs import graph_model, graph_models
from tests.plugins.dijkstra_rings import token_ring

PATH = graph_model([(0, [("a", 1)]), (1, [("a", 2)])], goals=(0, 1, 2), kinds=tuple(Kind))


def test_each_promise_is_judged_by_its_kind():
    weak = "every weakly fair run reaches a state where it holds"
    expected = [
        ("always", ALWAYS),
        ("stable", STABLE),
        ("eventually", POSSIBLE),
        ("eventually", weak),
        ("eventually", BOUNDED),
        ("sometimes", SOMETIMES),
    ]
    exploration = examine(PATH)
    assert [(one.promise, one.of) for one in exploration.findings] == [
        (name, f"{of} (central scheduler)") for name, of in expected
    ]
    assert all(isinstance(one.verdict, Holds) for one in exploration.findings)
    assert exploration.exit_code() == 0


def test_an_exploration_counts_what_it_found():
    exploration = examine(token_ring(3, 2), Question(scheduler=Scheduler.DISTRIBUTED, fairness=Fairness.NONE))
    assert (exploration.model, exploration.scheduler, exploration.engine) == ("token_ring", "distributed", "plain")
    assert (exploration.extent, exploration.legitimate) == (Extent(8, 8, 20, 8), 6)
    assert exploration.seconds > 0


def test_legitimate_are_the_states_of_the_first_promise_of_convergence():
    several = graph_model([(0, [("a", 1)])], goals=(1,), kinds=(Kind.EVENTUALLY,))
    assert examine(several).legitimate == 1
    assert examine(graph_model([(0, [("a", 1)])], goals=(0, 1), kinds=(Kind.ALWAYS,))).legitimate == 2
    assert examine(graph_model([(0, [("a", 1)])], kinds=())).legitimate == 0


def test_where_the_graph_is_not_whole_that_is_said_of_what_had_no_time_to_be_judged():
    exploration = examine(PATH, Question(bounds=Bounds(seconds=0)))
    why = Unknown("the bound of 0 seconds was reached: 0 of 0 states found were explored, 0 transitions")
    assert {one.verdict for one in exploration.findings if one.promise == "eventually"} == {why}


def test_a_claim_names_the_bounds_of_its_model():
    within = graph_model([(0, [("a", 1)])], goals=(0, 1), kinds=(Kind.ALWAYS,), beyond=(2,))
    (result,) = examine(replace(within, bounds="below 2")).findings
    assert result.verdict == Holds("2 states and 1 transition; below 2")


def test_progress_is_reported():
    calls = []
    examine(PATH, report=lambda *numbers: calls.append(numbers))
    assert calls[-1] == (0, 1, 0)


@given(model=graph_models(kinds=tuple(Kind)), most=st.integers(1, 4), fairness=st.sampled_from(Fairness))
def test_a_bound_never_changes_a_verdict_but_to_unknown(model, most, fairness):
    whole = {(one.promise, one.of): one.verdict for one in examine(model, Question(fairness=fairness)).findings}
    part = examine(model, Question(fairness=fairness, bounds=Bounds(most_states=most))).findings
    for one in part:
        assert isinstance(one.verdict, (Unknown, type(whole.get((one.promise, one.of), one.verdict))))
