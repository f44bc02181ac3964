"""Two readings of the paper on delta-fault-tolerance do the same in each step of runs that are drawn.

The runs are those of the specification, under any schedule that links and the assumption allow: messages wait,
several brokers are away at once, words of the detector are late; leaves join; rows are corrupted, and audited. The
implementation takes each distinct step as well.
"""

from random import Random

import msgspec
import pytest

from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import PUBLICATIONS, Run, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.checker.simulate.redone import take, taken_input
from gomboc.impl.api.registry import implementation
from gomboc.spec.core.model import CERTAIN, Received, Timeout
from gomboc.spec.protocols.delta_fault_tolerance import configured
from gomboc.spec.protocols.delta_fault_tolerance.commands import Subscribe, Unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.contents import Publication, Row
from gomboc.spec.protocols.delta_fault_tolerance.messages import Close, Forward, StatusMessage
from gomboc.spec.protocols.delta_fault_tolerance.models import protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import FILTERS, leaves, right_start, with_rows
from gomboc.spec.protocols.delta_fault_tolerance.state import Connection, Entry, Node

RUNS, STEPS, FEWEST = 12, 100, 500
MANY = 48
"""Runs over uneven links: three changes of the rules make a difference only in steps that few runs take."""
TREES = [names for nodes in range(2, 6) for names in trees(nodes)]


def written(value):
    return msgspec.json.decode(msgspec.json.encode(value))


def to_each(sends):
    """The sent messages, in order for each target."""
    return sorted(sends, key=lambda sent: sent["to"])


def steps_of(run):
    """Each step of a run: the node, its state before, and the event that it took; and its outcome."""
    states = dict(run.start.locals)
    for turn in run.turns:
        outcome = run.protocol.actor.react(turn.node, states[turn.node], turn.taken, CERTAIN[0])
        yield (turn.node, states[turn.node], turn.taken), outcome
        states[turn.node] = outcome.local


def given_to(theirs, taken):
    """The event that the implementation takes instead."""
    match taken:
        case Received(message):
            return taken_input(theirs, 0, {0: {"message": written(message)}})
        case Timeout():
            return taken_input(theirs, "timeout", {})
    return taken_input(theirs, written(taken.command), {})


def assert_step_alike(theirs, outcome, node, local, taken):
    """The implementation does the same in this step."""
    result = take(theirs, "broker", node, written(local), given_to(theirs, taken), 0.0)
    assert result.state == written(outcome.local)
    assert to_each(result.sends) == to_each(
        [{"to": send.target, "message": written(send.message)} for send in outcome.sends]
    )
    assert result.delivered == written(outcome.delivered)


def assert_alike(parameters, runs):
    """Both do the same in each step of these runs; returns the kinds of events taken in them."""
    theirs = implementation("delta_fault_tolerance").configured(parameters)
    steps = {step: outcome for run in runs for step, outcome in steps_of(run)}
    for step, outcome in steps.items():
        assert_step_alike(theirs, outcome, *step)
    assert len(steps) > FEWEST
    return {type(getattr(taken, "message", taken)).__name__ for _, _, taken in steps}


def tree(seed):
    return TREES[seed % len(TREES)]


@pytest.mark.parametrize("delta", [1, 2, 3])
def test_both_do_the_same_in_each_step_under_any_schedule(delta):
    ours = protocol(delta)
    runs = (walk(ours, delta, tree(seed), Random(seed), STEPS, 0.05) for seed in range(RUNS))
    assert_alike({"delta": delta}, runs)


@pytest.mark.parametrize(("delta", "outside"), [(2, 3), (3, 0)])
def test_both_do_the_same_over_uneven_links(delta, outside):
    ours = protocol(delta)
    runs = (
        walk(ours, delta, tree(seed), Random(seed), STEPS, 0.05, uneven=True, outside=leaves(tree(seed), outside))
        for seed in range(MANY)
    )
    assert_alike({"delta": delta}, runs)


@pytest.mark.parametrize("delta", [0, 1, 2])
def test_both_do_the_same_while_leaves_join_and_others_are_away(delta):
    ours, crashes = protocol(delta), 0.05 if delta else 0.0
    runs = (
        walk(ours, delta, tree(seed), Random(seed), STEPS, crashes, outside=leaves(tree(seed), 3))
        for seed in range(RUNS)
    )
    assert {"JoinRequest", "Timeout"} <= assert_alike({"delta": delta}, runs)


NEARER, PAST, ME = "a", "a.b", "a.x"
WAITED_FOR = Node(
    "operational",
    0,
    known=(NEARER, PAST),
    count=1,
    streams=2,
    connections=(Connection(NEARER, "recovering", (0, 1), (1, 1)), Connection(PAST, "operational", (0, 2), (0, 1))),
    rows=(Row(PAST, FILTERS[0], NEARER),),
    entries=(Entry((ME, 0, 1), Publication(PUBLICATIONS[0].attributes), (0, 1), (), (), (PAST,), (PAST,)),),
)


@pytest.mark.parametrize(
    "message", [StatusMessage(NEARER, (1, 1), "operational"), Close(PAST, (0, 1))], ids=["is back", "is closed"]
)
def test_both_entrust_a_nearer_broker_with_what_waits_for_one_past_it(message):
    """In no run that was drawn does a message still wait when the connection past a broker ends."""
    outcome = protocol(2).actor.react(ME, WAITED_FOR, Received(message), CERTAIN[0])
    theirs = implementation("delta_fault_tolerance").configured({"delta": 2})
    assert_step_alike(theirs, outcome, ME, WAITED_FOR, Received(message))
    (entry,) = outcome.local.entries
    assert entry.waiting == (NEARER,)
    assert NEARER in {send.target for send in outcome.sends if isinstance(send.message, Forward)}


def audited(ours, delta, names, random):
    """A run in which any broker knows any rows at first, and timeouts, changes and messages come as drawn."""
    right = right_start(Parameters(delta, audit=True), names, {names[0]: FILTERS[:1]})
    rows = tuple(
        (at, Row(source, random.choice(FILTERS), random.choice(names)))
        for at in names
        for source in names
        if at != source and random.random() < 0.5
    )
    run = Run(ours, with_rows(right, rows))
    for _ in range(STEPS):
        ready, draw = run.ready(), random.random()
        if ready and draw < 0.7:
            run.deliver(*random.choice(ready))
        elif draw < 0.9:
            run.time_out(random.choice(names))
        else:
            wanted = random.choice(FILTERS)
            run.command(random.choice(names), random.choice((*PUBLICATIONS, Subscribe(wanted), Unsubscribe(wanted))))
    run.settle(random)
    return run


@pytest.mark.parametrize("delta", [0, 1, 2])
def test_both_do_the_same_when_rows_are_corrupted_and_audited(delta):
    parameters = {"delta": delta, "audit": True}
    ours = configured(parameters)
    runs = (audited(ours, delta, tree(seed), Random(seed)) for seed in range(RUNS))
    assert {"Digest", "Doubt", "RowsMessage", "Timeout"} <= assert_alike(parameters, runs)
