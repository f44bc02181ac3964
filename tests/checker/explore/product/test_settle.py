"""Convergence, closure and well-formedness by local states: never against an exact search, and each rule on toys."""

from collections import Counter
from itertools import product

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.product.automata import automata
from gomboc.checker.explore.product.settle import Open, Settled, convergence
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.table.legitimacy import LegitimacyJudge
from gomboc.checker.explore.table.matrix import matrix
from gomboc.checker.explore.table.search import search
from gomboc.checker.explore.table.verdict.judge import ColumnsJudge
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.model import Outcome
from gomboc.spec.core.network import promises_of
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.product.drawn import drawn
from tests.checker.explore.product.toys import IN_TIME, known, settled, toy, wrong
from tests.checker.explore.table.protocols import instance_of, tabled
from tests.sampling import share

# Against an exact search.

WAYS = [
    Question(fairness=fairness, coins=coins) for fairness, coins in product((Fairness.WEAK, Fairness.STRONG), Coins)
]
SAFETY = ("closure", "canonical")


def malformed(seed):
    """Of some protocols, the state 3 or the message 12 is malformed."""
    return lambda value: ("malformed",) if value in ((), (3,), (12,))[seed % 3] else ()


def compared(instance):
    """For each promise and question, whether it is said to hold, and whether a search violates it."""
    watch = BoundWatch(Bounds(most_states=20_000))
    built, made = matrix(search(instance, watch), watch), automata(instance, watch)
    safe, judge = known(instance).safe, LegitimacyJudge(made.tables)
    for question in WAYS:
        found = (
            ColumnsJudge(built, question, watch).exploration("table", "drawn", promises_of(instance.protocol)).findings
        )
        violated = {finding.promise for finding in found if isinstance(finding.verdict, Violated)}
        holds = isinstance(convergence(made, judge, question, watch), Settled)
        yield ("convergence", question), holds, "convergence" in violated
    yield from ((promise, promise in safe, promise in violated) for promise in SAFETY)


@pytest.mark.parametrize(
    ("commanded", "channels"),
    [(False, {"coalesce": False, "copies": 4}), (False, {"coalesce": True, "copies": 1}), (True, {})],
    ids=["exact", "deduplicating", "commanded"],
)
def test_nothing_is_settled_that_a_search_refutes(commanded, channels):
    said, seeds = Counter(), share(300)
    for seed in range(seeds):
        instance = replace(drawn(seed, commanded), **channels)
        instance = replace(instance, protocol=instance.protocol.changed(malformed=malformed(seed)))
        for claim, holds, violated in compared(instance):
            said[claim, holds, violated] += 1
            assert not (holds and violated), (seed, claim)
    # Both answers occur, so that the comparison says something.
    for claim in (*(("convergence", question) for question in WAYS), *SAFETY):
        least = seeds / 20 if claim in SAFETY else seeds / 10
        assert said[claim, True, False] > (seeds / 20 if commanded else least), claim
        assert said[claim, False, True] > least, claim


# Each rule of convergence, on a toy that nothing else settles; and what must stay open.

RECEIVED_ONCE = {("b", 0, 10): ((1, ()),), ("b", 1, None): ((0, ()),)}
"""Message 10 is sent by no node: "b" goes wrong as often as some are in flight at first."""

CALLING = {("a", 0, None): ((0, (("b", 10),)),)}
CALLED = CALLING | {("b", 0, 10): ((1, ()),)}
"""The timeouts of "a" call "b", which is right once it has heard."""

BOTH_CALLED = CALLED | {("a", 0, None): ((0, (("b", 10), ("a", 10))),)}
"""The same, and "a" hears itself again and again, so that only the message to "b" shows that the step cannot go on."""

TURNING = {("a", 0, None): ((1, ()),), ("a", 1, None): ((0, ()),)}
B_TURNS = {("b", 0, None): ((1, ()),), ("b", 1, None): ((0, ()),)}
"""By itself, which the anchor, "a", does not read."""

SPOILT = {("b", 0, 10): ((1, ()),)}
PUT_RIGHT = {("a", 1, None): ((0, ()),)}

NOW_AND_THEN = {
    ("a", 0, None): ((0, (("b", 12),)),),
    ("b", 1, 12): ((2, ()),),
    ("b", 2, 12): ((1, ()),),
    ("b", 2, None): ((0, ()),),
}
"""While "a" sends 12 for ever, "b" goes from 1 to 2 and back, and its timeout is due in 2 only."""

TOSSING = {("a", 1, None): ((1, ()), (0, ()))}
"""A coin decides whether "a" stays as it is."""

TOSSING_TO_SEND = {("a", 1, None): ((1, ()), (1, (("a", 10),))), ("a", 1, 10): ((0, ()),)}
"""A coin decides whether "a" sends itself the message that puts it right."""

WOKEN = {("a", 0, None): ((0, (("b", 10), ("b", 11))),), ("b", 0, 10): ((2, ()),), ("b", 2, 10): ((0, ()),)}
"""The messages of "a" wake "b" and put it to sleep."""

ALONE = {"locals_": (0,)}
SENT = {"messages": [("b", 10)]}
HARMFUL = {"wrong_messages": [(0, "b", 10)]}

RULES = {
    "what no node sends is delivered finitely often": (toy(RECEIVED_ONCE, wrong("b", 1), **SENT), Settled),
    "what a node sends is delivered again and again": (toy(RECEIVED_ONCE | CALLING, wrong("b", 1), **SENT), Open),
    "what is sent again and again is delivered": (toy(CALLED, wrong("b", 0), **ALONE), Settled),
    "each message of a step is delivered": (toy(BOTH_CALLED, wrong("b", 0), **ALONE), Settled),
    "a timeout that is due in every state is taken": (toy(IN_TIME, wrong("a", 1)), Settled),
    "every state that remains is right": (toy(TURNING, wrong("b", 1), **ALONE), Settled),
    "some state that remains is wrong": (toy(B_TURNS, wrong("b", 1), **ALONE), Open),
    "a message that is never in flight is not delivered": (toy(SPOILT, wrong("b", 1), **ALONE), Settled),
    "a message in flight at first is delivered": (toy(SPOILT, wrong("b", 1), **ALONE, **SENT), Open),
    "an idle timeout is not due": (toy({("a", 1, None): ((1, ()),)}, wrong("a", 1)), Open),
    "a node that is awake has a timeout": (toy(PUT_RIGHT, wrong("a", 1)), Settled),
    "a node that is asleep has no timeout": (toy(PUT_RIGHT, wrong("a", 1), asleep=1), Open),
    "a harmless message may recur": (toy(CALLING, **ALONE), Settled),
    "a message that no longer recurs may have been harmful": (
        toy(CALLING, wrong_messages=[(0, "b", 11)], messages=[("b", 11)], **ALONE),
        Settled,
    ),
    "a harmful message to a node that is awake": (toy(CALLING, b=2, **ALONE, **HARMFUL), Open),
    "a message to a node that is asleep is harmless": (toy(CALLING, b=2, asleep=2, **ALONE, **HARMFUL), Settled),
    "a message to a node that is asleep now and then must be harmless": (
        toy(WOKEN, wrong_messages=[(0, "b", 11)], asleep=2, **ALONE),
        Open,
    ),
    "an anchor without nodes is at fault": (
        instance_of(tabled({}, mad=("none",)).changed(anchor=lambda states: "none")),
        Open,
    ),
    "an anchor may be at fault": (instance_of(tabled({}, mad=(1,)), (0, 1)), Open),
    "an anchor is never at fault": (instance_of(tabled({}, mad=(1,)), (0,)), Settled),
}
"""For each claim, an instance and whether its convergence is settled."""


@pytest.mark.parametrize("claim", RULES)
def test_a_rule_settles_convergence_where_it_applies_and_only_there(claim):
    instance, answer = RULES[claim]
    assert isinstance(settled(instance), answer)


TURNS = toy(NOW_AND_THEN, wrong("b", 1, 2), b=1, **ALONE)


@pytest.mark.parametrize(
    ("instance", "question", "answer"),
    [
        (TURNS, {"fairness": Fairness.WEAK}, Open),
        (TURNS, {"fairness": Fairness.STRONG}, Settled),
        *(
            (toy(table, wrong("a", 1)), {"coins": coins}, answer)
            for table in (TOSSING, TOSSING_TO_SEND)
            for coins, answer in ((Coins.TOSSED, Settled), (Coins.ADVERSARY, Open))
        ),
    ],
)
def test_strong_fairness_and_tossed_coins_owe_more_than_weak_fairness_and_an_adversary(instance, question, answer):
    assert isinstance(settled(instance, **question), answer)


def test_what_is_open_shows_the_states_and_messages_that_may_recur():
    found = settled(toy(CALLING, wrong("b", 0), locals_=(0,)))
    why = "as far as local states tell, a fair run may come back to {'a': 0, 'b': 0} while 1 message recurs"
    assert found == Open(why, {"a": 0, "b": 0}, (("b", 10),)), '"b" is deaf'
    found = settled(toy({}, wrong("b", 1), locals_=(1,)))
    why = "as far as local states tell, a fair run may come back to {'a': 1, 'b': 1} while nothing recurs"
    assert found == Open(why, {"a": 1, "b": 1})
    assert settled(toy(CALLING, **ALONE, **HARMFUL)).recurring == (("b", 10),)


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


def test_the_state_that_is_shown_is_one_that_remains():
    # The anchor sees the parity only, so that state 0 stands for state 2.
    protocol = tabled({("a", 0, None): ((2, ()),)}, wrong("b", 1)).changed(share=lambda local: local % 2)
    found = settled(instance_of(protocol.changed(anchor=lambda shares: shares["a"]), (0, 1)))
    assert isinstance(found, Open)
    assert found.states in ({"a": 2, "b": 1}, {"a": 1, "b": 1})


# Where the engine does not apply.


@pytest.mark.parametrize(
    ("changes", "question", "why"),
    [
        ({"discipline": Discipline.FIFO}, {}, "channels are fifo, and local states tell only of unordered ones"),
        ({"discipline": Discipline.ROUNDS}, {}, "channels are rounds, and local states tell only of unordered ones"),
        ({}, {"fairness": Fairness.NONE}, "no run is unfair"),
        ({}, {"scheduler": Scheduler.SYNCHRONOUS}, "more than one node may act at once"),
        (
            {"react": lambda me, local, taken, choice: Outcome(local + 1)},
            {},
            "there are more than 1,000 steps of single nodes",
        ),
    ],
)
def test_only_fair_runs_in_unordered_channels_with_finitely_many_local_states_are_settled(
    monkeypatch, changes, question, why
):
    monkeypatch.setattr("gomboc.checker.explore.product.automata.MOST_STEPS", 1_000)
    instance = toy(IN_TIME, wrong("a", 1))
    instance = replace(instance, protocol=instance.protocol.changed(**changes))
    assert known(instance, Question(**question)).convergence == Open(why)


def test_a_step_at_fault_that_may_never_be_taken_is_left_to_the_explorer():
    instance = toy(IN_TIME | {("b", 0, 10): ((Ellipsis, (("nowhere", 1),)),)}, wrong("a", 1))
    found = settled(instance)
    assert isinstance(found, Open)
    assert found.why.startswith("a step that may never be taken is at fault: A message is sent to 'nowhere'")


@pytest.mark.parametrize("bounds", [Bounds(seconds=0), Bounds(megabytes=1)])
def test_a_bound_that_is_reached_leaves_it_open(bounds):
    found = known(toy(IN_TIME, wrong("a", 1)), bounds=bounds).convergence
    assert isinstance(found, Open)
    assert found.why.startswith("the bound of ")
