"""`gomboc check` judges each file that it can read, names each other one, and its exit code is that of the worst."""

import json
from pathlib import Path

import msgspec
import pytest

from gomboc.checker.cli.check import worst
from gomboc.checker.judge import trace
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.repro_command import check_again
from tests.checker import ring
from tests.checker.cli.command import gomboc, refused
from tests.checker.ring import ALONE, HEADER, RESTS, SUPERVISES, written
from tests.known import PROTOCOLS

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


LIES = Path(__file__).resolve().parents[3] / "traces" / "skip_ring"


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


DEEP = b"[" * 100_000 + b"]" * 100_000
UNREADABLE = {
    "empty": (b"", ": the file is empty; a trace begins with a header."),
    "no JSON": (b"hello\n", ":1: JSON is malformed: invalid character (byte 0)."),
    "no UTF-8": (
        written(HEADER).replace(b"by hand", b"\xff"),
        ":1: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte.",
    ),
    "too deep": (
        written(HEADER).replace(b'"shortcuts":[]', b'"shortcuts":' + DEEP),
        ":1: maximum recursion depth exceeded while deserializing an object.",
    ),
    "another format": (written({**HEADER, "format": "itf"}), ":1: the format is 'itf', not 'gomboc-trace'."),
    "a later version": (
        written({**HEADER, "version": 2}),
        ":1: the trace has version 2, and this gomboc reads version 1.",
    ),
    "another protocol": (
        written({**HEADER, "protocol": "paxos"}),
        f":1: there is no protocol 'paxos'; there are: {PROTOCOLS}; "
        "for one of your own give --protocol package.module:PROTOCOL.",
    ),
    "a field too many": (written(HEADER, {**RESTS, "colour": 1}), ":2: Object contains unknown field `colour`."),
    "a field too few": (
        written(HEADER, {key: value for key, value in RESTS.items() if key != "sent"}),
        ":2: Object missing required field `sent`.",
    ),
    "another role": (
        written({**HEADER, "roles": {"supervisor": "supervisor", "v1": "king"}}),
        ":1: protocol skip_ring has no role 'king'.",
    ),
    "no supervisor": (
        written({**HEADER, "roles": {"v1": "subscriber"}, "states": {"v1": ALONE}}),
        ":1: roles must name the node 'supervisor', with the role 'supervisor'.",
    ),
    "a state too many": (
        written({**HEADER, "states": {**HEADER["states"], "v2": ALONE}}),
        ":1: roles and states do not name the same nodes: only one of them has 'v2'.",
    ),
    "a negative id": (written(HEADER, {**RESTS, "took": -1}), ":2: Expected `int` >= 0 - at `$.took`."),
    "an id too large": (
        written(HEADER, {**RESTS, "took": 2**53}),
        ":2: Expected `int` <= 9007199254740991 - at `$.took`.",
    ),
    "cut off": (written(HEADER, RESTS)[:-9], ":2: the last line is cut off: it does not end with a newline."),
    "a blank line": (
        written(HEADER, b"\n", RESTS),
        ":2: the line is blank; every line of a trace is a JSON object.",
    ),
}


@pytest.mark.parametrize(("content", "what"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_costs_one_sentence_with_file_and_line(content, what, tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(content)
    assert refused("check", path) == f"gomboc: {path}{what}\n"


def test_a_line_that_is_too_long_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(trace, "LONGEST_LINE", 1 << 20)
    path = tmp_path / "t.jsonl"
    path.write_bytes(written(HEADER) + b" " * (1 << 20) + written(RESTS))
    assert refused("check", path) == f"gomboc: {path}:2: the line is longer than 1 MiB.\n"


def test_what_does_not_open_is_named(tmp_path):
    path = tmp_path / "none.jsonl"
    assert refused("check", path) == f"gomboc: {path}: No such file or directory.\n"
    says = "there is no trace in it; traces are files that end in .jsonl, .jsonl.gz or .jsonl.zst."
    assert refused("check", tmp_path) == f"gomboc: {tmp_path}: {says}\n"


def test_an_unknown_variant_is_refused(tmp_path):
    (path,) = files(tmp_path, 0)
    assert refused("check", "--variant", "better", path) == (
        "gomboc: skip_ring has no printed variant 'better'; it has: printed_build_ring, printed_linearize, "
        "printed_introduce_shortcut, printed_partners, printed_hashes.\n"
    )


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "Missing argument 'FILE|DIR...'."),
        (("--bound", "-1", "t"), "Invalid value for '--bound': -1 is not in the range x>=0."),
        (("--max-steps", "0", "t"), "Invalid value for '--max-steps': 0 is not in the range x>=1."),
        (("--bound", "few", "t"), "Invalid value for '--bound': 'few' is not a valid integer range."),
        (("--format", "xml", "t"), "Invalid value for '--format': 'xml' is not one of 'text', 'json'."),
    ],
)
def test_options_that_make_no_sense_are_refused(words, what):
    usage = "Usage: gomboc check [OPTIONS] FILE|DIR...\nTry 'gomboc check --help' for help.\n\n"
    assert refused("check", *words) == f"{usage}Error: {what}\n"


def test_a_trace_on_which_the_judge_fails_is_unknown_and_the_next_one_is_judged(tmp_path, monkeypatch):
    first, second = files(tmp_path, 0, 0)

    def failing(path, options):
        assert path != first, "an entry has no connection"
        return judge_file(path, options)

    monkeypatch.setattr("gomboc.checker.cli.check.judge_file", failing)
    code, out, err = gomboc("check", first, second)
    why = "the judge failed with AssertionError: an entry has no connection"
    assert code == 3
    assert out.startswith(f"{second}: ")
    assert err.splitlines()[0].startswith(f"gomboc: {first}: {why}")
    code, out, _ = gomboc("check", first, second, "--format", "json")
    assert (code, json.loads(out.splitlines()[0])["error"][: len(why)]) == (3, why)
