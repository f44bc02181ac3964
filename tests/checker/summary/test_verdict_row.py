"""Every trace becomes one row, also after any failure, and the row has the reason."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from gomboc.checker.core.digest import spec_digest
from gomboc.checker.judge.naive import Options, judge_file
from gomboc.checker.judge.verdict import Holds, Judgement, Unknown, Violated
from gomboc.checker.summary.verdict_row import Row, judge_to_row, unjudged, word
from tests.checker import ring

DEFAULT = Options()
VERDICTS = "verdict", "conformance", "closure", "convergence"
"""The columns of a row with a verdict."""

PRINT_ROWS = """
import sys
import msgspec
from gomboc.checker.judge.naive import Options
from gomboc.checker.summary.verdict_row import judge_to_row
for path in sys.argv[1:]:
    print(msgspec.json.encode(judge_to_row(path, Options())).decode())
    print(msgspec.json.encode(judge_to_row(path, Options(variant="printed_linearize"))).decode())
"""


def row_of(folder, content, options=DEFAULT):
    path = folder / "t.jsonl"
    path.write_bytes(content)
    return judge_to_row(str(path), options)


def stated(row):
    """The verdicts of a row, by column."""
    return {name: getattr(row, name) for name in VERDICTS}


def test_a_trace_that_holds(tmp_path):
    row = row_of(tmp_path, ring.HOLDS)
    judgement = msgspec.json.encode(judge_file(tmp_path / "t.jsonl")).decode()
    verdicts = dict.fromkeys(VERDICTS, "holds")
    assert row == Row(
        trace=str(tmp_path / "t.jsonl"),
        spec=spec_digest(),
        protocol="skip_ring",
        members=1,
        steps=3,
        rounds=0,
        rounds_after=1,
        judgement=judgement,
        **verdicts,
    )


def test_a_trace_that_is_violated(tmp_path):
    row = row_of(tmp_path, ring.VIOLATED)
    assert stated(row) == {
        "verdict": "violated",
        "conformance": "violated",
        "closure": "violated",
        "convergence": "holds",
    }
    assert (row.step, row.rule, row.error) == (2, "subscriber_timeout", None)


def test_the_whole_judgement_can_be_read_back_from_its_row(tmp_path):
    row = row_of(tmp_path, ring.VIOLATED)
    read = msgspec.json.decode(row.judgement, type=Judgement)
    judged = judge_file(tmp_path / "t.jsonl")
    assert msgspec.to_builtins(read) == msgspec.to_builtins(judged)
    assert {name: type(verdict) for name, verdict in read.verdicts()} == {
        "conformance": Violated,
        "closure": Violated,
        "convergence": Holds,
    }


def test_a_trace_that_is_unknown_says_why(tmp_path):
    row = row_of(tmp_path, ring.UNKNOWN)
    assert stated(row) == dict.fromkeys(VERDICTS, "unknown")
    assert (row.error, row.steps) == ("the trace has no steps", 0)
    assert (row.step, row.rule, row.rounds) == (None, None, 0)


def test_a_trace_that_cannot_be_read_says_where(tmp_path):
    path = tmp_path / "t.jsonl"
    error = f"{path}:2: the last line is cut off: it does not end with a newline."
    assert row_of(tmp_path, ring.UNREADABLE) == Row(str(path), "unreadable", spec_digest(), error=error)


def test_a_trace_that_is_not_there_says_so():
    path = "/nothing/t.jsonl"
    expected = Row(path, "unreadable", spec_digest(), error="/nothing/t.jsonl: No such file or directory.")
    assert judge_to_row(path, DEFAULT) == expected


@pytest.mark.parametrize("poison", [ValueError("too bitter"), MemoryError("too much"), RecursionError("too deep")])
def test_a_trace_that_the_judge_fails_at_is_unknown_and_no_other_is(poison, tmp_path, monkeypatch):
    def judge(path, options):
        if path.name == "poison.jsonl":
            raise poison
        return judge_file(path, options)

    monkeypatch.setattr("gomboc.checker.summary.verdict_row.judge_file", judge)
    error = f"poison.jsonl: the judge failed with {type(poison).__name__}: {poison}."
    assert judge_to_row("poison.jsonl", DEFAULT) == Row("poison.jsonl", "unknown", spec_digest(), error=error)
    assert row_of(tmp_path, ring.HOLDS).verdict == "holds"


def test_an_interrupt_is_no_finding(monkeypatch):
    def judge(path, options):
        raise KeyboardInterrupt

    monkeypatch.setattr("gomboc.checker.summary.verdict_row.judge_file", judge)
    with pytest.raises(KeyboardInterrupt):
        judge_to_row("t.jsonl", DEFAULT)


def test_a_trace_that_was_not_judged_is_unknown():
    assert unjudged("t.jsonl", "it rained") == Row("t.jsonl", "unknown", spec_digest(), error="t.jsonl: it rained.")


@pytest.mark.parametrize(
    ("verdict", "said"), [(Holds("yes"), "holds"), (Violated(1, "r", "no"), "violated"), (Unknown("why"), "unknown")]
)
def test_a_verdict_is_one_word(verdict, said):
    assert word(verdict) == said


def test_options_reach_the_judge(tmp_path):
    assert row_of(tmp_path, ring.HOLDS, Options(most_steps=1)).error == "only the first step was judged"


def test_rows_are_the_same_under_every_hash_seed(tmp_path):
    paths = [ring.simulated(tmp_path, index, nodes=(5,)) for index in range(2)]
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_bytes(ring.VIOLATED)

    def printed(hash_seed):
        return subprocess.run(
            [sys.executable, "-c", PRINT_ROWS, *paths, wrong],
            check=True,
            capture_output=True,
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        ).stdout

    rows = printed("0")
    assert {json.loads(row)["verdict"] for row in rows.splitlines()} == {"holds", "violated"}
    assert rows == printed("1")
