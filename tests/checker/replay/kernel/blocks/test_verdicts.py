"""Rows as the naive judge's: every column of small blocks, and of traces that end in each way."""

import pytest

from gomboc.checker.judge.naive import Options
from tests.checker.replay.kernel.packed import agree, factored, known
from tests.checker.replay.kernel.stating import observing
from tests.toys.words.spec import UNORDERED, header, hears, obeys, rests, tells, written

ROUND = rests("a"), rests("b")
TRACES = {
    "holds": (header(), *ROUND),
    "empty": (header(),),
    "wrong": (header(), rests("a", "bad")),
    "wrong_and_left": (header(), rests("b", "bad"), rests("a")),
    "left": (header(b="bad", messages=[(0, "b", "good")]), hears("b", 0), tells("b", 1), rests("b", "bad")),
    "late": (header(b="bad", bound=1), rests("a"), rests("b", "bad")),
    "not_yet": (header(b="bad"), rests("a"), rests("b", "bad")),
    "converged": (header(b="bad", messages=[(0, "b", "good")]), hears("b", 0), *ROUND, *ROUND),
    "converged_with_the_last_step": (header(b="bad", messages=[(0, "b", "good")]), hears("b", 0)),
    "commanded": (header(), *ROUND, obeys("b", "bad")),
    "not_canonical_at_the_start": (header(b=""), rests("a")),
    "not_canonical_later": (header(), rests("a"), rests("b", "")),
}
OPTIONS = {"default": Options(), "cut": Options(most_steps=1), "bound": Options(bound=0)}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("name", TRACES)
def test_a_row_is_the_naive_judges(name, options):
    assert agree(UNORDERED, [written(*TRACES[name])], options) != [None]


def test_all_rows_of_a_block_are_those_of_each_trace_alone():
    traces = [written(*lines) for lines in TRACES.values()]
    assert agree(UNORDERED, traces) == [agree(UNORDERED, [trace])[0] for trace in traces]
    assert {row["verdict"] for row in agree(UNORDERED, traces)} == {"holds", "violated", "unknown"}


@pytest.mark.parametrize(
    ("name", "conjunct"),
    [("wrong", "text"), ("wrong_and_left", "text"), ("late", "agrees"), ("holds", None)],
)
def test_a_violation_has_its_conjunct(name, conjunct):
    with known(UNORDERED):
        (row,) = factored(UNORDERED, [written(*TRACES[name])])
    assert row["conjunct"] == conjunct


def test_steps_until_legitimacy_are_counted_from_the_start_or_the_last_command():
    with known(UNORDERED):
        rows = factored(UNORDERED, [written(*TRACES[name]) for name in ("holds", "converged", "commanded", "late")])
    assert [row["steps_until"] for row in rows] == [0, 1, None, None]


def test_deliveries_after_a_step_that_does_not_conform_are_not_judged():
    """So a promise over histories is unknown, and says from which step on."""
    protocol = observing(UNORDERED)
    lied = [header(), rests("a", coin="edge"), *ROUND, *ROUND]
    (row,) = agree(protocol, [written(*lied)])
    assert (row["closure"], row["convergence"]) == ("holds", "holds")
    assert row["error"] == "step 1 does not conform, so deliveries from there on are not judged"
    (row,) = agree(protocol, [written(header(), *ROUND, *ROUND)])
    assert row["error"] is None
