"""Many rows are summed up into the same summary in whichever order they come."""

import random
from statistics import median

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.summary.summary import MOST_NAMED, Named, Summary, SummaryLine, percentile, sum_up
from gomboc.checker.summary.verdict_row import Row


def row(trace, members=2, rounds=3, **more):
    fields = {"verdict": "holds", "steps": 10, "conformance": "holds", "closure": "holds", "convergence": "holds"}
    return Row(**{"trace": trace, "spec": "abc", "members": members, "rounds": rounds, **fields, **more})


def counted(holds=0, violated=0, unknown=0):
    return {"holds": holds, "violated": violated, "unknown": unknown}


ROWS = [
    row("a", 2, 3),
    row("b", 2, 8),
    row("c", 10, 5, verdict="violated", closure="violated", step=4, rule="closure", steps=1_000),
    row("d", 10, None, verdict="unknown", convergence="unknown", error="it ended early"),
    Row("e", "unreadable", "abc", error="no such file"),
    Row("f", "unknown", "abd", error="the judge failed"),
]


def test_a_summary_has_a_line_for_each_size_and_one_for_all():
    assert sum_up(ROWS) == Summary(
        verdicts={"holds": 2, "unknown": 2, "unreadable": 1, "violated": 1},
        lines=(
            SummaryLine(2, 2, 20, counted(2), counted(2), counted(2), 5.5, 8, 8, after_fewest=0, after_most=0),
            SummaryLine(
                10, 2, 1_010, counted(2), counted(1, 1), counted(1, unknown=1), 5, 5, 5, after_fewest=0, after_most=0
            ),
            SummaryLine(
                None, 4, 1_030, counted(4), counted(3, 1), counted(3, unknown=1), 5, 8, 8, after_fewest=0, after_most=0
            ),
        ),
        named=(
            Named("c", "violated at step 4 by closure"),
            Named("d", "it ended early"),
            Named("e", "no such file"),
            Named("f", "the judge failed"),
        ),
        example="c",
        spec=("abc", "abd"),
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_means_nothing(seed):
    shuffled = random.Random(seed).sample(ROWS, len(ROWS))
    assert msgspec.json.encode(sum_up(shuffled)) == msgspec.json.encode(sum_up(ROWS))


def test_where_everything_holds_the_example_is_one_that_does():
    summary = sum_up(ROWS[:2])
    assert (summary.named, summary.example) == ((), "a")


def test_of_many_that_do_not_hold_the_first_are_named():
    rows = [Row(f"t{number:02}", "unknown", "abc") for number in range(MOST_NAMED + 5)]
    assert sum_up(rows).named == tuple(Named(f"t{number:02}", "unknown") for number in range(MOST_NAMED))


def test_nothing_at_all_is_summed_up_without_figures():
    nothing = SummaryLine(None, 0, 0, counted(), counted(), counted(), None, None, None)
    assert sum_up([]) == Summary({}, (nothing,), (), None, ())


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ((), 2),
        (("holds",), 0),
        (("holds", "violated"), 1),
        (("holds", "unreadable"), 2),
        (("holds", "unknown"), 3),
        (("unreadable", "unknown"), 2),
        (("violated", "unreadable", "unknown", "holds"), 1),
    ],
)
def test_violated_goes_before_unreadable_before_unknown_before_holds(verdicts, code):
    assert sum_up(Row(verdict, verdict, "abc") for verdict in verdicts).exit_code() == code


def test_a_verdict_that_no_node_has_does_not_count():
    assert Summary({"holds": 1, "violated": 0}, (), (), None, ()).exit_code() == 0


@given(st.lists(st.integers(0, 20), min_size=1).map(sorted), st.integers(1, 100))
def test_a_percentile_is_the_least_value_that_is_at_least_as_large_as_so_many_percent(ordered, percent):
    result = percentile(ordered, percent)
    reached = [value for value in ordered if 100 * sum(other <= value for other in ordered) >= percent * len(ordered)]
    assert result == reached[0]


def test_percentiles_of_a_hundred_values_are_these_values():
    ordered = list(range(1, 101))
    assert [percentile(ordered, percent) for percent in (1, 50, 99, 100)] == [1, 50, 99, 100]
    assert percentile([], 99) is None


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 50)), min_size=1))
def test_the_figures_of_all_are_those_of_all_traces(figures):
    rows = [row(str(number), members, rounds) for number, (members, rounds) in enumerate(figures)]
    *sizes, every = sum_up(rows).lines
    assert (every.traces, every.steps) == (len(rows), 10 * len(rows))
    assert sum(line.traces for line in sizes) == every.traces
    assert every.rounds_worst == max(line.rounds_worst for line in sizes) == max(rounds for _, rounds in figures)
    assert every.rounds_median == median(rounds for _, rounds in figures)
