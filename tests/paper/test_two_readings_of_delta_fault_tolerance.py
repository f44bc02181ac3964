"""Two readings of the paper on delta-fault-tolerance do the same in each step of runs that are drawn.

The runs are those of the specification, under any schedule that links and the assumption allow: messages wait,
several brokers are away at once, words of the detector are late. The implementation takes each distinct step as well.
"""

from random import Random

import msgspec
import pytest

from checker.evidence.delta_fault_tolerance.exhibits.running import walk
from checker.evidence.delta_fault_tolerance.exhibits.trees import trees
from checker.simulate.redone import take, taken_input
from impl.registry import implementation
from spec.delta_fault_tolerance.models import protocol
from spec.model import CERTAIN, Received

RUNS, STEPS, FEWEST = 12, 100, 500
TREES = [names for nodes in range(2, 6) for names in trees(nodes)]


def written(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def to_each(sends):
    """What was sent, in order for each target."""
    return sorted(sends, key=lambda sent: sent["to"])


def steps_of(run):
    """Each step of a run: the node, its state before, and what it took."""
    states = dict(run.start.locals)
    for turn in run.turns:
        yield turn.node, states[turn.node], turn.taken
        states[turn.node] = run.protocol.react(turn.node, states[turn.node], turn.taken, CERTAIN[0]).local


@pytest.mark.parametrize("delta", [1, 2, 3])
def test_both_do_the_same_in_each_step_under_any_schedule(delta):
    ours, theirs = protocol(delta), implementation("delta_fault_tolerance").configured({"delta": delta})
    runs = (walk(ours, delta, TREES[seed % len(TREES)], Random(seed), STEPS, 0.05) for seed in range(RUNS))
    steps = {step for run in runs for step in steps_of(run)}
    for node, local, taken in steps:
        outcome = ours.react(node, local, taken, CERTAIN[0])
        received = isinstance(taken, Received)
        took = 0 if received else written(taken.command)
        given = taken_input(theirs, took, {0: {"message": written(taken.message)}} if received else {})
        found = take(theirs, "broker", node, written(local), given, 0.0)
        assert found.state == written(outcome.local)
        assert to_each(found.sends) == to_each(
            [{"to": send.target, "message": written(send.message)} for send in outcome.sends]
        )
        assert found.delivered == written(outcome.delivered)
    assert len(steps) > FEWEST
