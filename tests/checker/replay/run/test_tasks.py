"""A worker does a piece of work, writes its results down, and leaves no mark unless it dies.

Source: checker/README.md, Corpora
"""

import msgspec
import pyarrow.parquet
import pytest

from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.run.judging import PartFindings
from gomboc.checker.replay.run.run import NOTHING_WRONG, begin
from gomboc.checker.replay.run.tasks import do_part, do_unit
from gomboc.checker.replay.run.work import Job, parts_of, survey, units_of


@pytest.fixture
def job(true, tmp_path):
    packs = survey(true, False)
    made = Job(str(true), packs.protocol, Options(), str(tmp_path), packs.content, packs.parameters)
    (part,) = parts_of(packs, Options(), 1)
    return made, part, packs


def test_a_part_leaves_its_findings_and_a_byte_for_each_pack(job):
    made, part, packs = job
    done = do_part(made, part, sorted(packs.digests))
    left = msgspec.json.decode(made.place("judged", part.key, "json").read_bytes(), type=PartFindings)
    assert (done.key, done.steps, done.error) == (part.key, left.distinct, None)
    assert made.place("seen", part.key, "packs").read_bytes() == b"." * len(packs.digests)


def test_a_unit_without_findings_is_an_error_of_its_pack_and_leaves_no_mark(job, true, tmp_path):
    made, _, packs = job
    (unit, *_) = units_of(true, packs, Options())[0]
    done = do_unit(made, unit)
    path = made.place("findings", unit.pack, "json")
    assert done.error == f"{path}: the recorded findings are gone or damaged: run again without --resume."
    assert list(tmp_path.iterdir()) == []


def test_a_unit_leaves_a_row_for_each_trace(job, true, tmp_path):
    made, _, packs = job
    (unit, *_) = units_of(true, packs, Options())[0]
    made.place("findings", unit.pack, "json").write_bytes(msgspec.json.encode(NOTHING_WRONG))
    done = do_unit(made, unit)
    rows = pyarrow.parquet.read_table(made.place("verdicts", unit.key, "parquet"))
    assert (done.error, len(rows)) == (None, unit.traces)
    assert not list(tmp_path.glob("mark-*"))


def test_a_killed_run_is_forgiven_once(tmp_path):
    (tmp_path / "mark-a.unit").touch()
    begin(tmp_path, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["forgiven-mark-a.unit"]
    (tmp_path / "mark-a.unit").touch()
    begin(tmp_path, resume=True)
    assert (tmp_path / "mark-a.unit").exists()
    begin(tmp_path, resume=False)
    assert list(tmp_path.iterdir()) == []
