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
from tests.toys.words.spec import ECHO, header, hears, in_flight, rests


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


def test_a_trace_that_is_no_longer_than_the_most_steps_is_judged_as_ever():
    lines = header(), *[rests("a"), rests("b")] * 2
    assert judged(*lines, options=Options(most_steps=4)) == judged(*lines)


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
