"""Recovering brokers: their questions, the answers, REJOIN, and crashes that the failure detector did not report.

Source: Algorithms 5 to 7
"""

from random import Random

import pytest

from gomboc.checker.evidence.delta_fault_tolerance.experiments.built import before_it_is_heard, behind_the_back
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import run_of
from gomboc.spec.core.model import Received
from gomboc.spec.protocols.delta_fault_tolerance.commands import Subscribe, Unsubscribe
from gomboc.spec.protocols.delta_fault_tolerance.contents import Rejoin, Row
from gomboc.spec.protocols.delta_fault_tolerance.messages import Forward
from gomboc.spec.protocols.delta_fault_tolerance.models import ANY, ONE
from gomboc.spec.protocols.delta_fault_tolerance.variables import applied
from gomboc.spec.types.kinds import Crash, Restart, Suspect

ROW = FIRST, SECOND, THIRD = "0", "0.0", "0.0.0"
FOUR = (*ROW, "0.0.0.0")
TWO = {FIRST: (ONE,), SECOND: (ANY,)}


def test_what_went_past_a_broker_that_is_back_is_said_again_by_its_source():
    assert behind_the_back("silent_rejoin", published=True).wrong() == ("no_loss", "tables_are_right")
    assert behind_the_back(None, published=True).wrong() == ()


def test_no_node_is_operational_before_its_rejoin_is_heard():
    assert before_it_is_heard("no_rejoin").wrong() == ("no_loss",)
    assert before_it_is_heard(None).wrong() == ()


def test_an_end_that_went_past_a_broker_that_is_back_leaves_no_row():
    for variant, wrong in (("silent_rejoin", ("tables_are_right",)), (None, ())):
        made = run_of(2, ROW, {THIRD: (ONE,)}, variant)
        made.command(SECOND, Crash())
        for name in (FIRST, THIRD):
            made.command(name, Suspect(SECOND))
        made.drain()
        made.command(SECOND, Restart())
        made.drain((SECOND, FIRST))
        made.command(THIRD, Unsubscribe(ONE))
        made.drain((THIRD, FIRST), (FIRST, THIRD))
        made.command(THIRD, Crash())
        made.settle(Random(0))
        assert made.wrong() == wrong


@pytest.mark.parametrize("seed", range(6))
def test_all_may_be_away_at_once_and_know_each_others_subscriptions_again(seed):
    made = run_of(3, ROW, dict.fromkeys(ROW, (ONE,)))
    for name in ROW:
        made.command(name, Crash())
    made.settle(Random(seed))
    assert made.wrong() == ()


def test_rejoin_says_all_subscriptions_of_its_source_and_no_node_elses():
    before = (Row("0", ANY, "0"), Row("0.0", ANY, "0.0"))
    assert applied(before, Rejoin("0", (ONE,), "0"), None) == (Row("0", ONE, "0"), Row("0.0", ANY, "0.0"))
    made = run_of(1, ROW, TWO)
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
    made = run_of(0, FOUR, {FOUR[0]: (ONE,)})
    made.command(FOUR[0], Crash())
    made.command(FOUR[0], Restart())
    made.settle(Random(0))
    came = {turn.node for turn in made.turns if isinstance(turn.taken, Received) and rejoins(turn)}
    assert came == set(FOUR[1:])
    assert made.states[FOUR[3]].rows == (Row(FOUR[0], ONE, FOUR[2]),)
