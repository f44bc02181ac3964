"""A shrunk trace has the same violation as the trace, is no larger, and is confirmed by `gomboc check`."""

from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from statistics import median

import msgspec
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT, Options, judge
from gomboc.checker.shrink.case import NOWHERE, Size, TraceCase, judged, read_case
from gomboc.checker.shrink.kept import kept_of
from gomboc.checker.shrink.kind import is_same, kind_of
from gomboc.checker.shrink.shrink import DONE, _is_smaller, shrink
from gomboc.checker.simulate.plan import Plan
from gomboc.checker.simulate.redone import redo_of
from gomboc.checker.simulate.simulate import simulate_trace
from gomboc.checker.traces.trace import TraceReader
from tests.checker.replay.kernel.mutilation import KINDS
from tests.copying import copied
from tests.sampling import SHARE, THOROUGH

TRACES = Path(__file__).resolve().parents[3] / "traces"
BAD = sorted(TRACES.rglob("*.bad.jsonl"))
STEPS_AT_MOST = 250

VIOLATED = (1, *range(3, 25))
"""Seeds of runs of the printed Linearize, of 8 to 16 members, that are violated."""


@cache
def simulated(folder, variant, members, seed, rounds=6):
    plan = Plan("skip_ring", variant, (members,), 1, seed, "arbitrary", None, rounds, 0, None)
    return read_case(Path(simulate_trace(plan, folder, 0).path))


def check(case, shrunk):
    """Properties of every shrunk trace: the judge reads the text anew, and agrees."""
    kind = kind_of(judged(case, DEFAULT))
    again = judge(TraceReader(NOWHERE, BytesIO(shrunk.case.text())), DEFAULT)
    assert is_same(kind, again)
    assert again == shrunk.judgement
    assert shrunk.was == case.size()
    assert shrunk.now == shrunk.case.size()
    assert shrunk.now.steps <= shrunk.was.steps
    assert shrunk.now.nodes <= shrunk.was.nodes
    assert shrunk.now.bytes <= shrunk.was.bytes


@pytest.mark.parametrize(
    "path", BAD if THOROUGH else BAD[::SHARE], ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}"
)
def test_each_golden_negative_is_shrunk_to_a_few_steps_and_stays_expected(path):
    case = read_case(path)
    shrunk = shrink(case, redo=redo_of(case.header))
    check(case, shrunk)
    first = shrunk.judgement.violations()[0]
    assert shrunk.case.header["expect"] == {"verdict": "violated", "step": first.step, "rule": first.rule}
    if shrunk.kind.promise == "conformance":
        assert shrunk.now.steps <= 2


def test_the_printed_linearize_among_sixteen_is_shrunk_to_at_most_three_subscribers(tmp_path):
    for seed in range(4):
        case = simulated(tmp_path, "skip_ring.printed_linearize", 16, seed)
        assert case.size().nodes == 17
        shrunk = shrink(case, redo=redo_of(case.header))
        check(case, shrunk)
        assert shrunk.now.nodes <= 4, "the supervisor and three subscribers"
        assert shrunk.now.steps == 1


def test_mutilated_traces_are_shrunk_to_a_fifth_of_their_steps_in_the_median(tmp_path):
    honest = simulated(tmp_path, "skip_ring", 4, 7)
    ratios = []
    for number, mutilate in enumerate(KINDS):
        lines = copied([honest.header, *honest.steps[:STEPS_AT_MOST]])
        mutilate(lines, Random(number))
        case = TraceCase(lines[0], tuple(lines[1:]))
        judgement = judged(case, DEFAULT)
        if judgement is not None and judgement.violations():
            shrunk = shrink(case)
            check(case, shrunk)
            ratios.append(shrunk.now.steps / shrunk.was.steps)
    assert len(ratios) >= 10
    assert median(ratios) <= 1 / 5


def test_a_shrunk_trace_stays_as_it_is():
    case = read_case(TRACES / "skip_ring" / "send_left_out.bad.jsonl")
    once = shrink(case)
    assert shrink(once.case).case == once.case


def test_an_implementation_that_is_run_anew_can_be_brought_further_than_a_trace_that_is_cut(tmp_path):
    """A part of the state that a step keeps cannot be simpler before the step, and the same after it."""
    case = simulated(tmp_path, "skip_ring.printed_linearize", 16, 7)
    cut, run_anew = shrink(case), shrink(case, redo=redo_of(case.header))
    assert run_anew.now.bytes < cut.now.bytes


def test_nothing_is_shrunk_if_nothing_is_violated():
    case = read_case(TRACES / "skip_ring" / "corrupted_database.ok.jsonl")
    with pytest.raises(UsageError, match="Nothing is violated"):
        shrink(case)


def test_when_its_time_is_over_it_says_so_and_returns_its_best():
    case = read_case(TRACES / "skip_ring" / "send_left_out.bad.jsonl")
    now = iter(range(1_000))
    shrunk = shrink(case, seconds=3.0, clock=lambda: float(next(now)))
    assert shrunk.why == "3 seconds were over"
    check(case, shrunk)
    assert shrink(case).why == DONE


def test_a_violation_of_convergence_stays_one_of_convergence_within_the_same_bound():
    case = read_case(TRACES / "skip_ring" / "never_converges.bad.jsonl")
    shrunk = shrink(case)
    assert shrunk.kind.promise == "convergence"
    assert shrunk.case.header["bound"] == case.header["bound"]
    assert shrunk.now.steps < shrunk.was.steps


def test_options_of_the_judge_are_those_of_the_search():
    case = read_case(TRACES / "skip_ring" / "printed_linearize.bad.jsonl")
    with pytest.raises(UsageError, match="Nothing is violated"):
        shrink(case, Options("printed_linearize"))


def after_one(right, other):
    """A new run, the first time; then always that trace."""
    calls = []

    def redo(changed):
        calls.append(changed)
        return right(changed) if len(calls) == 1 else other

    return redo


def test_a_trace_is_never_taken_for_smaller_that_breaks_another_rule(tmp_path):
    case = simulated(tmp_path, "skip_ring.printed_linearize", 6, 7)
    other = shrink(read_case(TRACES / "skip_ring" / "label_given_twice.bad.jsonl")).case
    shrunk = shrink(case, redo=after_one(redo_of(case.header), other))
    assert other.size().bytes < shrunk.now.bytes
    check(case, shrunk)


def test_the_text_of_a_case_is_that_of_its_trace():
    path = TRACES / "skip_ring" / "send_left_out.bad.jsonl"
    read = read_case(path)
    assert [msgspec.json.decode(line) for line in read.text().splitlines()] == [
        msgspec.json.decode(line) for line in path.read_bytes().splitlines()
    ]


def test_another_trace_of_the_same_size_is_not_taken_for_smaller():
    smallest = shrink(read_case(TRACES / "skip_ring" / "send_left_out.bad.jsonl")).case
    output = smallest.header["origin"]["story"]
    alike = TraceCase(
        {**smallest.header, "origin": {**smallest.header["origin"], "story": output[::-1]}}, smallest.steps
    )
    assert (alike.size(), alike.text() == smallest.text()) == (smallest.size(), False)
    assert shrink(smallest, redo=after_one(lambda same: same, alike)).case.text() == smallest.text()


def done(case):
    """The actions of a trace's nodes, without the numbers of messages."""
    output = ("node", "state")
    return [
        ([step[key] for key in output], [(sent["to"], sent["message"]) for sent in step["sent"]]) for step in case.steps
    ]


@pytest.mark.parametrize("seed", [1, 7, 11])
def test_with_an_implementation_the_result_is_a_new_run(seed, tmp_path):
    case = simulated(tmp_path, "skip_ring.printed_linearize", 6, seed)
    redo = redo_of(case.header)
    shrunk = shrink(case, redo=redo)
    again = redo(shrunk.case)
    assert shrunk.run
    assert done(again) == done(shrunk.case)
    assert is_same(shrunk.kind, judged(again, DEFAULT))


@pytest.mark.parametrize("seed", VIOLATED if THOROUGH else VIOLATED[::SHARE])
def test_each_violated_run_of_the_printed_linearize_becomes_one_step_that_the_implementation_does(seed, tmp_path):
    case = simulated(tmp_path, "skip_ring.printed_linearize", 8 + seed % 9, seed, 12)
    redo = redo_of(case.header)
    shrunk = shrink(case, redo=redo)
    assert (shrunk.run, shrunk.now.steps) == (True, 1)
    again = redo(shrunk.case)
    assert done(again) == done(shrunk.case)
    assert is_same(shrunk.kind, judged(again, DEFAULT))


def test_without_an_implementation_the_wrong_step_its_state_before_and_its_input_stay(tmp_path):
    case = simulated(tmp_path, "skip_ring.printed_linearize", 6, 7)
    first = judged(case, DEFAULT).violations()[0]
    shrunk = shrink(case)
    assert not shrunk.run
    assert kept_of(shrunk.case, shrunk.judgement.violations()[0].step) == kept_of(case, first.step)


def test_an_implementation_that_differs_from_the_trace_is_not_its_recorder():
    case = read_case(TRACES / "skip_ring" / "send_left_out.bad.jsonl")
    assert not shrink(case, redo=redo_of(case.header, "skip_ring")).run


def test_an_implementation_gets_no_malformed_values_and_may_raise(tmp_path):
    case = simulated(tmp_path, "skip_ring.printed_linearize", 6, 7)
    right = redo_of(case.header)
    fed = []

    def strict(changed):
        fed.append(judged(TraceCase(changed.header, ()), DEFAULT))
        if len(fed) > 3:
            raise TypeError("a fault of the implementation")
        return right(changed)

    shrunk = shrink(case, redo=strict)
    assert None not in fed
    assert len(fed) > 3
    check(case, shrunk)


def test_a_search_that_fails_shows_the_original_violation(monkeypatch):
    case = read_case(TRACES / "skip_ring" / "send_left_out.bad.jsonl")
    monkeypatch.setattr("gomboc.checker.shrink.shrink._passes", lambda case: 1 / 0)
    shrunk = shrink(case)
    assert shrunk.judgement.violations()
    assert shrunk.why == "the search ended with ZeroDivisionError: division by zero"


def test_fewer_bytes_in_more_steps_or_nodes_are_not_smaller():
    assert not _is_smaller(Size(steps=2, nodes=1, messages=0, bytes=9), Size(1, 1, 0, 10))
    assert not _is_smaller(Size(steps=1, nodes=2, messages=0, bytes=9), Size(1, 1, 0, 10))
    assert _is_smaller(Size(steps=1, nodes=1, messages=0, bytes=9), Size(1, 1, 0, 10))
