"""A judgement for people: one line if it holds; otherwise the violation, its place and a command to reproduce it."""

import msgspec

from gomboc.checker.judge.verdict import Difference, Holds, Judgement, Unknown, Violated
from gomboc.checker.report.text import WIDEST, lines, shown

HOLDS = Holds("it does")


def judgement(conformance=HOLDS, closure=HOLDS, convergence=HOLDS, **more):
    result = {"rounds": 4, "rounds_after": 10, **more}
    return Judgement("t.jsonl", "skip_ring", 3, 77, conformance, closure, convergence, **result)


def text(judgement):
    return "\n".join(lines(judgement, "gomboc check t.jsonl"))


def test_what_holds_is_one_line():
    assert text(judgement()) == "t.jsonl: holds (n = 3, 77 steps; legitimate after 4 rounds, and for 10 more)"


def test_a_step_that_does_not_conform_is_shown_with_what_was_accepted_and_what_differs():
    differences = (
        Difference("left.label", "01", None),
        Difference("not sent to v1", {"kind": "Probe"}, None),
        Difference("sent to v2", None, {"kind": "Check"}),
    )
    wrong = Violated(
        7, "set_data", "the step is not what the rule 'set_data' produces", "v1", "Algorithm 4", differences
    )
    assert text(judgement(wrong, convergence=Unknown("it ended early"))) == (
        "t.jsonl: violated at step 7 (line 8) by set_data (n = 3, 77 steps)\n"
        "  conformance: violated at step 7 at v1: set_data: the step is not what the rule 'set_data' produces"
        " [Algorithm 4]\n"
        "    accepted: steps 1 to 6\n"
        '    left.label: expected "01", found null\n'
        '    - not sent to v1: {"kind":"Probe"}\n'
        '    + sent to v2: {"kind":"Check"}\n'
        "  closure: holds: it does\n"
        "  convergence: unknown: it ended early\n"
        "  reproduce: gomboc check t.jsonl"
    )


def test_the_headline_names_the_earliest_violation():
    early, late = Violated(2, "closure", "left"), Violated(5, "set_data", "wrong", "v1")
    assert text(judgement(late, early)) == (
        "t.jsonl: violated at step 2 (line 3) by closure (n = 3, 77 steps)\n"
        "  conformance: violated at step 5 at v1: set_data: wrong\n"
        "    accepted: steps 1 to 4\n"
        "  closure: violated at step 2: left\n"
        "  convergence: holds: it does\n"
        "  reproduce: gomboc check t.jsonl"
    )


def test_what_was_accepted_before_the_first_steps_is_said_in_words():
    assert "    accepted: nothing; the state before the first step is already wrong\n" in text(
        judgement(Violated(0, "fresh_id", "twice"))
    )
    assert "    accepted: the state before the first step\n" in text(judgement(Violated(1, "fresh_id", "twice")))
    assert "    accepted: step 1\n" in text(judgement(Violated(2, "fresh_id", "twice")))


def test_what_is_unknown_says_why_and_what_is_known():
    assert text(judgement(convergence=Unknown("it ended early"), rounds=None)) == (
        "t.jsonl: unknown (n = 3, 77 steps)\n"
        "  conformance: holds: it does\n"
        "  closure: holds: it does\n"
        "  convergence: unknown: it ended early\n"
        "  reproduce: gomboc check t.jsonl"
    )


def test_a_value_is_shown_as_its_trace_writes_it():
    assert shown(("0", None, True)) == '["0",null,true]'


def test_a_long_value_is_cut_and_its_length_said():
    fits, long = "x" * (WIDEST - 2), "x" * (WIDEST - 1)
    assert shown(fits) == msgspec.json.encode(fits).decode()
    assert shown(long) == f'"{long}... ({WIDEST + 1} characters)'
