"""Readings that were tried: the result by each, and that their rules can be run."""

from random import Random

import pytest

from gomboc.checker.errata.claim import Result
from gomboc.checker.evidence.delta_fault_tolerance.experiments.drawn import FORK
from gomboc.checker.evidence.delta_fault_tolerance.experiments.formulas import Place, covered_recipients, out
from gomboc.checker.evidence.delta_fault_tolerance.experiments.formulas import subscription_recipients as as_printed
from gomboc.checker.evidence.delta_fault_tolerance.experiments.readings import TREE_IS_TOLD_AGAIN, UNEQUAL, read
from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import Run, walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import holds_in, model
from gomboc.spec.protocols.delta_fault_tolerance.messages import StampsMessage, Table
from gomboc.spec.protocols.delta_fault_tolerance.models import TWO, protocol
from gomboc.spec.protocols.delta_fault_tolerance.parameters import Parameters
from gomboc.spec.protocols.delta_fault_tolerance.space import right_start
from gomboc.spec.types.kinds import Crash, Restart, Suspect

LEAF = ("0.1.2",)
LINE = ("0", "0.0", "0.0.0", "0.0.0.0")


@pytest.mark.parametrize("seed", [1, 224, 471])
def test_a_broker_that_is_done_answers_no_node_over_a_closed_connection(seed):
    when_done = protocol(3, "answers_when_done")

    def react(me, local, taken, choice):
        outcome = when_done.actor.react(me, local, taken, choice)
        answered = {send.target for send in outcome.sends if isinstance(send.message, Table | StampsMessage)}
        assert answered <= {connection.peer for connection in outcome.local.connections}
        return outcome

    assert walk(when_done.changed(react=react), 3, FORK, Random(seed), 80, 0.12).wrong() == ()


def test_a_timely_detector_tells_of_a_failure_before_the_broker_is_back():
    for timely, owed in ((True, [Suspect]), (False, [Restart, Suspect])):
        run = Run(protocol(1), right_start(Parameters(1), TWO, {}), timely=timely)
        run.command(TWO[1], Crash())
        assert [type(act) for _, act in run.owed()] == owed


def test_a_stamp_that_differs_makes_no_duplicate_test():
    assert holds_in(model("inverted_duplicates"), read(UNEQUAL, 1)) is Result.REFUTED
    assert holds_in(model("inverted_duplicates"), protocol(1)) is Result.REPRODUCED


@pytest.mark.parametrize("seed", range(300, 330))
def test_brokers_that_were_away_learn_of_leaves_from_the_tree_that_they_are_told(seed):
    assert walk(read(TREE_IS_TOLD_AGAIN, 1), 1, TWO, Random(seed), 40, 0.06, outside=LEAF).wrong() == ()


@pytest.mark.parametrize("delta", [0, 1])
def test_a_leaf_that_is_told_links_knows_its_join_point(delta):
    names, outside = (TWO, LEAF) if delta else (TWO[:1], TWO[1:])
    for seed in range(300, 330):
        assert walk(protocol(delta, "tree_of_links"), delta, names, Random(seed), 40, 0, outside=outside).wrong() == ()


def test_a_broker_that_is_its_own_connection_sends_nothing_on():
    me, neighbours, wanted = "0.0", frozenset(("0", "0.0.0")), frozenset(LINE)
    assert out(me, neighbours, wanted) == neighbours
    assert out(me, neighbours | {me}, wanted) == {me}


def test_the_link_test_of_the_source_names_brokers_that_are_not_known():
    broker = Place(LINE, "0.0", 0)
    assert as_printed(broker, "0", of_source=True) == {"0.0.0", "0.0.0.0"}
    assert as_printed(broker, "0", of_source=False) == covered_recipients(broker, "0") == {"0.0.0"}
