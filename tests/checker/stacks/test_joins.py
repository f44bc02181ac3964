"""Runs of a stack are joined on Spark as they are by processes."""

import pytest

from gomboc.checker.simulate.stacks.plan import StackPlan
from gomboc.checker.simulate.stacks.simulate import simulate_stack
from gomboc.checker.stacks.joins import Joins, joined_here, joined_on_spark

SMALL = {"chord.bits": 8, "chord.r": 1, "chord.fingers": False, "scribe.key_bits": 8}


@pytest.mark.spark
def test_spark_joins_the_runs_that_processes_join_and_refuses_the_others_alike(spark, tmp_path):
    simulate_stack(
        StackPlan("chord_scribe", (3,), 2, 1, parameters=SMALL), tmp_path / "lines", 1, lambda *_: None, True
    )
    news = tmp_path / "lines/000001/scribe/news.jsonl"
    lines = news.read_bytes().splitlines(keepends=True)
    dropped = next(number for number, line in enumerate(lines) if b'"took":{"kind":"Routed"' in line)
    news.write_bytes(b"".join((*lines[:dropped], *lines[dropped + 1 :])))
    joins = Joins(str(tmp_path / "lines"), False, ("000000", "000001"))
    here = joined_here(joins, 1, lambda *_: None)
    assert [row.verdict for row in here] == ["holds", "violated"]
    assert joined_on_spark(spark, joins) == here
