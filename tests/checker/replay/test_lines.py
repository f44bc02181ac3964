"""A folder of JSON Lines gets the naive verdicts, and is asked to exercise as much as a corpus of packs.

Source: checker/README.md
"""

import json

import msgspec
import pyarrow.parquet
import pytest

from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED
from gomboc.checker.replay.exercised import judge_observed, together, with_coverage
from gomboc.checker.replay.lines import replay_lines
from gomboc.checker.summary.summary import sum_up
from tests.checker import ring
from tests.checker.cli.command import gomboc
from tests.checker.replay.pack.packs import quiet
from tests.checker.replay.run.corpora import LIES, corpus_of, lines_folder, naive_rows, replayed


def judged(folder, output, jobs=1):
    paths = [str(path) for path in sorted(folder.glob("*.jsonl"))]
    return replay_lines(paths, DEFAULT, output, jobs, quiet)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_trace_gets_its_naive_verdict(tmp_path, jobs):
    lines = lines_folder(tmp_path, LIES)
    summary = judged(lines, tmp_path / "verdicts", jobs)
    rows = pyarrow.parquet.read_table(tmp_path / "verdicts" / "verdicts.parquet").to_pylist()
    assert rows == [msgspec.structs.asdict(row) for row in naive_rows(lines, DEFAULT).values()]
    assert summary.verdicts == sum_up(naive_rows(lines, DEFAULT).values()).verdicts
    assert summary.exit_code() == VIOLATED


def test_the_coverage_equals_that_of_the_same_traces_as_packs(tmp_path):
    lines = lines_folder(tmp_path)
    summary = judged(lines, tmp_path / "verdicts")
    packs = replayed(corpus_of(lines, tmp_path / "packs"), tmp_path / "packed")
    assert {rule.rule for rule in summary.coverage.rules} == {rule.rule for rule in packs.coverage.rules}
    assert summary.coverage.corruptions == packs.coverage.corruptions
    assert summary.coverage.missing == packs.coverage.missing == ()
    assert (summary.exit_code(), summary.lines[-1].after_fewest) == (HOLDS, packs.lines[-1].after_fewest)


def test_a_trace_of_a_few_steps_holds_and_shows_nothing(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(ring.HOLDS)
    ran = gomboc("replay", tmp_path, "--jobs", 1, "--format", "json", "--output", tmp_path / "verdicts")
    summary = json.loads(ran.out)
    assert (ran.code, summary["verdicts"]) == (UNKNOWN, {"holds": 1})
    assert "no Unsubscribe was delivered" in summary["coverage"]["missing"]


@pytest.mark.parametrize("into", ["jsonl", "packs"])
@pytest.mark.parametrize("words", [(), ("--disturb",)])
def test_legitimacy_must_be_false_at_some_start_or_in_some_run(into, words, tmp_path):
    """Runs of delta start legitimate; a crash makes legitimacy false."""
    words = ("--nodes", 3, "--traces", 6, "--jobs", 1, "--into", into, "--output", tmp_path / "runs", *words)
    assert gomboc("simulate", "delta_fault_tolerance", *words).code == HOLDS
    ran = gomboc("replay", tmp_path / "runs", "--jobs", 1, "--format", "json")
    missing = json.loads(ran.out)["coverage"].get("missing", [])
    assert ("no conjunct of legitimacy was ever false" in missing) == ("--disturb" not in words)


def test_traces_of_other_parameters_are_asked_for_each_by_themselves(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(ring.HOLDS)
    result = [judge_observed(str(tmp_path / name), DEFAULT)[1] for name in ("a.jsonl", "a.jsonl")]
    (both,) = together(result)
    assert dict(both.fired) == {fired: 2 * times for fired, times in result[0].fired}
    other = msgspec.structs.replace(result[0], parameters='{"key_bits":8}')
    rows = [judge_observed(str(tmp_path / "a.jsonl"), DEFAULT)[0]]
    missing = with_coverage(sum_up(rows), [result[0], other]).coverage.missing
    assert {what.partition(": ")[0] for what in missing} == {"skip_ring with {}", 'skip_ring with {"key_bits":8}'}


def test_an_unreadable_trace_exercises_nothing(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(ring.UNREADABLE)
    row, result = judge_observed(str(tmp_path / "a.jsonl"), DEFAULT)
    assert (row.verdict, result) == ("unreadable", None)
    assert judged(tmp_path, tmp_path / "verdicts").exit_code() == 2


@pytest.mark.parametrize("command", ["replay", "check"])
def test_fewer_verdicts_than_traces_are_no_success(tmp_path, monkeypatch, command):
    """For any reason of the missing verdict."""
    module = "gomboc.checker.replay.lines" if command == "replay" else "gomboc.checker.cli.commands.check"
    monkeypatch.setattr(f"{module}.in_processes", lambda work, pieces, *more: map(work, range(pieces - 1)))
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(ring.HOLDS)
    words = ("--jobs", 1, "--output", tmp_path / "verdicts") if command == "replay" else ()
    ran = gomboc(command, tmp_path, *words)
    assert ran.code == 2
    assert ran.err.splitlines()[-1] == "gomboc: Only 1 of 2 traces were judged: call it again."
    assert not (tmp_path / "verdicts").exists()
