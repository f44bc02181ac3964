"""Convergence that is settled on local states: never against an exact search, with each rule, on toys and models."""

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Open, Settled, settle
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import Outcome
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.product.drawn import drawn
from tests.checker.explore.product.toys import IN_TIME, settled, toy, wrong
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.sampling import share

# Against an exact search.


WAYS = list(product((Fairness.WEAK, Fairness.STRONG), Coins))


def against_a_search(instances, fairness, coins):
    """How often each answer came with a refutation or without, none of them wrong."""
    answers = Counter()
    for instance in instances:
        found = settled(instance, fairness, coins)
        exploration = examine(instance, Question(fairness=fairness, coins=coins, bounds=Bounds(most_states=20_000)))
        refuted = any(isinstance(one.verdict, Violated) for one in exploration.findings if one.promise == "convergence")
        answers[type(found), refuted] += 1
        assert not (isinstance(found, Settled) and refuted), instance
    return answers


@pytest.mark.parametrize(("fairness", "coins"), WAYS)
@pytest.mark.parametrize("coalesce", [False, True])
def test_nothing_is_settled_that_a_search_of_exact_or_deduplicating_channels_refutes(fairness, coins, coalesce):
    bounds = {"coalesce": coalesce, "copies": 1 if coalesce else 4}
    instances = [replace(drawn(seed), **bounds) for seed in range(share(300))]
    answers = against_a_search(instances, fairness, coins)
    # Both answers occur, so that the comparison says something.
    assert answers[Settled, False] > len(instances) / 10
    assert answers[Open, True] > len(instances) / 10


@pytest.mark.parametrize(("fairness", "coins"), WAYS)
def test_nothing_is_settled_that_a_search_with_commands_refutes(fairness, coins):
    instances = [drawn(seed, commanded=True) for seed in range(share(300))]
    answers = against_a_search(instances, fairness, coins)
    assert answers[Settled, False] > len(instances) / 20
    assert answers[Open, True] > len(instances) / 10


# Each rule, on a toy that nothing else settles; and what must stay open.

RECEIVED_ONCE = {("b", 0, 10): ((1, ()),), ("b", 1, None): ((0, ()),)}
"""Message 10 is sent by no node: "b" goes wrong as often as some are in flight at first."""


def test_what_no_node_sends_is_delivered_finitely_often():
    assert isinstance(settled(toy(RECEIVED_ONCE, wrong("b", 1), messages=[("b", 10)])), Settled)
    again = RECEIVED_ONCE | {("a", 0, None): ((0, (("b", 10),)),)}
    assert isinstance(settled(toy(again, wrong("b", 1), messages=[("b", 10)])), Open)


CALLED = {("a", 0, None): ((0, (("b", 10),)),), ("b", 0, 10): ((1, ()),)}
"""The timeouts of "a" call "b", which is right once it has heard."""


def test_what_is_sent_again_and_again_is_delivered():
    assert isinstance(settled(toy(CALLED, wrong("b", 0), locals_=(0,))), Settled)


def test_each_message_of_a_step_is_delivered():
    # "a" hears itself again and again, so that only the message to "b" shows that the step cannot go on.
    both = CALLED | {("a", 0, None): ((0, (("b", 10), ("a", 10))),)}
    assert isinstance(settled(toy(both, wrong("b", 0), locals_=(0,))), Settled)


def test_a_deaf_node_is_called_in_vain():
    deaf = {("a", 0, None): ((0, (("b", 10),)),)}
    found = settled(toy(deaf, wrong("b", 0), locals_=(0,)))
    assert found == Open(
        "as far as local states tell, a fair run may come back to {'a': 0, 'b': 0} while 1 message recurs",
        {"a": 0, "b": 0},
        (("b", 10),),
    )


def test_a_timeout_that_is_due_in_every_state_is_taken():
    assert isinstance(settled(toy(IN_TIME, wrong("a", 1))), Settled)


def test_a_run_that_stops_where_no_timeout_is_due_is_open():
    found = settled(toy({}, wrong("b", 1), locals_=(1,)))
    assert found == Open(
        "as far as local states tell, a fair run may come back to {'a': 1, 'b': 1} while nothing recurs",
        {"a": 1, "b": 1},
    )


def test_every_state_that_remains_must_be_right():
    turning = {("a", 0, None): ((1, ()),), ("a", 1, None): ((0, ()),)}
    assert isinstance(settled(toy(turning, wrong("b", 1), locals_=(0,))), Settled)
    # "b" turns by itself, which the anchor, "a", does not read.
    turning = {("b", 0, None): ((1, ()),), ("b", 1, None): ((0, ()),)}
    assert isinstance(settled(toy(turning, wrong("b", 1), locals_=(0,))), Open)


def test_a_message_in_flight_at_first_is_delivered():
    spoilt = {("b", 0, 10): ((1, ()),)}
    assert isinstance(settled(toy(spoilt, wrong("b", 1), locals_=(0,))), Settled)
    assert isinstance(settled(toy(spoilt, wrong("b", 1), locals_=(0,), messages=[("b", 10)])), Open)


def test_an_idle_timeout_is_not_due():
    assert isinstance(settled(toy({("a", 1, None): ((1, ()),)}, wrong("a", 1))), Open)


def test_a_node_that_is_asleep_has_no_timeout():
    instance = toy({("a", 1, None): ((0, ()),)}, wrong("a", 1))
    assert isinstance(settled(instance), Settled)
    asleep = replace(instance, protocol=instance.protocol.changed(asleep=lambda local: local == 1))
    assert isinstance(settled(asleep), Open)


NOW_AND_THEN = {
    ("a", 0, None): ((0, (("b", 12),)),),
    ("b", 1, 12): ((2, ()),),
    ("b", 2, 12): ((1, ()),),
    ("b", 2, None): ((0, ()),),
}
"""While "a" sends 12 for ever, "b" goes from 1 to 2 and back, and its timeout is due in 2 only."""


@pytest.mark.parametrize(("fairness", "answer"), [(Fairness.WEAK, Open), (Fairness.STRONG, Settled)])
def test_only_strong_fairness_owes_its_turn_to_a_timeout_that_is_due_now_and_then(fairness, answer):
    instance = toy(NOW_AND_THEN, wrong("b", 1, 2), locals_=(0,))
    instance = replace(instance, locals=(instance.locals[0], ("b", "node", OneOf((1,)))))
    assert isinstance(settled(instance, fairness), answer)


TOSSING = {("a", 1, None): ((1, ()), (0, ()))}
"""A coin decides whether "a" stays as it is."""


@pytest.mark.parametrize(("coins", "answer"), [(Coins.TOSSED, Settled), (Coins.ADVERSARY, Open)])
def test_every_result_of_a_tossed_coin_comes_and_an_adversary_may_avoid_one(coins, answer):
    assert isinstance(settled(toy(TOSSING, wrong("a", 1)), coins=coins), answer)


TOSSING_TO_SEND = {("a", 1, None): ((1, ()), (1, (("a", 10),))), ("a", 1, 10): ((0, ()),)}
"""A coin decides whether "a" sends itself the message that puts it right."""


@pytest.mark.parametrize(("coins", "answer"), [(Coins.TOSSED, Settled), (Coins.ADVERSARY, Open)])
def test_a_coin_that_sends_what_is_not_delivered_takes_its_step_away(coins, answer):
    assert isinstance(settled(toy(TOSSING_TO_SEND, wrong("a", 1)), coins=coins), answer)


CALLING = {("a", 0, None): ((0, (("b", 10),)),)}


def test_a_message_that_recurs_must_be_harmless():
    assert isinstance(settled(toy(CALLING, locals_=(0,))), Settled)
    found = settled(toy(CALLING, locals_=(0,), wrong_messages=[(0, "b", 10)]))
    assert isinstance(found, Open)
    assert found.recurring == (("b", 10),)


def test_a_message_that_no_longer_recurs_may_have_been_harmful():
    instance = toy(CALLING, wrong_messages=[(0, "b", 11)], locals_=(0,), messages=[("b", 11)])
    assert isinstance(settled(instance), Settled)


def test_a_message_to_a_node_that_is_asleep_is_harmless():
    instance = toy(CALLING, locals_=(0,), wrong_messages=[(0, "b", 10)])
    instance = replace(instance, locals=(instance.locals[0], ("b", "node", OneOf((2,)))))
    assert isinstance(settled(instance), Open)
    asleep = replace(instance, protocol=instance.protocol.changed(asleep=lambda local: local == 2))
    assert isinstance(settled(asleep), Settled)


def test_a_message_to_a_node_that_is_asleep_now_and_then_must_be_harmless():
    # "b" is woken and put to sleep by the messages of "a", of which 11 is harmful.
    turning = {
        ("a", 0, None): ((0, (("b", 10), ("b", 11))),),
        ("b", 0, 10): ((2, ()),),
        ("b", 2, 10): ((0, ()),),
    }
    instance = toy(turning, locals_=(0,), wrong_messages=[(0, "b", 11)])
    asleep = replace(instance, protocol=instance.protocol.changed(asleep=lambda local: local == 2))
    assert isinstance(settled(asleep), Open)


def test_an_anchor_without_nodes_that_is_at_fault_is_open():
    protocol = tabled({}, mad=("none",)).changed(anchor=lambda states: "none")
    assert isinstance(settled(instance_of(protocol)), Open)


@pytest.mark.parametrize("caught", [Exception, BaseException])
def test_an_anchor_that_catches_exceptions_reads_no_less(caught):
    def anchor(states):
        try:
            return states["b"]
        except caught:  # as an application may
            return 0

    protocol = tabled({}, {(1, "a", 0)}).changed(anchor=anchor)
    assert isinstance(settled(instance_of(protocol, (0, 1))), Open)
    assert isinstance(settled(instance_of(protocol, (0,))), Settled)


def test_an_anchor_that_is_at_fault_is_open():
    assert isinstance(settled(instance_of(tabled({}, mad=(1,)), (0, 1))), Open)
    assert isinstance(settled(instance_of(tabled({}, mad=(1,)), (0,))), Settled)


def test_the_state_that_is_shown_is_one_that_remains():
    # The anchor sees the parity only, so that state 0 stands for state 2.
    protocol = tabled({("a", 0, None): ((2, ()),)}, wrong("b", 1)).changed(share=lambda local: local % 2)
    protocol = protocol.changed(anchor=lambda shares: shares["a"])
    found = settled(instance_of(protocol, (0, 1)))
    assert isinstance(found, Open)
    assert found.states in ({"a": 2, "b": 1}, {"a": 1, "b": 1})


# Where the engine does not apply.


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"discipline": Discipline.FIFO}, "channels are fifo, and local states tell only of unordered ones"),
        ({"discipline": Discipline.ROUNDS}, "channels are rounds, and local states tell only of unordered ones"),
    ],
)
def test_only_unordered_channels_are_settled(changes, why):
    instance = toy(IN_TIME, wrong("a", 1))
    assert settled(replace(instance, protocol=instance.protocol.changed(**changes))) == Open(why)


def test_only_fair_runs_of_one_node_at_a_time_are_settled():
    instance, watch = toy(IN_TIME, wrong("a", 1)), BoundWatch(Bounds())
    assert settle(instance, Question(fairness=Fairness.NONE), watch) == Open("no run is unfair")
    together = Question(scheduler=Scheduler.SYNCHRONOUS)
    assert settle(instance, together, watch) == Open("more than one node may act at once")


def test_local_states_without_end_are_open(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.product.automata.MOST_STEPS", 1_000)
    instance = toy({}, wrong("a", 1))
    actor = replace(instance.protocol.actor, react=lambda me, local, taken, choice: Outcome(local + 1))
    found = settled(replace(instance, protocol=replace(instance.protocol, actor=actor)))
    assert found == Open("there are more than 1,000 steps of single nodes")


def test_a_step_at_fault_that_may_never_be_taken_is_left_to_the_explorer():
    instance = toy(IN_TIME | {("b", 0, 10): ((Ellipsis, (("nowhere", 1),)),)}, wrong("a", 1))
    found = settled(instance)
    assert isinstance(found, Open)
    assert found.why.startswith("a step that may never be taken is at fault: A message is sent to 'nowhere'")


@pytest.mark.parametrize("bounds", [Bounds(seconds=0), Bounds(megabytes=1)])
def test_a_bound_that_is_reached_leaves_it_open(bounds):
    found = settle(toy(IN_TIME, wrong("a", 1)), Question(), BoundWatch(bounds))
    assert isinstance(found, Open)
    assert found.why.startswith("the bound of ")
