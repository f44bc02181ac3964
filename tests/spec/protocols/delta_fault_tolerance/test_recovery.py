"""Recovering brokers: their questions, the answers, REJOIN, and crashes that the failure detector did not report.

Source: Algorithms 5 to 7
"""

from random import Random

import pytest
from msgspec.structs import replace

from gomboc.checker.evidence.delta_fault_tolerance.experiments.built import before_it_is_heard, behind_the_back
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run
from gomboc.spec.core.model import CERTAIN, Received
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, ONE, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.protocols.delta_fault_tolerance.state import (
    Close,
    Connect,
    Connection,
    Down,
    Entry,
    Forward,
    Publication,
    Recover,
    Rejoin,
    Row,
    StampsMessage,
    StatusMessage,
    Subscribe,
    Subscription,
    Table,
    Unsubscribe,
    Unsubscription,
)
from gomboc.spec.protocols.delta_fault_tolerance.variables import applied
from gomboc.spec.types.kinds import Crash, Restart

ROW = FIRST, SECOND, THIRD = "0", "0.0", "0.0.0"
FOUR = (*ROW, "0.0.0.0")
TWO = {FIRST: (ONE,), SECOND: (ANY,)}


def run(delta, names=ROW, wanted=None):
    return Run(protocol(delta), right_start(Parameters(delta), names, wanted or {}))


def drain(made, *links):
    for link in links:
        while made.links.get(link):
            made.deliver(*link)


def received(made, node, message):
    """The messages that a broker sends when it receives one, with their targets."""
    outcome = made.protocol.actor.react(node, made.states[node], Received(message), CERTAIN[0])
    made.states[node] = outcome.local
    return [(send.target, send.message) for send in outcome.sends]


def test_what_went_past_a_broker_that_is_back_is_said_again_by_its_source():
    assert behind_the_back("silent_rejoin", published=True).wrong() == ("no_loss", "tables_are_right")
    assert behind_the_back(None, published=True).wrong() == ()


def test_no_node_is_operational_before_its_rejoin_is_heard():
    assert before_it_is_heard("no_rejoin").wrong() == ("no_loss",)
    assert before_it_is_heard(None).wrong() == ()


def test_an_end_that_went_past_a_broker_that_is_back_leaves_no_row():
    for variant, wrong in (("silent_rejoin", ("tables_are_right",)), (None, ())):
        made = Run(protocol(2, variant), right_start(Parameters(2), ROW, {THIRD: (ONE,)}))
        made.command(SECOND, Crash())
        for name in (FIRST, THIRD):
            made.command(name, Down(SECOND))
        made.drain()
        made.command(SECOND, Restart())
        drain(made, (SECOND, FIRST))
        made.command(THIRD, Unsubscribe(ONE))
        drain(made, (THIRD, FIRST), (FIRST, THIRD))
        made.command(THIRD, Crash())
        made.settle(Random(0))
        assert made.wrong() == wrong


@pytest.mark.parametrize("seed", range(6))
def test_all_may_be_away_at_once_and_know_each_others_subscriptions_again(seed):
    made = run(3, ROW, dict.fromkeys(ROW, (ONE,)))
    for name in ROW:
        made.command(name, Crash())
    made.settle(Random(seed))
    assert made.wrong() == ()


def test_rejoin_says_all_subscriptions_of_its_source_and_no_node_elses():
    before = (Row("0", ANY, "0"), Row("0.0", ANY, "0.0"))
    assert applied(before, Rejoin("0", (ONE,), "0")) == (Row("0", ONE, "0"), Row("0.0", ANY, "0.0"))
    made = run(1, wanted=TWO)
    made.command(SECOND, Subscribe(ONE))
    made.command(SECOND, Unsubscribe(ANY))
    made.command(SECOND, Crash())
    made.command(SECOND, Restart())
    made.settle(Random(0))
    said = [turn.taken.message.content for turn in made.turns if isinstance(turn.taken, Received) and rejoins(turn)]
    assert set(said) == {Rejoin(SECOND, (ONE,), SECOND)}


def rejoins(turn):
    message = turn.taken.message
    return isinstance(message, Forward) and isinstance(message.content, Rejoin)


def test_rejoin_comes_to_every_node_known_as_a_subscription_is():
    made = run(0, FOUR, {FOUR[0]: (ONE,)})
    made.command(FOUR[0], Crash())
    made.command(FOUR[0], Restart())
    made.settle(Random(0))
    came = {turn.node for turn in made.turns if isinstance(turn.taken, Received) and rejoins(turn)}
    assert came == set(FOUR[1:])
    assert made.states[FOUR[3]].rows == (Row(FOUR[0], ONE, FOUR[2]),)


def test_a_node_that_has_its_table_answers_before_it_has_rejoined():
    made = run(2, wanted=TWO)
    made.command(SECOND, Crash())
    made.command(SECOND, Restart())
    drain(made, (SECOND, FIRST), (SECOND, THIRD), (FIRST, SECOND), (THIRD, SECOND))
    assert made.states[SECOND].status == "recovering"
    sent = received(made, SECOND, Recover(THIRD, (1, 1)))
    kinds = [type(message) for target, message in sent if target == THIRD]
    assert kinds == [Connect, Table, Forward, StampsMessage]
    assert sent[0][1].status == "recovering"
    assert Row(SECOND, ANY, SECOND) in sent[1][1].rows


def test_a_node_that_is_asking_says_so_and_is_gone_past():
    made = run(2, FOUR)
    made.command(FOUR[1], Crash())
    made.command(FOUR[1], Restart())
    (_, answer), (_, said), asked = received(made, FOUR[1], Recover(FOUR[2], (1, 1)))
    assert (type(answer), said) == (Connect, StatusMessage(FOUR[1], answer.stream, "recovering"))
    assert asked == (FOUR[3], Recover(FOUR[1], (1, 3)))
    made = run(2, FOUR)
    made.command(FOUR[2], Crash())
    made.command(FOUR[2], Restart())
    received(made, FOUR[2], Connect(FOUR[1], (1, 1), (1, 1), "recovering"))
    assert FOUR[1] in made.states[FOUR[2]].asking
    assert received(made, FOUR[2], StatusMessage(FOUR[1], (1, 1), "recovering")) == [
        (FOUR[0], Recover(FOUR[2], (1, 3)))
    ]


def test_questions_that_cross_are_each_answered_in_the_stream_of_the_other():
    made = run(2)
    for name in (SECOND, THIRD):
        made.command(name, Crash())
        made.command(name, Restart())
    mine = {connection.peer: connection.mine for connection in made.states[SECOND].connections}[THIRD]
    theirs = made.states[THIRD].connections[0].mine
    (_, answer), *_ = received(made, SECOND, Recover(THIRD, theirs))
    assert answer == Connect(SECOND, mine, theirs, "recovering")
    (_, answer), *_ = received(made, THIRD, Recover(SECOND, mine))
    assert answer == Connect(THIRD, theirs, mine, "recovering")


def test_a_stamp_of_a_later_incarnation_tells_of_a_crash_that_the_detector_was_too_late_for():
    made = run(2)
    bypass = Connection(THIRD, "operational", (0, 2), (0, 9))
    made.states[FIRST] = replace(made.states[FIRST], connections=(*made.states[FIRST].connections, bypass))
    said = Rejoin(THIRD, (), THIRD)
    stamps = ((THIRD, (1, 1)), (SECOND, (0, 1)))
    received(made, FIRST, Forward(SECOND, (0, 1), (THIRD, 1, 1), said, stamps, None))
    assert [connection.peer for connection in made.states[FIRST].connections] == [SECOND]
    after = made.states[FIRST]
    assert received(made, FIRST, Recover(THIRD, (0, 10))) == []
    assert received(made, FIRST, Connect(THIRD, (0, 10), None, "operational")) == []
    assert made.states[FIRST] == after


def test_a_stamp_of_the_same_incarnation_tells_of_none():
    made = run(1)
    received(made, FIRST, Forward(SECOND, (0, 1), (SECOND, 0, 1), Publication(()), ((SECOND, (0, 1)),), None))
    assert [connection.peer for connection in made.states[FIRST].connections] == [SECOND]


@pytest.mark.parametrize(("asking", "copies"), [((), 1), ((FOUR[1],), 0)])
def test_what_waits_for_a_broker_between_is_copied_to_a_node_that_is_told_stamps_and_to_no_node_else(asking, copies):
    made = run(3, FOUR)
    said = Entry((FIRST, 0, 1), Subscription(FIRST, ONE, FIRST), (0, 1), (), (), FOUR[1:], (FOUR[1],))
    status = "recovering" if asking else "operational"
    made.states[FIRST] = replace(made.states[FIRST], status=status, asking=asking, count=1, entries=(said,))
    sent = received(made, FIRST, Recover(FOUR[3], (1, 1)))
    assert sum(isinstance(message, Forward) for target, message in sent if target == FOUR[3]) == copies


@pytest.mark.parametrize(
    ("rows", "content", "kept"),
    [
        ((), Subscription(FIRST, ONE, FIRST), False),
        ((Row(FIRST, ONE, FIRST),), Subscription(FIRST, ONE, FIRST), True),
        ((Row(FIRST, ONE, FIRST),), Unsubscription(FIRST, ONE), False),
        ((), Unsubscription(FIRST, ONE), True),
        ((Row(FIRST, ONE, FIRST),), Rejoin(FIRST, (ANY,), FIRST), False),
        ((Row(FIRST, ONE, FIRST),), Rejoin(FIRST, (ONE,), FIRST), True),
    ],
)
def test_between_its_table_and_its_stamps_a_peer_hands_over_what_its_table_may_be_newer_than(rows, content, kept):
    made = run(1)
    made.command(SECOND, Crash())
    made.command(SECOND, Restart())
    mine = made.states[SECOND].connections[0].mine
    received(made, SECOND, Connect(FIRST, (0, 7), mine, "operational"))
    received(made, SECOND, Table(FIRST, (0, 7), rows))
    sent = received(made, SECOND, Forward(FIRST, (0, 7), (FIRST, 0, 1), content, ((FIRST, (0, 1)),), (SECOND, THIRD)))
    assert made.states[SECOND].later == ((content,) if kept else ())
    assert [(target, message.content) for target, message in sent] == [(THIRD, content)]


def test_a_closing_has_no_effect_on_a_node_that_is_not_connected():
    made = run(1)
    assert received(made, FIRST, Close(THIRD, (0, 1))) == []
