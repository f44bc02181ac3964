"""Caches of a pack are freed with it: a process judges many packs, and collects no cycles of references."""

import gc
import weakref
from pathlib import Path

import pytest

from gomboc.checker.distinct.judging import LocalJudge, judge_all
from gomboc.checker.distinct.marks import Marks
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.replay.kernel.blocks.judge import PackJudge
from gomboc.checker.replay.kernel.frames.batch import batch_of
from gomboc.spec.core.registry import find_protocol
from tests.checker.replay.kernel.packed import packed

GOLDEN = Path(__file__).parents[4] / "traces" / "skip_ring"
TRACES = [(GOLDEN / f"{name}.ok.jsonl").read_bytes() for name in ("corrupted_database", "five_subscribers_in_a_ring")]


@pytest.fixture
def _without_collector():
    gc.disable()
    yield
    gc.enable()


def judged():
    """A pack, judged, without any remaining reference to it."""
    words, table = packed(TRACES)
    protocol = find_protocol("skip_ring")
    local = LocalJudge(protocol)
    judge = PackJudge(protocol, {}, words, Marks(words, judge_all(local, words)), local.decoders)
    assert sum(block.block.frame.traces for block in judge.judge(batch_of(table), DEFAULT)) == len(TRACES)
    return weakref.ref(words)


@pytest.mark.usefixtures("_without_collector")
def test_a_pack_that_was_judged_is_gone_without_a_collector():
    assert judged()() is None
