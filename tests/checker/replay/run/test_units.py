"""Traces that cannot be judged together are judged in halves, each as if nothing had been tried before."""

import pyarrow.parquet

from gomboc.checker.judge.verdict import HOLDS
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.run import units
from tests.checker.cli.command import gomboc


class Poisoned(PackJudge):
    """Fails whenever it is to judge more than one trace; one that has failed judges nothing any more."""

    made = 0

    def __init__(self, *arguments):
        super().__init__(*arguments)
        Poisoned.made += 1
        self.spoilt = False

    def judge(self, batch, options):
        assert not self.spoilt, "what failed midway is used again"
        if len(batch.names) > 1:
            self.spoilt = True
            raise TypeError("poison")
        return super().judge(batch, options)


def test_a_judge_that_failed_midway_is_not_used_again(true, tmp_path, monkeypatch):
    monkeypatch.setattr(units, "PackJudge", Poisoned)
    units.bench.cache_clear()
    code = gomboc("replay", true, "--output", tmp_path / "verdicts", "--jobs", 1).code
    units.bench.cache_clear()
    assert code == HOLDS
    files = (tmp_path / "verdicts").rglob("*.parquet")
    tables = [pyarrow.parquet.read_table(path, columns=["trace", "judgement"]) for path in files]
    rows = [row for table in tables for row in table.to_pylist()]
    assert Poisoned.made > 2
    # None was left to the naive judge, whose rows have a judgement.
    assert rows
    assert not any(row["judgement"] for row in rows)
