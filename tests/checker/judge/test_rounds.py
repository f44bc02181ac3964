"""Sleeping nodes are not waited for: in rounds that measure convergence, and in the order of the channels."""

import pytest

from gomboc.checker.judge.fault_count import FaultCount, current_faults
from gomboc.checker.judge.naive import DEFAULT
from gomboc.checker.judge.unknown import NO_FURTHER_ROUND, NO_NODE_AWAKE
from gomboc.checker.judge.verdict import Holds, Unknown
from gomboc.spec.core.model import Commanded, Fault, Outcome
from tests.checker.judge.both import judged, rounds_after_each_step
from tests.checker.replay.kernel.packed import agree
from tests.toys.words.spec import (
    FIFO,
    ROUNDS,
    UNORDERED,
    header,
    hears,
    in_flight,
    obeys,
    rests,
    system_and_steps,
    tells,
    written,
)

ASLEEP = "asleep"


def _sleepy(protocol):
    """The toy with sleeping nodes: only a command has any effect on a sleeping node, and it is never wrong."""

    def react(me, local, taken, choice):
        asleep = local.text == ASLEEP and not isinstance(taken, Commanded)
        return Outcome(local) if asleep else protocol.actor.react(me, local, taken, choice)

    def node_faults(anchor, me, local):
        return () if local.text == ASLEEP else protocol.legitimacy.node_faults(anchor, me, local)

    return protocol.changed(asleep=lambda local: local.text == ASLEEP, quiet=(), react=react, node_faults=node_faults)


SLEEPY, SLEEPY_FIFO, SLEEPY_ROUNDS = map(_sleepy, (UNORDERED, FIFO, ROUNDS))


def drops(node, id_):
    """The node is asleep, so a delivery to it has no effect."""
    return rests(node, ASLEEP, took=id_)


def test_a_round_does_not_wait_for_sleeping_nodes_nor_messages_to_them():
    start = header(b=ASLEEP, messages=[(0, "b", "good")])
    assert rounds_after_each_step(start, rests("a"), rests("a"), protocol=SLEEPY) == [1, 2]
    assert rounds_after_each_step(start, drops("b", 0), rests("b", ASLEEP), rests("a"), protocol=SLEEPY) == [0, 0, 1]


def test_a_node_that_falls_asleep_is_waited_for_no_more_and_nor_are_messages_to_it():
    start = header(messages=[(0, "b", "good"), (1, "a", "good")])
    steps = rests("a"), obeys("b", ASLEEP), hears("a", 1)
    assert rounds_after_each_step(start, *steps, protocol=SLEEPY) == [0, 0, 1]
    assert rounds_after_each_step(start, rests("a"), hears("a", 1), obeys("b", ASLEEP), protocol=SLEEPY) == [0, 0, 1]


def test_a_node_that_wakes_up_is_waited_for_from_the_next_round_on():
    start = header(b=ASLEEP, messages=[(0, "b", "good")])
    steps = obeys("b", "good"), rests("a"), rests("a"), rests("b"), hears("b", 0)
    assert rounds_after_each_step(start, *steps, protocol=SLEEPY) == [0, 1, 1, 1, 2]


def test_a_node_falls_asleep_with_one_step_and_not_with_those_that_it_takes_asleep():
    system, steps = system_and_steps(
        header(), obeys("b", ASLEEP), rests("b", ASLEEP), obeys("b", "good"), obeys("b", ASLEEP), protocol=SLEEPY
    )
    assert [(system.apply(step), system.fell_asleep(step), set(system.asleep)) for step in steps] == [
        (None, True, {"b"}),
        (None, False, {"b"}),
        (None, False, set()),
        (None, True, {"b"}),
    ]


def test_a_run_with_a_crashed_node_that_logs_nothing_converges_in_rounds_of_the_others():
    start = header(messages=[(0, "b", "good")], bound=3)
    steps = obeys("b", ASLEEP), *[rests("a")] * 5
    judgement = judged(start, *steps, protocol=SLEEPY)
    assert (judgement.closure, judgement.rounds) == (
        Holds("legitimate for 5 further rounds, to the end of the trace"),
        0,
    )
    assert judgement.exit_code() == 0


def test_a_run_that_cannot_converge_without_its_crashed_node_is_violated_all_the_same():
    judgement = judged(header(b="bad", bound=3), obeys("a", ASLEEP), *[rests("b", "bad")] * 5, protocol=SLEEPY)
    assert (judgement.convergence.step, judgement.convergence.rule) == (4, "convergence")


def forbidden(protocol, *lines):
    """Why the channels forbid a step, and which."""
    result = judged(*lines, protocol=protocol).conformance
    assert getattr(result, "rule", "delivered_in_order") == "delivered_in_order", result
    return (result.step, result.says) if hasattr(result, "says") else None


def test_in_rounds_no_node_waits_for_a_sleeping_one():
    start = header(b=ASLEEP, messages=[(0, "b", "good")])
    assert forbidden(SLEEPY_ROUNDS, start, rests("a"), rests("a"), rests("b", ASLEEP), rests("b", ASLEEP)) is None
    awake = header(b="good")
    assert forbidden(SLEEPY_ROUNDS, awake, rests("a"), rests("a")) == (2, "'a' has had its timeout in this round")


def test_the_crash_of_the_last_node_that_has_not_acted_ends_the_round():
    steps = tells("a", 0), obeys("b", ASLEEP), rests("a"), rests("a")
    assert forbidden(SLEEPY_ROUNDS, header(), *steps) is None


def test_in_rounds_a_waking_node_does_not_wait_for_messages_from_its_sleep():
    steps = tells("a", 0), obeys("b", ASLEEP), rests("a"), obeys("b", "good"), rests("b"), rests("a")
    assert forbidden(SLEEPY_ROUNDS, header(), *steps) is None
    late = tells("a", 0), obeys("b", ASLEEP), rests("a"), obeys("b", "good"), hears("b", 0), rests("b")
    assert forbidden(SLEEPY_ROUNDS, header(), *late) is None, "it may arrive"


def test_in_rounds_messages_of_this_very_round_do_not_arrive():
    steps = obeys("b", ASLEEP), tells("a", 0)
    assert forbidden(SLEEPY_ROUNDS, header(c="good"), *steps, drops("b", 0)) == (
        3,
        "message 0 was sent in this very round",
    )


def test_under_fifo_messages_to_a_crashed_node_are_lost():
    crashing = tells("a", 0), obeys("b", ASLEEP)
    assert forbidden(SLEEPY_FIFO, header(), *crashing, drops("b", 0)) is None
    lost = 4, "message 0 was lost: 'b' was asleep when it was on its way"
    assert forbidden(SLEEPY_FIFO, header(), *crashing, obeys("b", "good"), hears("b", 0)) == lost
    later = obeys("b", ASLEEP), tells("a", 0), obeys("b", "good"), hears("b", 0)
    assert forbidden(SLEEPY_FIFO, header(), *later) == lost
    start = header(messages=[(0, "b", "good")])
    assert forbidden(SLEEPY_FIFO, start, obeys("b", ASLEEP), obeys("b", "good"), hears("b", 0))[0] == 3


def test_under_fifo_messages_after_waking_do_not_wait_for_lost_ones():
    steps = tells("a", 0), obeys("b", ASLEEP), obeys("b", "good"), tells("a", 1), hears("b", 1)
    assert forbidden(SLEEPY_FIFO, header(), *steps) is None


SENT = tells("a", 0), tells("a", 1), tells("a", 2), obeys("a", ASLEEP)


def test_under_fifo_a_crashed_nodes_messages_may_be_lost_from_some_point():
    again = obeys("a", "good"), tells("a", 3)
    for arrives in range(4):
        steps = (hears("b", id_) for id_ in (*range(arrives), 3))
        assert forbidden(SLEEPY_FIFO, header(), *SENT, *again, *steps) is None
    middle = 6, "message 2 overtakes message 1, also from 'a' to 'b'"
    assert forbidden(SLEEPY_FIFO, header(), *SENT, hears("b", 0), hears("b", 2)) == middle


def test_under_fifo_a_link_that_is_taken_up_again_is_a_new_session():
    steps = *SENT, obeys("a", "good"), tells("a", 3), hears("b", 3), hears("b", 0)
    assert forbidden(SLEEPY_FIFO, header(), *steps) == (
        8,
        "message 0 was lost: the link from 'a' to 'b' that it was on has ended",
    )
    overtaken = *SENT, obeys("a", "good"), tells("a", 3), tells("a", 4), hears("b", 4), hears("b", 3)
    assert forbidden(SLEEPY_FIFO, header(), *overtaken)[0] == 8


def test_messages_to_a_sleeping_node_are_no_fault_until_it_wakes_up():
    start = header(messages=[(0, "b", "bad")])
    crash = obeys("b", ASLEEP), *[rests("a")] * 4
    judgement = judged(start, *crash, protocol=SLEEPY)
    assert (judgement.rounds, judgement.exit_code()) == (0, 0)
    sent = tells("a", 1, "good", sent=in_flight((1, "b", "worse")))
    for lines in ((start, *crash, obeys("b", "good")), (start, *crash, sent, obeys("b", "good"))):
        assert judged(*lines, rests("a"), protocol=SLEEPY).rounds is None


def test_fault_counts_match_the_definition_when_nodes_fall_asleep():
    start = header(messages=[(0, "b", "bad"), (1, "a", "bad")])
    steps = (
        obeys("b", ASLEEP),
        obeys("a", ASLEEP),
        drops("b", 0),
        tells("a", 2, ASLEEP),
        obeys("a", "x"),
        hears("a", 1, "bad"),
    )
    system, taken = system_and_steps(start, *steps, obeys("b", "bad"), obeys("b", "good"), protocol=SLEEPY)
    count, totals = FaultCount(SLEEPY, system), []
    for step in taken:
        count.observe(step, system.apply(step))
        totals.append(count.total)
        assert count.total == len(current_faults(SLEEPY, system))
    assert len(set(totals)) > 2


def rounds_under_fifo(*lines):
    judgement = judged(*lines, protocol=SLEEPY_FIFO)
    return judgement.rounds, judgement.rounds_after


def test_under_fifo_rounds_wait_for_nothing_that_is_lost():
    two = rests("a"), rests("c"), rests("a"), rests("c")
    start = header(b="good", c="good")
    cut = tells("b", 0), obeys("b", ASLEEP)
    assert rounds_under_fifo(start, *cut, *two) == (0, 2), "what a crashed node has in flight"
    missed = obeys("c", ASLEEP), tells("a", 0, sent=in_flight((0, "c", "good"))), obeys("c", "good")
    assert rounds_under_fifo(start, *missed, rests("b"), *two) == (0, 1), "what is sent to a crashed node"
    unordered = judged(start, *missed, rests("b"), *two, protocol=SLEEPY)
    assert (unordered.rounds, unordered.rounds_after) == (0, 0), "it may still arrive"


def test_under_fifo_a_round_does_not_wait_for_messages_that_a_crash_cuts():
    steps = tells("b", 0), rests("a"), obeys("b", ASLEEP), rests("a")
    assert rounds_after_each_step(header(), *steps, protocol=SLEEPY_FIFO) == [0, 1, 1, 2]
    assert rounds_after_each_step(header(), *steps, protocol=SLEEPY) == [0, 1, 1, 1]


def test_under_fifo_lost_messages_are_no_fault():
    bad = rests("b", sent=in_flight((0, "c", "bad"))), obeys("b", ASLEEP)
    rest = rests("a"), rests("c"), obeys("b", "good"), rests("a"), rests("b"), rests("c")
    start = header(b="good", c="good")
    assert rounds_under_fifo(start, *bad, *rest) == (0, 1)
    assert judged(start, *bad, *rest, protocol=SLEEPY).rounds is None, "unless it may still arrive"


def test_under_fifo_a_lost_message_that_arrives_restarts_the_count():
    cut = obeys("b", "good", sent=in_flight((0, "c", "bad"))), obeys("b", ASLEEP), rests("a")
    arrives = rests("c"), hears("c", 0, "bad"), rests("c", "good")
    judgement = judged(header(b="good", c="good"), *cut, *arrives, protocol=SLEEPY_FIFO)
    assert judgement.closure == Unknown(NO_FURTHER_ROUND)
    assert (judgement.rounds, judgement.rounds_after) == (1, 0)


def test_under_fifo_fault_counts_match_the_definition_with_lost_messages():
    start = header(b="good", c="good", messages=[(9, "b", "bad")])
    steps = (
        rests("b", sent=in_flight((0, "c", "bad"), (1, "a", "bad"))),
        obeys("b", ASLEEP),
        rests("a", sent=in_flight((2, "b", "bad"), (3, "c", "bad"))),
        obeys("b", "good"),
        hears("c", 0, "bad"),
        obeys("a", ASLEEP),
    )
    system, taken = system_and_steps(start, *steps, protocol=SLEEPY_FIFO)
    count, totals = FaultCount(SLEEPY_FIFO, system), []
    for step in taken:
        count.observe(step, system.apply(step))
        totals.append(count.total)
        assert count.total == len(current_faults(SLEEPY_FIFO, system))
    assert totals == [3, 0, 1, 1, 2, 2]
    assert system.lost == {0, 1, 2, 3, 9}


NAPS = rests("a", ASLEEP), rests("b", ASLEEP), rests("a", ASLEEP)


def test_of_a_run_in_which_no_node_is_ever_awake_closure_and_convergence_are_unknown():
    judgement = judged(header(a=ASLEEP, b=ASLEEP, protocol=SLEEPY), *NAPS, protocol=SLEEPY)
    assert isinstance(judgement.conformance, Holds)
    assert (judgement.closure, judgement.convergence) == (Unknown(NO_NODE_AWAKE), Unknown(NO_NODE_AWAKE))


def test_a_timeout_during_sleep_does_not_count_after_waking_up():
    steps = rests("b", ASLEEP), rests("a"), rests("a"), obeys("b", "good"), rests("a"), rests("b")
    assert rounds_after_each_step(header(b=ASLEEP), *steps, protocol=SLEEPY) == [0, 1, 2, 2, 3, 3]


def test_a_node_that_falls_asleep_after_its_timeout_is_not_waited_for():
    steps = rests("b"), rests("a"), obeys("b", ASLEEP), rests("a")
    assert rounds_after_each_step(header(), *steps, protocol=SLEEPY) == [0, 1, 1, 2]


def test_no_round_is_completed_while_no_node_is_awake():
    steps = obeys("a", ASLEEP), rests("a", ASLEEP), obeys("a", "good"), rests("a")
    assert rounds_after_each_step(header(b=ASLEEP), *steps, protocol=SLEEPY) == [1, 1, 2, 3]
    start = header(a=ASLEEP, b=ASLEEP, protocol=SLEEPY)
    assert rounds_after_each_step(start, *NAPS, obeys("b", "good"), rests("b"), protocol=SLEEPY) == [0, 0, 0, 1, 2]


@pytest.mark.parametrize("woken", [(), (obeys("b", "good"), rests("b"))])
def test_a_bound_does_not_pass_while_no_node_is_awake(woken):
    """The system is wrong for longer than the bound of 3 rounds."""
    mad = SLEEPY.changed(anchor_faults=lambda anchor: (Fault("never_right", "a", "a word", anchor, "Section 5"),))
    lines = header(a=ASLEEP, b=ASLEEP, protocol=mad), *NAPS, *NAPS, *woken
    assert judged(*lines, protocol=mad).exit_code() == 3
    (row,) = agree(mad, [written(*lines)], DEFAULT)
    assert row["verdict"] == "unknown"


ASLEEP_AT_FIRST = header(a=ASLEEP, b=ASLEEP, protocol=SLEEPY)


def test_one_node_that_is_awake_for_one_step_is_enough():
    judgement = judged(ASLEEP_AT_FIRST, obeys("b", "good"), obeys("b", ASLEEP), *NAPS, protocol=SLEEPY)
    assert isinstance(judgement.convergence, Holds)
    assert judgement.closure == Unknown(NO_FURTHER_ROUND)


def test_both_judges_say_that_no_node_is_awake():
    woken = obeys("b", "good"), obeys("b", ASLEEP)
    awake = header(protocol=SLEEPY), rests("a"), rests("b")
    traces = [written(*lines) for lines in ((ASLEEP_AT_FIRST, *NAPS), (ASLEEP_AT_FIRST, *woken, *NAPS), awake)]
    rows = agree(SLEEPY, traces, DEFAULT)
    assert [row["verdict"] for row in rows] == ["unknown", "unknown", "holds"]
    assert [row["error"] for row in rows] == [NO_NODE_AWAKE, NO_FURTHER_ROUND, None]


def test_a_run_legitimate_for_a_round_and_at_rest_in_the_end_is_closed():
    """All have left, or crashed: nothing more can happen, and nothing has gone wrong."""
    steps = obeys("b", "good"), rests("b"), obeys("b", ASLEEP), *NAPS
    judgement = judged(ASLEEP_AT_FIRST, *steps, protocol=SLEEPY)
    assert judgement.closure == Holds("legitimate to the end of the trace, where no node is awake")
    (row,) = agree(SLEEPY, [written(ASLEEP_AT_FIRST, *steps)], DEFAULT)
    assert row["verdict"] == "holds"
