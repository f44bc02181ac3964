"""Joining leaves: their questions, their announcement, the time of the answer, and their behaviour from then on.

Source: Section 4.6, Algorithm 2
"""

from random import Random

import pytest

from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import run_of, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.core.domain import sampler
from gomboc.spec.core.model import CERTAIN, Commanded, Received
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.delta_fault_tolerance.commands import Delivered, Join, Publish, StatusTold, Subscribe
from gomboc.spec.protocols.delta_fault_tolerance.messages import Connect, Recover
from gomboc.spec.protocols.delta_fault_tolerance.models import ONE, protocol
from gomboc.spec.protocols.delta_fault_tolerance.space import leaves
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from gomboc.spec.types.kinds import Crash, Restart, Suspect

ROOT, PARENT, LEAF = "0", "0.1", "0.1.2"
PUBLISH = Publish((("x", 1),))


def run(delta=1, names=(ROOT, PARENT), outside=(LEAF,)):
    return run_of(delta, names, outside=outside)


def step(made, node, taken):
    """Take a step: store the broker's new state, and return the outcome."""
    outcome = made.protocol.actor.react(node, made.states[node], taken, CERTAIN[0])
    made.states[node] = outcome.local
    return outcome


def test_a_node_that_is_away_is_waited_for():
    made = run()
    made.command(ROOT, Crash())
    made.command(PARENT, Suspect(ROOT))
    made.command(LEAF, Join())
    made.deliver(LEAF, PARENT)
    (entry,) = made.states[PARENT].entries
    assert (entry.waiting, made.told[-1][1]) == ((ROOT,), StatusTold("recovering"))
    made.settle(Random(0))
    assert made.wrong() == ()
    assert made.states[ROOT].known == (PARENT, LEAF)


def test_two_that_ask_each_other_do_not_wait_for_each_other():
    """The parent fails when it knows the leaf, and the leaf when it has not been told."""
    made = run(2, (ROOT,), (PARENT,))
    made.command(PARENT, Join())
    made.deliver(PARENT, ROOT)
    made.command(PARENT, Crash())
    made.command(ROOT, Crash())
    made.command(ROOT, Restart())
    made.command(PARENT, Restart())
    assert made.states[ROOT].asking == (PARENT,)
    assert made.settle(Random(0))
    assert made.wrong() == ()


@pytest.mark.parametrize("delta", range(4))
def test_a_leaf_is_then_like_any_other(delta):
    """Matching publications reach it, also past its parent, and its own publications are delivered."""
    made = run(delta)
    made.command(LEAF, Join())
    made.settle(Random(0))
    made.command(LEAF, Subscribe(ONE))
    made.command(ROOT, Subscribe(ONE))
    made.settle(Random(0))
    if delta:
        made.command(PARENT, Crash())
        for name in (ROOT, LEAF):
            made.command(name, Suspect(PARENT))
        made.drain((ROOT, LEAF), (LEAF, ROOT))
    made.command(ROOT, PUBLISH)
    made.command(LEAF, PUBLISH)
    if delta:
        made.drain((ROOT, LEAF), (LEAF, ROOT))
    else:
        made.settle(Random(0))
    had = [(node, delivery.id[0]) for node, delivery in made.told if isinstance(delivery, Delivered)]
    assert sorted(had) == [(ROOT, ROOT), (ROOT, LEAF), (LEAF, ROOT), (LEAF, LEAF)]
    made.settle(Random(0))
    assert made.wrong() == ()


@pytest.mark.parametrize(
    ("leaf", "absent", "delta", "rule"),
    [
        (Node("recovering"), (), 0, None),
        (Node("recovering"), (PARENT,), 1, None),
        (Node("recovering", 1), (PARENT,), 1, "few_consecutive_failures"),
        (Node("failed"), (), 0, "few_consecutive_failures"),
        (Node("detached"), (PARENT,), 1, None),
    ],
)
def test_a_node_that_joins_counts_as_away_only_once_it_has_failed(leaf, absent, delta, rule):
    made = run(delta)
    states = {**made.states, LEAF: leaf, **{name: Node("failed", known=(ROOT,)) for name in absent}}
    assert [fault.rule for fault in made.protocol.promises.assumption(states, ())] == ([rule] if rule else [])


def test_below_a_node_that_is_outside_no_node_can_be():
    made = run(1, (ROOT,), (PARENT, LEAF))
    step(made, LEAF, Commanded(Join()))
    assert [fault.rule for fault in made.protocol.promises.assumption(made.states, ())] == ["only_leaves_join"]


@pytest.mark.parametrize("wrong", [Node("detached", known=(ROOT,)), Node("detached", 1)])
def test_a_node_that_is_outside_has_nothing(wrong):
    assert protocol(1).naming.malformed(Node("detached")) == ()
    assert [fault.rule for fault in protocol(1).naming.malformed(wrong)] == ["canonical"]


def test_no_node_says_that_it_is_outside():
    assert protocol(1).naming.malformed(Connect(ROOT, (0, 1), None, "detached"))


@pytest.mark.parametrize(("nodes", "outside"), [(1, 1), (3, 2), (5, 3)])
def test_starts_are_drawn_with_leaves_outside_that_may_join(nodes, outside):
    size = Size(nodes, outside=outside)
    start = sampler(protocol(1).starts.space(size))(Random(1))
    names = tuple(name for name, _ in start.roles)
    assert [local.status for _, local in start.locals].count("detached") == outside
    drawn = sampler(protocol(1).environment.disturbances(size, names))
    joins = {
        disturbance.node for seed in range(20) for disturbance in drawn(Random(seed)) if disturbance.command == Join()
    }
    assert joins == {name for name, local in start.locals if local.status == "detached"}


RUNS = 30


def joining_run(seed):
    """Leaves join a tree of 1 to 6 brokers, others crash, delta 0 to 3; links are uneven."""
    random = Random(seed)
    delta, names = random.choice((0, 1, 2, 2, 3)), random.choice(trees(random.choice((1, 2, 3, 4, 5, 6))))
    outside, crashes = leaves(names, random.choice((1, 2, 3))), 0.05 if delta else 0
    return walk(protocol(delta), delta, names, random, 100, crashes, uneven=True, outside=outside)


def test_any_node_that_joins_and_crashes_nothing_is_lost_and_all_is_right_in_the_end():
    runs = {seed: joining_run(seed) for seed in range(RUNS)}
    assert {seed: made.wrong() for seed, made in runs.items() if made.wrong()} == {}
    taken = [turn.taken for made in runs.values() for turn in made.turns]
    assert taken.count(Commanded(Join())) > RUNS
    assert any(isinstance(event, Received) and isinstance(event.message, Recover) for event in taken)
