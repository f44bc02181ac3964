"""The comparison with a record, and the text of each verdict."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding, Run
from gomboc.checker.explore.results.report import ReportedExploration, differences, lines, pace, results_of, word_for
from gomboc.checker.explore.results.saving import Saved
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.pinned import Results
from tests.checker.cli.explored import COUNTER

FINDINGS = (
    Finding("closure", "it stays", Holds("all of it")),
    Finding("convergence", "it comes", Violated(3, "convergence", "it does not", source="Theorem 8")),
    Finding("kept", "it is kept", Violated(1, "kept", "it is lost")),
    Finding("canonical", "it is", Unknown("nobody looked")),
)
FOUND = Exploration("ring", "central", "plain", Extent(1, 2_000, 3, 2_000, 0, "so far"), 1, 0.5, FINDINGS)
RECORD = Results(1, 2_000, 3, 1, ("holds", "violated", "violated", "unknown"))


def told(**parts):
    target = Target("a ring", "of one", COUNTER, "gomboc explore it")
    return list(lines(ReportedExploration(**{"target": target, "exploration": FOUND, "saved": {}, **parts})))


def test_each_verdict_is_a_line_with_what_is_claimed_and_why():
    assert told() == [
        "a ring: of one",
        "  1 initial state, 2,000 states, 3 transitions, 1 legitimate state",
        "  engine: plain; central scheduler; 0.5 s, 4,000 states/s",
        "  bounds: so far",
        "  holds: closure: it stays: all of it",
        "  violated: convergence: it comes: it does not [Theorem 8]",
        "  violated: kept: it is kept: it is lost",
        "  unknown: canonical: it is: nobody looked",
        "  reproduce: gomboc explore it",
    ]


def test_a_counterexample_that_is_not_saved_is_offered_to_be_saved():
    run = Run((0, 1), (0,))
    hint = "  add --output DIR to save each counterexample as a trace"
    shown = replace(FOUND, findings=tuple(replace(finding, run=run) for finding in FOUND.findings))
    assert told(exploration=shown)[-2:] == [hint, "  reproduce: gomboc explore it"]
    saved = dict.fromkeys(range(len(FOUND.findings)), Saved("x.jsonl", "gomboc check x.jsonl", ""))
    assert hint not in told(exploration=shown, saved=saved)
    assert hint not in told(exploration=shown, differing=())


def test_a_run_to_what_is_unknown_is_offered_to_be_saved_where_nothing_is_violated():
    unknown = Finding("kept", "it is kept", Unknown("a bound"), Run((0, 1), (0,)))
    hint = "  add --output DIR to save a run that leads to what is unknown as a trace"
    assert told(exploration=replace(FOUND, findings=(FINDINGS[0], unknown)))[-2] == hint
    assert hint not in told(exploration=replace(FOUND, findings=(FINDINGS[0], unknown)), saved={1: Saved("x")})
    violation = replace(FINDINGS[1], run=unknown.run)
    assert hint not in told(exploration=replace(FOUND, findings=(violation, unknown)))


def test_what_is_covered_and_its_bounds_are_told_once_and_not_with_every_finding():
    whole = "2,000 states and 3 transitions; so far"
    findings = (
        Finding("closure", "it stays (central scheduler)", Holds(f"in 7 states of {whole}")),
        Finding("convergence", "it comes (central scheduler)", Holds(whole)),
        Finding("convergence", "in time (central scheduler)", Unknown(f"nobody looked; {whole}")),
    )
    assert told(exploration=replace(FOUND, extent=replace(FOUND.extent, leaving=1), findings=findings))[3:] == [
        "  bounds: so far; 1 state leads beyond the bound",
        "  holds: closure: it stays: in 7 states",
        "  holds: convergence: it comes",
        "  unknown: convergence: in time: nobody looked",
        "  reproduce: gomboc explore it",
    ]


def test_a_saved_run_stands_below_its_finding():
    shown = told(saved={1: Saved("x.jsonl", "gomboc check x.jsonl"), 2: Saved("y.jsonl", why="it is odd")})
    assert shown[6] == "    saved as x.jsonl; confirmed by: gomboc check x.jsonl"
    assert shown[8] == "    saved as y.jsonl; not confirmed: it is odd"


def test_what_stopped_an_exploration_is_told():
    assert "  stopped: enough" in told(exploration=replace(FOUND, extent=replace(FOUND.extent, stopped="enough")))


def test_results_are_counts_and_words():
    assert results_of(FOUND) == RECORD
    assert [word_for(finding) for finding in FINDINGS] == ["holds", "violated", "violated", "unknown"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ()),
        ({"starts": 1_000}, ("starts: 1, recorded 1,000",)),
        ({"states": 1, "legitimate": 2}, ("states: 2,000, recorded 1", "legitimate: 1, recorded 2")),
        ({"leaving": 7}, ("leaving: 0, recorded 7",)),
        ({"leaving": None}, ()),
        ({"verdicts": ("holds",)}, ("verdicts: holds, violated, violated, unknown, recorded holds",)),
    ],
)
def test_every_difference_from_a_record_is_named(changed, said):
    assert differences(replace(RECORD, **changed), RECORD) == said


def test_a_pace_is_a_number_even_if_it_took_no_time():
    assert pace(replace(FOUND, seconds=0.0)) == 2_000 / 1e-6
