"""`gomboc check` judges each file that it can read, names each other one, and its exit code is that of the worst."""

import gc
import gzip
import json
from io import BytesIO, TextIOWrapper
from pathlib import Path

import msgspec
import pytest

from gomboc.checker.cli.commands import check
from gomboc.checker.cli.commands.check import worst
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.replay import in_memory
from gomboc.checker.summary.repro_command import check_again
from gomboc.checker.traces import trace
from tests.checker import ring
from tests.checker.cli.command import gomboc, refused
from tests.checker.ring import ALONE, HEADER, RESTS, SUPERVISES, written

TRACES = Path(__file__).parents[4] / "traces"
CONTENTS = {0: ring.HOLDS, 1: ring.VIOLATED, 2: ring.UNREADABLE, 3: ring.UNKNOWN}


def files(folder, *codes):
    """A file for each exit code."""
    paths = [folder / f"{index}-{code}.jsonl" for index, code in enumerate(codes)]
    for path, code in zip(paths, codes, strict=True):
        path.write_bytes(CONTENTS[code])
    return paths


def test_a_trace_that_holds_is_one_line(tmp_path):
    (path,) = files(tmp_path, 0)
    size = "n = 1, 3 steps; legitimate after 0 rounds, and for 1 more; bound 120 rounds, from the protocol"
    said = f"{path}: holds ({size})\n"
    assert gomboc("check", path) == (0, said, "")


def test_a_trace_that_is_violated_is_explained(tmp_path):
    (path,) = files(tmp_path, 1)
    source = "Algorithm 4, lines 1-14; Algorithm 2, lines 1-14; Algorithm 1, lines 1-6"
    assert gomboc("check", path) == (
        1,
        f"{path}: violated at step 2 (line 3) by subscriber_timeout (n = 1, 2 steps)\n"
        "  conformance: violated at step 2 at v1: subscriber_timeout: the step is not what the rule"
        f" 'subscriber_timeout' produces [{source}]\n"
        "    accepted: step 1\n"
        "    took: a timeout\n"
        f"    before: {msgspec.json.encode(ALONE).decode()}\n"
        "    wants: expected true, found false\n"
        "  closure: violated at step 2 at v1: the system was legitimate and is no more [Section 4.1]\n"
        "    wish_is_granted at v1: expected true, found false\n"
        "  convergence: holds: legitimate after 0 rounds, at step 0\n"
        "  bound: 120 rounds, from the protocol\n"
        f"  reproduce: gomboc check {path}\n",
        "",
    )


def test_a_trace_without_steps_is_no_success(tmp_path):
    (path,) = files(tmp_path, 3)
    assert gomboc("check", path) == (
        3,
        f"{path}: unknown (n = 1, 0 steps)\n"
        "  conformance: unknown: the trace has no steps\n"
        "  closure: unknown: the trace has no steps\n"
        "  convergence: unknown: the trace has no steps\n"
        "  bound: 120 rounds, from the protocol\n"
        f"  reproduce: gomboc check {path}\n",
        "",
    )


def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_judged(tmp_path):
    bad, good = files(tmp_path, 2, 0)
    ran = gomboc("check", bad, good)
    assert ran.code == 2
    assert ran.out.startswith(f"{good}: holds ")
    assert ran.err == f"gomboc: {bad}:2: the last line is cut off: it does not end with a newline.\n"


@pytest.mark.parametrize(
    ("codes", "code"), [((0, 0), 0), ((0, 3), 3), ((3, 2), 2), ((2, 1), 1), ((0, 3, 2, 1), 1), ((0, 2, 0), 2)]
)
def test_the_exit_code_is_violated_before_unreadable_before_unknown(codes, code, tmp_path):
    assert gomboc("check", *files(tmp_path, *codes)).code == code
    assert worst(codes) == code


def test_a_folder_is_judged_in_order_in_any_number_of_processes(tmp_path):
    files(tmp_path, 0, 1, 3, 2)
    alone = gomboc("check", tmp_path)
    assert alone.code == 1
    assert [line.split(":")[0] for line in alone.out.splitlines() if not line.startswith(" ")] == [
        str(tmp_path / name) for name in ("0-0.jsonl", "1-1.jsonl", "2-3.jsonl")
    ]
    assert gomboc("check", "--jobs", "2", tmp_path) == alone


LIES = Path(__file__).resolve().parents[4] / "traces" / "skip_ring"


def test_a_step_that_is_wrong_is_shown_with_what_it_took_and_the_state_before_it():
    out = gomboc("check", LIES / "send_left_out.bad.jsonl").out
    assert '    took: message 2, {"kind":"Subscribe","subscriber":"v1"}\n' in out
    assert '    before: {"database":[["0","v2"]],"next":0}\n' in out


def test_all_shows_the_first_step_that_is_wrong_by_each_rule(tmp_path):
    path = tmp_path / "t.jsonl"
    wrong = {"node": "v1", "took": 7, "state": ALONE, "sent": []}
    path.write_bytes(written(HEADER, wrong, {**RESTS, "state": {**ALONE, "wants": False}}, wrong))
    first, every = gomboc("check", path), gomboc("check", "--all", path)
    assert "conformance, too" not in first.out
    assert "  conformance: violated at step 1 at v1: known_message: " in every.out
    (too,) = [line for line in every.out.splitlines() if line.startswith("  conformance, too: ")]
    assert "violated at step 2 at v1: subscriber_timeout: " in too


def test_expect_holds_verdicts_against_what_traces_say_that_they_must_be(tmp_path):
    lie, truth = LIES / "send_left_out.bad.jsonl", LIES / "five_subscribers_in_a_ring.ok.jsonl"
    assert gomboc("check", "--expect", lie, truth) == (
        0,
        f"{lie}: as expected\n{truth}: as expected\n2 traces, 0 not as expected.\n",
        "",
    )
    head, *steps = lie.read_bytes().splitlines(keepends=True)
    for number, (expect, differs) in enumerate(
        [
            ({"verdict": "holds"}, "the verdict is violated, not holds"),
            ({"verdict": "violated", "step": 5, "rule": "subscribe"}, "it is violated at step 4, not 5"),
            ({"verdict": "violated", "step": 4, "rule": "set_data"}, "it is violated by subscribe, not set_data"),
        ]
    ):
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(json.dumps({**json.loads(head), "expect": expect}).encode() + b"\n" + b"".join(steps))
        ran = gomboc("check", "--expect", path)
        assert ran.code == 1
        assert ran.out.startswith(f"{path}: not as expected: {differs}\n")
        assert ran.out.endswith("1 trace, 1 not as expected.\n")


def test_a_trace_that_expects_nothing_is_no_success(tmp_path):
    (path,) = files(tmp_path, 0)
    says = f"gomboc: {path}:1: the header has no 'expect', so nothing is expected of this trace.\n"
    assert gomboc("check", "--expect", path) == (2, "1 trace, 1 not as expected.\n", says)


def test_json_is_one_judgement_a_line(tmp_path):
    paths = files(tmp_path, 0, 1, 3)
    ran = gomboc("check", "--format", "json", *paths)
    assert (ran.code, ran.err) == (1, "")
    read = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["verdict"] for row in read] == ["holds", "violated", "unknown"]
    for item, path in zip(read, paths, strict=True):
        assert (item.pop("format"), item.pop("verdict")) == ("gomboc-check", item["conformance"]["type"])
        assert msgspec.json.encode(item) == msgspec.json.encode(judge_file(path))
    assert [row["conformance"]["type"] for row in read] == ["holds", "violated", "unknown"]


def test_options_reach_the_judge_and_the_command_that_reproduces(tmp_path):
    path = tmp_path / "a trace.jsonl"
    path.write_bytes(written(ring.LOST, SUPERVISES))
    ran = gomboc("check", "--variant", "printed_linearize", "--bound", "0", "--max-steps", "1", path)
    again = f"gomboc check '{path}' --variant printed_linearize --bound 0 --max-steps 1"
    assert ran.out.splitlines()[-1] == f"  reproduce: {again}"
    assert gomboc("check", "--bound", "7", path).code == 3
    assert gomboc("check", "--bound", "0", path).code == 1


def test_the_command_that_reproduces_has_no_option_that_was_not_given(tmp_path):
    (path,) = files(tmp_path, 1)
    assert check_again(path, Options()) == f"gomboc check {path}"


def test_a_line_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(trace, "LONGEST_LINE", 1 << 20)
    path = tmp_path / "t.jsonl"
    path.write_bytes(written(HEADER) + b" " * (1 << 20) + written(RESTS))
    assert refused("check", path) == f"gomboc: {path}:2: the line is longer than 1 MiB.\n"


def test_a_trace_on_which_the_judge_fails_is_unknown_and_the_next_one_is_judged(tmp_path, monkeypatch):
    first, second = files(tmp_path, 0, 0)

    def failing(path, options):
        assert path != first, "an entry has no connection"
        return judge_file(path, options)

    monkeypatch.setattr("gomboc.checker.cli.commands.check.judge_file", failing)
    code, out, err = gomboc("check", first, second)
    why = "the judge failed with AssertionError: an entry has no connection"
    assert code == 3
    assert out.startswith(f"{second}: ")
    assert err.splitlines()[0].startswith(f"gomboc: {first}: {why}")
    code, out, _ = gomboc("check", first, second, "--format", "json")
    assert (code, json.loads(out.splitlines()[0])["error"][: len(why)]) == (3, why)


@pytest.fixture
def many(tmp_path):
    """Traces of every verdict, of two protocols, compressed and not; and one that is no trace."""
    files(tmp_path, 0, 1, 2, 3, 0)
    for index, path in enumerate(sorted((TRACES / "chord").rglob("*.jsonl"))[::7]):
        (tmp_path / f"chord-{index}.jsonl").write_bytes(path.read_bytes())
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(ring.HOLDS))
    return tmp_path


@pytest.mark.parametrize("words", [(), ("--quiet",), ("--format", "json"), ("--expect",), ("--bound", "1"), ("--all",)])
def test_traces_that_are_judged_together_get_the_same_words(many, monkeypatch, words):
    alone = gomboc("check", many, *words)
    monkeypatch.setattr(check, "WORTH_IT", 1)
    monkeypatch.setattr(check, "judge_file", counting := Counting(check.judge_file))
    together = gomboc("check", many, *words)
    assert together == alone
    assert 0 < counting.calls < len(list(many.iterdir()))


class Counting:
    """A function that counts its calls."""

    def __init__(self, function):
        self.function = function
        self.calls = 0

    def __call__(self, *arguments):
        self.calls += 1
        return self.function(*arguments)


def test_standard_input_can_be_judged_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "WORTH_IT", 1)
    monkeypatch.setattr(check, "judge_file", None)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(gzip.compress(ring.HOLDS))))
    assert gomboc("check", "-").out.startswith("-: holds (n = 1, 3 steps;")


def test_judges_that_disagree_leave_a_trace_undecided(tmp_path, monkeypatch):
    (path,) = files(tmp_path, 0)
    monkeypatch.setattr(check, "WORTH_IT", 1)
    monkeypatch.setattr(in_memory, "judge_in_memory", lambda paths, options: {path: in_memory.Factored(1)})
    ran = gomboc("check", path)
    says = "the judge failed with DisagreementError: the factored judge says violated, and the naive one holds"
    assert (ran.code, ran.err) == (3, f"gomboc: {path}: {says}, so nothing is known of this trace.\n")


def test_a_trace_that_is_too_large_for_memory_is_judged_step_by_step(tmp_path, monkeypatch):
    (path,) = files(tmp_path, 0)
    monkeypatch.setattr(check, "WORTH_IT", 0)
    monkeypatch.setattr(check, "MOST_BYTES", 10)
    monkeypatch.setattr(in_memory, "judge_in_memory", lambda paths, options: dict.fromkeys(paths))
    assert gomboc("check", path).code == 0


def test_where_the_kernel_fails_the_naive_judge_judges(many, monkeypatch):
    def failing(*_):
        raise ZeroDivisionError("one bit too few")

    alone = gomboc("check", many, "--quiet")
    documents = gomboc("check", many, "--format", "json").out.splitlines()
    monkeypatch.setattr(check, "WORTH_IT", 1)
    monkeypatch.setattr(in_memory.Gathered, "judged", failing)
    ran = gomboc("check", many, "--quiet")
    assert (ran.code, ran.out) == (alone.code, alone.out)
    why, judged = "ZeroDivisionError: one bit too few", sum("error" not in json.loads(line) for line in documents)
    says = f"the factored judge failed on {judged} traces, which the naive one has judged: {why}."
    assert ran.err == f"{alone.err}gomboc: {says}\n"
    failed = [json.loads(line) for line in gomboc("check", many, "--format", "json").out.splitlines()]
    assert [document.pop("failed", None) for document in failed] == [
        None if "error" in document else why for document in failed
    ]
    assert failed == [*map(json.loads, documents)]


def test_what_somebody_has_frozen_stays_frozen(many, monkeypatch):
    monkeypatch.setattr(check, "WORTH_IT", 1)
    gc.freeze()
    assert gomboc("check", many, "--quiet").out
    assert gc.get_freeze_count() > 0


def test_a_trace_that_waits_in_vain_is_left_to_the_naive_judge(tmp_path, monkeypatch):
    path = tmp_path / "waits.jsonl"
    path.write_bytes(written(HEADER, SUPERVISES, ring.HEARS, *[RESTS] * 30))
    alone = gomboc("check", path)
    monkeypatch.setattr(check, "WORTH_IT", 1)
    assert gomboc("check", path) == alone
    assert (alone.code, "waiting for" in alone.out) == (3, True)
