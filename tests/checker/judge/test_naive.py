"""One pass gives three verdicts; a verdict that cannot be reached is unknown, with the reason, and never holds."""

from unittest.mock import patch

import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import Options, find_variant, judge_file
from gomboc.checker.judge.verdict import Bound, Holds, Judgement, Unknown, Violated
from gomboc.checker.replay.pack.ingest import find_sources, ingest
from gomboc.spec.core.registry import find_protocol
from tests.checker import ring
from tests.checker.judge.both import judged
from tests.checker.refusing import sentence
from tests.toys.words.spec import ECHO, header, hears, in_flight, obeys, rests, tells


def file(folder, content):
    path = folder / "t.jsonl"
    path.write_bytes(content)
    return path


def test_a_judgement_has_its_subject_and_its_verdicts(tmp_path):
    path = file(tmp_path, ring.HOLDS)
    assert judge_file(path) == Judgement(
        trace=str(path),
        protocol="skip_ring",
        members=1,
        steps=3,
        conformance=Holds("each of 3 steps is one that the specification allows"),
        closure=Holds("legitimate for 1 further round, to the end of the trace"),
        convergence=Holds("legitimate after 0 rounds, at step 0"),
        rounds=0,
        rounds_after=1,
        bound=Bound(120, "protocol"),
    )


def test_a_judgement_has_the_applied_bound_and_its_source(tmp_path):
    path = file(tmp_path, ring.written({**ring.HEADER, "bound": 7}, ring.RESTS))
    assert judge_file(path).bound == Bound(7, "header")
    assert judge_file(path, Options(bound=3)).bound == Bound(3, "option")
    assert judge_file(path, Options(bound=0)).bound == Bound(0, "option")


@pytest.mark.parametrize("bound", [-1, 1.5, "3", True])
def test_no_judge_reads_a_header_with_an_invalid_bound(tmp_path, bound):
    path = file(tmp_path, ring.written({**ring.HEADER, "bound": bound}, ring.RESTS))
    with pytest.raises(UsageError, match=r"t\.jsonl:1: .*bound"):
        judge_file(path)
    with pytest.raises(UsageError, match=r"t\.jsonl:1: .*bound"):
        ingest(find_sources([path]), tmp_path / "packs", 10, 1, lambda done, total: None)


def test_only_members_are_counted(tmp_path):
    assert judge_file(ring.simulated(tmp_path, nodes=(3,))).members == 3


def test_a_file_that_is_empty_cannot_be_judged(tmp_path):
    path = file(tmp_path, b"")
    assert sentence(judge_file, path) == f"{path}: the file is empty; a trace begins with a header."


def test_a_trace_with_an_unreadable_end_is_not_judged_up_to_there(tmp_path):
    path = file(tmp_path, ring.UNREADABLE)
    assert sentence(judge_file, path) == f"{path}:2: the last line is cut off: it does not end with a newline."


def test_a_trace_without_steps_is_unknown_in_everything_and_no_success(tmp_path):
    judgement = judge_file(file(tmp_path, ring.UNKNOWN))
    nothing = Unknown("the trace has no steps")
    assert [verdict for _, verdict in judgement.verdicts()] == [nothing] * 3
    assert (judgement.steps, judgement.exit_code()) == (0, 3)


def convergence_with(options, *steps, **more):
    return judged(header("good", "bad", **more), *steps, options=options).convergence


BAD_ROUNDS = (rests("a"), rests("b", "bad")) * 4


def test_the_callers_bound_goes_before_that_of_the_trace_and_that_before_the_protocols():
    assert convergence_with(Options(bound=1), *BAD_ROUNDS, bound=2).step == 2
    assert convergence_with(Options(), *BAD_ROUNDS, bound=2).step == 4
    assert convergence_with(Options(), *BAD_ROUNDS).step == 6


def test_a_bound_of_no_rounds_is_a_bound():
    assert convergence_with(Options(bound=0), *BAD_ROUNDS, bound=2).step == 0
    assert convergence_with(Options(), *BAD_ROUNDS, bound=0).step == 0


def cut(after):
    return Unknown(f"only the first {after} steps were judged")


def test_verdicts_beyond_the_most_steps_are_unknown():
    judgement = judged(header(), *[rests("a"), rests("b")] * 3, options=Options(most_steps=4))
    assert [verdict for _, verdict in judgement.verdicts()] == [cut(4)] * 3
    assert (judgement.steps, judgement.exit_code()) == (4, 3)


def test_a_trace_that_is_no_longer_than_the_most_steps_is_judged_as_ever():
    lines = header(), *[rests("a"), rests("b")] * 2
    assert judged(*lines, options=Options(most_steps=4)) == judged(*lines)


def test_violations_within_the_most_steps_stay():
    lines = header(bound=1), rests("a"), rests("b", "bad"), rests("a"), rests("x")
    judgement = judged(*lines, options=Options(most_steps=3))
    assert isinstance(judgement.conformance, Violated)
    assert isinstance(judgement.closure, Violated)
    assert (judgement.convergence, judgement.exit_code()) == (cut(3), 1)


def test_a_violation_after_the_most_steps_is_not_seen():
    lines = header(), rests("a"), rests("b"), rests("b", "bad")
    assert judged(*lines, options=Options(most_steps=2)).exit_code() == 3
    assert judged(*lines).exit_code() == 1


def test_closure_and_convergence_are_judged_on_after_a_step_that_does_not_conform():
    judgement = judged(header("good", "bad"), rests("a", coin="edge"), tells("a", 0), hears("b", 0))
    assert isinstance(judgement.conformance, Violated)
    assert judgement.convergence == Holds("legitimate after 1 round, at step 3")


def test_a_malformed_state_ends_judging_of_closure_and_convergence():
    judgement = judged(header(), rests("a"), rests("b", ""), rests("b", "bad"))
    why = Unknown("a value of step 2 is not canonical")
    assert (judgement.conformance.rule, judgement.closure, judgement.convergence) == ("canonical", why, why)


def test_violations_before_a_malformed_value_stay():
    judgement = judged(header(), rests("b", "bad"), rests("b", ""))
    assert (judgement.conformance.step, judgement.closure.step) == (1, 1)
    assert judgement.convergence == Unknown("a value of step 2 is not canonical")


@pytest.mark.parametrize("start", [header("good", ""), header(messages=[(0, "a", "")])])
def test_of_a_start_that_is_not_canonical_nothing_else_is_judged(start):
    judgement = judged(start, rests("a"))
    why = Unknown("a value before the first step is not canonical")
    assert (judgement.conformance.step, judgement.closure, judgement.convergence) == (0, why, why)
    assert (judgement.rounds, judgement.rounds_after, judgement.exit_code()) == (None, 0, 1)


def test_any_other_wrong_start_is_judged_on():
    judgement = judged(header(messages=[(0, "x", "good")]), rests("a"), obeys("b", "bad"))
    assert (judgement.conformance.rule, judgement.closure.why[:10]) == ("known_node", "the system")
    assert (judgement.steps, judgement.convergence.why[:20]) == (2, "the trace ends after")


def test_a_message_sent_after_its_delivery_is_told_from_one_that_was_never_sent():
    early = hears("b", 0)
    assert judged(header(), early, rests("a")).conformance.rule == "known_message"
    assert judged(header(), early, tells("a", 0)).conformance.rule == "sent_before_delivered"
    other = rests("a", sent=in_flight((1, "b", "good")))
    assert judged(header(), early, other).conformance.rule == "known_message"


def test_a_command_is_a_step_like_any_other():
    assert judged(header(), obeys("a", "riddle")).conformance.rule == "input_has_rule"


def test_a_variant_is_the_protocol_with_one_rule_as_printed():
    sound = find_protocol("skip_ring")
    assert find_variant("skip_ring", None, {}) is sound
    for erratum in sound.variants.errata:
        variant = find_variant("skip_ring", erratum.name, {})
        assert variant is erratum.protocol
        assert variant.actor.react != sound.actor.react


def test_a_variant_that_was_never_published_is_refused():
    assert sentence(find_variant, "skip_ring", "better_linearize", {}) == (
        "skip_ring has no printed variant 'better_linearize'; it has: printed_build_ring, printed_linearize, "
        "printed_introduce_shortcut, printed_partners, printed_hashes. Did you mean 'printed_linearize'?"
    )


def test_a_run_of_the_printed_rule_conforms_to_it_and_not_to_ours(tmp_path):
    published = {"nodes": (6,), "implementation": "skip_ring.printed_linearize", "rounds": 30}
    path = ring.simulated(tmp_path, **published)
    assert isinstance(judge_file(path, Options("printed_linearize")).conformance, Holds)
    assert isinstance(judge_file(path).conformance, Violated)


def test_a_run_of_our_rules_does_not_conform_to_the_printed_one(tmp_path):
    path = ring.simulated(tmp_path, nodes=(6,))
    assert judge_file(path).exit_code() == 0
    assert isinstance(judge_file(path, Options("printed_linearize")).conformance, Violated)


@pytest.mark.parametrize(("echo", "conforms"), [(True, True), (False, False)])
def test_a_trace_is_judged_by_the_parameters_of_its_header(echo, conforms):
    step = hears("b", 0, sent=in_flight((1, "a", "good")))
    judgement = judged(header(messages=[(0, "b", "good")], parameters={"echo": echo}), step, protocol=ECHO)
    assert isinstance(judgement.conformance, Holds) is conforms
    assert conforms or judgement.conformance.rule == "hear"


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"colour": 1}, "toy_echo has no parameter 'colour'; it has: echo."),
        ({"echo": 3}, "echo is true or false, not 3."),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, says):
    assert sentence(judged, header(parameters=parameters), protocol=ECHO) == f"toy.jsonl:1: {says}"
    with patch("gomboc.checker.judge.naive.find_protocol", lambda _: ECHO), pytest.raises(UsageError) as refused:
        find_variant("toy_echo", None, parameters)
    assert str(refused.value) == says
