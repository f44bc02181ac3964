"""A corpus judged as a whole: the naive verdicts, despite faults of packs, traces and processes on the way.

Source: checker/README.md, Factored replay
"""

import json
import os
import re
import signal
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pyarrow.parquet
import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.judge.naive import DEFAULT, Options, judge_file
from gomboc.checker.judge.verdict import HOLDS, UNKNOWN, VIOLATED
from gomboc.checker.replay.kernel.blocks.projections import UnfitProjectionError
from gomboc.checker.replay.pack.export import export
from gomboc.checker.replay.run import run, units, work
from gomboc.checker.replay.run.judging import PartFindings
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.run import CorpusRun, begin
from gomboc.checker.replay.run.tasks import JUDGED, Done, do_unit
from gomboc.checker.replay.run.work import Job, Part, StoreOptions, survey, units_of
from gomboc.checker.summary.columns import sum_up_tables
from gomboc.checker.summary.summary import sum_up
from gomboc.checker.summary.verdict_row import Row
from tests.checker.cli.command import gomboc, refused
from tests.checker.replay.pack.packs import change, values
from tests.checker.replay.run.corpora import TRACES, corpus_of, naive_rows, replayed, rows_in, unlike
from tests.sampling import THOROUGH

pytestmark = pytest.mark.long


@pytest.fixture
def reports(monkeypatch):
    """The reports on each piece of work, in order."""
    output = {}

    @contextmanager
    def progress(what):
        said = output[what] = []
        yield lambda done, total: said.append((done, total))

    monkeypatch.setattr(run, "progress", progress)
    return output


@pytest.mark.parametrize(("jobs", "options"), [(1, DEFAULT), (2, DEFAULT), (1, Options(None, 3, 60))])
def test_every_trace_gets_its_naive_verdict_once_and_each_pack_and_unit_is_told(
    lying, tmp_path, monkeypatch, reports, jobs, options
):
    monkeypatch.setattr(work, "LEAST_STEPS", 1)
    lines, corpus = lying
    summary = replayed(corpus, tmp_path / "verdicts", options, LocalPool(jobs))
    rows, naive = rows_in(tmp_path / "verdicts"), naive_rows(lines, options)
    assert unlike(rows, lines, options) == []
    assert len(rows) == len(naive) == TRACES
    assert summary.verdicts == sum_up(naive.values()).verdicts
    packs = len(list(corpus.glob("*.pack")))
    assert reports["judging distinct steps, pack by pack"][-1] == (packs * jobs, packs * jobs)
    units = reports["judging traces"]
    assert units == [(done, len(units)) for done in range(1, len(units) + 1)]


def test_each_cluster_has_a_witness_of_which_gomboc_check_says_the_same(lying, tmp_path):
    lines, corpus = lying
    summary = replayed(corpus, tmp_path / "verdicts")
    violated = {name: row for name, row in naive_rows(lines, DEFAULT).items() if row.verdict == "violated"}
    assert len(violated) >= 6
    assert sum(cluster.traces for cluster in summary.clusters) == len(violated)
    for cluster in summary.clusters:
        first = judge_file(Path(cluster.witness)).violations()[0]
        assert (first.step, first.rule, first.says) == (cluster.step, cluster.rule, cluster.says)
        assert cluster.confirmed
        assert (violated[cluster.trace].step, violated[cluster.trace].rule) == (cluster.step, cluster.rule)
        assert Path(cluster.witness).read_bytes() == (lines / f"{cluster.trace}.jsonl").read_bytes()
    assert summary.exit_code() == VIOLATED


def test_a_witness_that_the_naive_judge_does_not_confirm_makes_the_summary_unknown(lying, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "gomboc.checker.replay.run.witness.judge_file", lambda path, _: judge_file(path, Options(None, 0, 1))
    )
    summary = replayed(lying[1], tmp_path / "verdicts")
    assert any(cluster.confirmed is False for cluster in summary.clusters)
    assert summary.exit_code() == UNKNOWN


def test_the_summary_in_columns_is_the_summary_of_the_rows(lying, tmp_path):
    replayed(lying[1], tmp_path / "verdicts")
    tables = [pyarrow.parquet.read_table(path) for path in (tmp_path / "verdicts").glob("verdicts-*.parquet")]
    wanted = sum_up(msgspec.convert(row, Row) for table in tables for row in table.to_pylist())
    result = sum_up_tables(tables)
    assert result == sum_up_tables(reversed(tables))
    blank = {"steps_median": None, "steps_p99": None, "steps_worst": None}
    assert tuple(msgspec.structs.replace(line, **blank) for line in result.lines) == wanted.lines
    assert (result.verdicts, result.named, result.spec) == (wanted.verdicts, wanted.named, wanted.spec)


def test_distinct_steps_are_judged_once_for_the_whole_corpus(true, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "LEAST_STEPS", 1)
    counted = []
    for parts in (1, 3):
        folder = tmp_path / str(parts)
        begin(folder, False)
        engine = LocalPool(1)
        engine.jobs = parts
        engine._all = lambda tasks: (task() for task in tasks)
        counted.append(CorpusRun(true, DEFAULT, folder, False).run(engine, survey(true, False)).judged)
    steps = {row for name in sorted(true.glob("*.pack")) for row in distinct_steps(name)}
    assert [judged.distinct for judged in counted] == [len(steps)] * 2
    assert counted[0] == counted[1]


def distinct_steps(pack):
    """The local steps of a pack, spelled out."""
    states, messages, steps = (
        pyarrow.parquet.read_table(pack / f"{name}.parquet").to_pylist() for name in ("states", "messages", "steps")
    )
    for step in steps:
        content = [messages[number]["message"] for number in step["contents"]]
        taken = None if step["input"] < 0 else messages[step["input"]]["message"]
        before, after = (tuple(states[step[name]].values()) for name in ("before", "after"))
        said = step["coin"], step["delivered"]
        yield step["node"], before, step["took"], taken, after, tuple(step["targets"]), tuple(content), said


def started(corpus, folder, options=DEFAULT):
    """A job with distinct steps that are judged, and its units."""
    begin(folder, False)
    packs = survey(corpus, False)
    judging = CorpusRun(corpus, options, folder, False)
    job = run.Job(str(corpus), packs.protocol, options, str(folder), packs.content)
    judging._judge(LocalPool(1), job, packs)
    return job, units_of(corpus, packs, options)[0]


def test_a_unit_over_which_a_process_died_is_judged_trace_by_trace(lying, tmp_path):
    job, (unit, *_) = started(lying[1], tmp_path / "folder")
    job.place("mark", unit.key, "unit").touch()
    job.place("mark", f"{unit.key}-2", "trace").touch()
    assert do_unit(job, unit).error is None
    rows = rows_in(tmp_path / "folder")
    killer = rows.pop("trace-02")
    assert (killer["verdict"], killer["error"]) == (
        "unknown",
        "trace-02: the worker that judged it before died, so it was left alone.",
    )
    assert (len(rows), unlike(rows, lying[0])) == (6, [])
    assert list((tmp_path / "folder").glob("mark-*")) == []


def test_a_trace_on_which_the_kernel_fails_costs_no_other(lying, tmp_path, monkeypatch):
    real = units.batch_of

    def poisoned(traces):
        if "trace-03" in traces["name"].to_pylist():
            raise RuntimeError("poison")
        return real(traces)

    monkeypatch.setattr(units, "batch_of", poisoned)
    job, (unit, *_) = started(lying[1], tmp_path / "folder")
    do_unit(job, unit)
    rows = rows_in(tmp_path / "folder")
    assert (len(rows), unlike(rows, lying[0])) == (7, [])
    assert [name for name, row in rows.items() if row["judgement"]] == ["trace-03"]


def test_a_projection_that_leaves_something_out_is_no_trace_that_the_kernel_stumbles_over(lying, tmp_path, monkeypatch):
    def unfit(traces):
        raise UnfitProjectionError("fix the projection.")

    monkeypatch.setattr(units, "batch_of", unfit)
    job, (unit, *_) = started(lying[1], tmp_path / "folder")
    with pytest.raises(UnfitProjectionError):
        do_unit(job, unit)
    assert list((tmp_path / "folder").glob("mark-*")) == []


def swapped(pack, took, random):
    """In each trace of the pack, two events of one node changed places, which took alike and sent as much."""
    steps = pyarrow.parquet.read_table(pack / "steps.parquet").to_pylist()
    events = values(pack / "traces.parquet", "events")
    for trace in events:
        alike = {}
        for index, event in enumerate(trace):
            if steps[event]["took"] == took:
                alike.setdefault((steps[event]["node"], len(steps[event]["targets"])), []).append(index)
        one, other = random.sample(max(alike.values(), key=len), 2)
        trace[one], trace[other] = trace[other], trace[one]
    change(pack / "traces.parquet", "events", events)


@pytest.mark.parametrize("took", [0, 1], ids=["timeouts", "deliveries"])
@pytest.mark.parametrize("seed", range(2 if THOROUGH else 1))
def test_a_pack_with_other_local_steps_than_its_lines_is_judged_by_lines(own, tmp_path, took, seed):
    for pack in own.glob("*.pack"):
        swapped(pack, took, Random(seed))
    assert export(own, (), tmp_path / "lines") == TRACES
    replayed(own, tmp_path / "verdicts")
    rows = rows_in(tmp_path / "verdicts")
    assert (len(rows), unlike(rows, tmp_path / "lines")) == (TRACES, [])


def test_a_claim_of_another_roles_state_makes_a_trace_unreadable(own, tmp_path):
    """A state of the supervisor, claimed by a subscriber: each means something, and both together nothing."""
    path = own / "000000.pack" / "traces.parquet"
    roles = values(own / "000000.pack" / "states.parquet", "role")
    nodes = values(own / "000000.pack" / "steps.parquet", "node")
    first, *others = values(path, "events")
    step = next(index for index, event in enumerate(first) if nodes[event] != "supervisor")
    claims = [roles.index("supervisor") if index == step else -1 for index in range(len(first))]
    change(path, "claimed", [claims, *(None for _ in others)])
    export(own, (), tmp_path / "lines")
    summary = replayed(own, tmp_path / "verdicts")
    rows, naive = rows_in(tmp_path / "verdicts"), naive_rows(tmp_path / "lines", DEFAULT)
    assert summary.verdicts == {"holds": TRACES - 1, "unreadable": 1}
    assert [name for name in naive if rows[name]["verdict"] != naive[name].verdict] == []


def test_a_witness_that_cannot_be_read_is_not_confirmed_and_ends_nothing(lying, tmp_path, monkeypatch):
    def refuse(path, options):
        raise UsageError(f"{path}:1: it is no trace.")

    monkeypatch.setattr("gomboc.checker.replay.run.witness.judge_file", refuse)
    summary = replayed(lying[1], tmp_path / "verdicts")
    assert {cluster.confirmed for cluster in summary.clusters} == {False}
    assert summary.exit_code() == UNKNOWN


def test_a_pack_with_other_headers_than_columns_is_judged_by_lines(own, tmp_path):
    """Every header says that v1 does not want to belong, which no column says."""
    for path in own.glob("*.pack/traces.parquet"):
        headers = [header.replace(b'"wants":true', b'"wants":false', 1) for header in values(path, "header")]
        change(path, "header", headers)
    export(own, (), tmp_path / "lines")
    summary = replayed(own, tmp_path / "verdicts")
    assert unlike(rows_in(tmp_path / "verdicts"), tmp_path / "lines") == []
    assert summary.verdicts["violated"] > 0


def die_once(mark):
    """A task: the first process that does it dies."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Done(mark)


def test_a_process_that_dies_takes_no_work_with_it(tmp_path):
    tasks = [partial(die_once, str(tmp_path / "mark")), *(partial(Done, str(number)) for number in range(3))]
    assert sorted(done.key for done in LocalPool(2)._all(tasks)) == [str(tmp_path / "mark"), "0", "1", "2"]


def test_a_corpus_with_too_little_coverage_is_unknown_and_lists_gaps(tmp_path):
    lines = tmp_path / "lines"
    assert gomboc("simulate", "skip_ring", "--start", "legitimate", "--rounds", 2, "--output", lines).code == HOLDS
    ran = gomboc("replay", corpus_of(lines, tmp_path / "packs"), "--jobs", 1)
    assert ran.code == UNKNOWN
    assert "Verdicts: 1 holds." in ran.out
    missing = re.findall(r"^Not covered: (.*)\.$", ran.out, re.MULTILINE)
    assert "no Unsubscribe was delivered" in missing
    assert f"unknown: {len(missing)} things never happened (see above); " in ran.out
    words = [word for thing in missing for word in ("--out-of-scope", thing)]
    on_purpose = gomboc("replay", tmp_path / "packs", "--jobs", 1, "--overwrite", *words)
    assert on_purpose.code == HOLDS
    assert "Out of scope: no Unsubscribe was delivered." in on_purpose.out
    assert on_purpose.err == ""
    stored = json.loads((tmp_path / "packs.verdicts" / "summary.json").read_bytes())["coverage"]
    assert (stored.get("missing", []), stored["out_of_scope"]) == ([], missing)


@pytest.mark.parametrize("kind", ["lines", "packs"])
def test_an_exclusion_without_effect_is_reported(tmp_path, kind):
    lines = tmp_path / "lines"
    assert gomboc("simulate", "skip_ring", "--start", "legitimate", "--rounds", 2, "--output", lines).code == HOLDS
    folder = lines if kind == "lines" else corpus_of(lines, tmp_path / "packs")
    wrong = "no Unsubscribe was delivere"
    ran = gomboc("replay", folder, "--jobs", 1, "--out-of-scope", wrong)
    assert ran.code == UNKNOWN
    says = f"gomboc: --out-of-scope {wrong!r}: nothing of that name is missing. Did you mean {wrong + 'd'!r}?\n"
    assert ran.err == says


def test_a_full_corpus_holds_and_the_verdicts_stay_where_they_are(true, tmp_path):
    ran = gomboc("replay", true, "--output", tmp_path / "verdicts", "--jobs", 1)
    assert (ran.code, "Not covered" in ran.out) == (HOLDS, False), ran.out
    assert "Judged by factored replay in 1 process;" in ran.out
    says = "there is something already; choose another --output, or --overwrite it."
    again = refused("replay", true, "--output", tmp_path / "verdicts", "--jobs", 1)
    assert again == f"gomboc: {tmp_path / 'verdicts'}: {says}\n"
    assert gomboc("replay", true, "--output", tmp_path / "verdicts", "--jobs", 1, "--overwrite").code == HOLDS


def test_options_for_packs_are_refused_for_json_lines(lying):
    for option in ("--resume", "--keep-going"):
        says = f"{option} is for packs; make packs of these traces with gomboc ingest."
        assert refused("replay", lying[0], option) == f"gomboc: {lying[0]}: {says}\n"


def test_nothing_is_judged_where_the_disk_is_full(true, tmp_path, monkeypatch):
    def full(path, content):
        raise UsageError(f"{path}: it cannot be written: No space left on device.")

    monkeypatch.setattr("gomboc.checker.replay.run.tasks.write_whole", full)
    with pytest.raises(UsageError, match="No space left on device"):
        replayed(true, tmp_path / "verdicts")
    assert not (tmp_path / "verdicts").exists()


class Judging:
    """An engine that judges each part as it is told, and remembers which were judged without a store."""

    def __init__(self, findings):
        self.findings, self.again = findings, []

    def judge(self, job, parts, packs):
        for part in parts:
            found = self.findings[part.number]
            if job.store is None:
                self.again.append(part.number)
                found = replace(found, known=0, fired=[])
            job.place(JUDGED, part.key, "json").write_bytes(msgspec.json.encode(found))


def test_parts_that_believed_a_store_are_judged_anew_when_another_part_finds_it_wrong(tmp_path):
    job = Job("corpus", "skip_ring", Options(), str(tmp_path), "content", store=StoreOptions("store", 1))
    parts = [Part(str(number), number, 3) for number in range(3)]
    none = PartFindings({}, [], [], 1, [])
    found = [replace(none, known=5), replace(none, refuted=True, notes=["it was wrong"]), none]
    engine = Judging(found)
    engine.judge(job, parts, [])
    believed = CorpusRun._believed(engine, job, parts, [])
    assert (engine.again, believed) == ([0], [none, found[1], none])
    engine = Judging([found[0], none, none])
    engine.judge(job, parts, [])
    assert CorpusRun._believed(engine, job, parts, []) == engine.findings
    assert engine.again == []
