"""Rounds, closure and convergence in columns, held against the naive judge's on runs of every kind."""

from random import Random

import numpy as np
import pytest

from gomboc.checker.distinct.arrays import NOTHING
from gomboc.checker.distinct.distinct import COMMAND
from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.verdict import Violated
from gomboc.checker.replay.kernel.blocks.promises import convergence_of
from gomboc.checker.replay.kernel.blocks.stabilisation import stabilised
from gomboc.checker.replay.kernel.frames import rounds as stage
from tests.checker.replay.kernel.framed import Stages
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import UNORDERED, header, hears, rests, system_and_steps

ROUND = rests("a"), rests("b")


def found(*traces, bound=3):
    stages = Stages(*map(list, traces), bound=bound)
    loud = stages.frame.position[stages.frame.took == COMMAND]
    return stages, stabilised(stages.block, loud, stages.good, stages.last)


def by_definition(lines, bound):
    system, steps = system_and_steps(*lines)
    run = Stabilisation(UNORDERED, system, bound)
    for number, step in enumerate(steps, 1):
        run.observe(number, step, system.apply(step))
    closure, convergence = run.closure_and_convergence(None)
    stalled = "waiting for" in str(closure)
    left = closure.step if isinstance(closure, Violated) else -1
    late = convergence.step if isinstance(convergence, Violated) else -1
    return left, late, run.rounds_completed, -1 if run.rounds is None else run.rounds, stalled


@pytest.mark.parametrize("few", [0, 16])
@pytest.mark.parametrize("bound", [0, 1, 3])
def test_every_column_equals_the_count_of_the_naive_judge(bound, few, monkeypatch):
    monkeypatch.setattr(stage, "FEW", few)
    traces = [honest_trace(UNORDERED, Random(seed), 30) for seed in range(40)]
    stages, result = found(*traces, bound=bound)
    base = stages.frame.base[:-1]
    late, _ = convergence_of(stages.block, NOTHING, result, stages.good, stages.last)
    columns = [np.where(entry == -1, -1, entry - base) for entry in (result.left, late)]
    rows = zip(*(column.tolist() for column in (*columns, result.completed, result.rounds, result.waits)), strict=True)
    assert list(rows) == [by_definition(lines, bound) for lines in traces]


def test_a_run_stalls_if_and_only_if_the_naive_judge_says_so():
    """At the end of each trace one node takes no timeouts for a while, long enough or not."""
    traces = []
    for seed in range(400):
        random = Random(seed)
        head, *steps = honest_trace(UNORDERED, random, random.randrange(4, 12))
        traces.append([head, *steps, *[rests("a", text_of(head, steps, "a"))] * random.randrange(80)])
    _, result = found(*traces, bound=100)
    wanted = [by_definition(lines, 100)[4] for lines in traces]
    assert result.waits.tolist() == wanted
    assert 10 < sum(wanted) < 390


def text_of(head, steps, node):
    """The text of a node's last state."""
    return next(
        (step["state"]["text"] for step in reversed(steps) if step["node"] == node), head["states"][node]["text"]
    )


@pytest.mark.parametrize("few", [0, 16])
def test_a_round_that_ends_with_the_step_that_makes_it_right_is_counted_once(few, monkeypatch):
    monkeypatch.setattr(stage, "FEW", few)
    start = header(b="bad", messages=[(0, "b", "good")])
    lines = [start, rests("a"), rests("b", "bad"), hears("b", 0), rests("a"), rests("b")]
    _, result = found(lines, bound=3)
    assert (result.completed.tolist(), result.rounds.tolist()) == ([2], [1])
    assert by_definition(lines, 3) == (-1, -1, 2, 1, False)


def test_a_stretch_is_undecided_until_it_is_legitimate_or_late():
    """The step that makes it late counts, since the premise is asked first; that which makes it legitimate does not."""
    bad = header(b="bad")
    bad_round = rests("a"), rests("b", "bad")
    _, result = found(
        (bad, *bad_round), (bad, *bad_round * 3), (bad, rests("a"), rests("b")), (header(), *ROUND), bound=2
    )
    base = [0, 3, 10, 13]
    assert result.stretches.undecided.tolist() == [base[0] + 2, base[1] + 4, base[2] + 1, base[3] - 1]
