"""Missing files never count as right: files of a run, rows in them, and another run in one output.

Source: checker/README.md, Corpora
"""

from pathlib import Path

import pyarrow.parquet
import pytest

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.output import only_writer
from gomboc.checker.replay.pack.export import export
from gomboc.checker.replay.pack.ingest import find_sources, ingest
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.run import unfinished
from gomboc.checker.replay.run.units import Bench
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.simulate import simulate_one, simulate_plan
from tests.checker.replay.pack.packs import quiet
from tests.checker.replay.run.corpora import PLAN, replayed


class Meddled(LocalPool):
    """The engine of this machine, with something done to the folder between judging steps and composing traces."""

    def __init__(self, meddle, afterwards=False):
        super().__init__(1)
        self.meddle = meddle
        self.afterwards = afterwards

    def compose(self, job, units, report):
        if not self.afterwards:
            self.meddle(job)
        done = super().compose(job, units, report)
        if self.afterwards:
            self.meddle(job)
        return done


def sentence(corpus, output, engine, **how):
    with pytest.raises(UsageError) as error:
        replayed(corpus, output, engine=engine, **how)
    assert not output.exists()
    return str(error.value)


def test_a_findings_file_that_is_gone_does_not_mean_that_nothing_was_found(lying, tmp_path):
    def remove(job):
        job.place("findings", "000000.pack", "json").unlink()

    path = unfinished(tmp_path / "verdicts") / "findings-000000.pack.json"
    says = f"{path}: the recorded findings are gone or damaged: run again without --resume."
    assert sentence(lying[1], tmp_path / "verdicts", Meddled(remove)) == says


def test_every_pack_has_a_findings_file_even_if_nothing_is_wrong_with_it(true, tmp_path):
    seen = []
    engine = Meddled(lambda job: seen.extend(unfinished(tmp_path / "verdicts").glob("findings-*")))
    replayed(true, tmp_path / "verdicts", engine=engine)
    assert len(seen) == len(list(true.glob("*.pack")))


def shorten(path):
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(path).slice(1), path)


@pytest.mark.parametrize("spoil", [Path.unlink, shorten])
def test_a_verdict_file_that_is_gone_or_lacks_a_row_does_not_shrink_the_corpus(true, tmp_path, spoil):
    meddle = Meddled(lambda job: spoil(next(Path(job.folder).glob("verdicts-*"))), afterwards=True)
    says = sentence(true, tmp_path / "verdicts", meddle)
    assert says.endswith("these verdicts are gone or damaged: run again without --resume.")


def test_nor_do_traces_that_a_row_group_has_not_although_its_footer_says_so(true, tmp_path, monkeypatch):
    real = Bench.judge
    monkeypatch.setattr(Bench, "judge", lambda bench, unit: real(bench, unit).slice(1))
    says = sentence(true, tmp_path / "verdicts", LocalPool(1))
    assert says.endswith(".pack/traces.parquet: row group 0 has 6 traces, and its footer says 7.")


def test_a_second_run_into_one_output_is_told_so_and_takes_nothing_from_the_first(true, tmp_path):
    output = tmp_path / "verdicts"
    busy = "another gomboc is writing it at this moment; wait for its end, or choose another --output."
    lines = []

    def come_second(job):
        lines.extend(sentence(true, output, LocalPool(1), resume=resume, overwrite=True) for resume in (False, True))

    summary = replayed(true, output, engine=Meddled(come_second))
    assert lines == [f"{output}: {busy}"] * 2
    assert sum(summary.verdicts.values()) == 24


def test_so_are_runs_of_ingest_export_and_simulate(true, tmp_path):
    output = tmp_path / "output"
    export(true, ("trace-00",), tmp_path / "lines")
    sources = find_sources((tmp_path / "lines",))
    with only_writer(output):
        for second in (
            lambda: ingest(sources, output, 7, 1, quiet),
            lambda: export(true, (), output),
            lambda: simulate_packs(PLAN, output, 7, local(1), quiet),
            lambda: simulate_plan(PLAN, output, 1, quiet),
            lambda: simulate_one(PLAN, output, 0),
        ):
            with pytest.raises(UsageError, match="another gomboc is writing it at this moment"):
                second()
    assert not output.exists()
