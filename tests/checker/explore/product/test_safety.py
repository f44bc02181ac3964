"""Closure and well-formedness for any number of messages: never against an exact search, and each way to lose them."""

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from gomboc.checker.explore.questions.bounds import Bounds
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.questions.target import find_targets
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.model import Offer
from tests.checker.explore.product.toys import known, toy, wrong
from tests.checker.explore.table.protocols import instance_of, stated_instances, tabled
from tests.sampling import share


@settings(max_examples=share(100), deadline=None)
@given(made=stated_instances())
def test_nothing_is_safe_that_a_search_refutes_whatever_is_stated(made):
    found = known(made).safe
    one = replace(made, in_flight=min(1, made.in_flight))
    ways = (replace(one, coalesce=False, copies=3, most=3), replace(one, coalesce=True, copies=1, most=None))
    for way in ways:
        for finding in examine(way, Question(bounds=Bounds(most_states=share(20_000)))).findings:
            assert finding.promise not in found or not isinstance(finding.verdict, Violated)


def commanded(command, budget):
    """A toy in which such a command to "b" leads to a fault; numbers are quiet."""
    instance = toy({("b", 0, command): ((1, ()),)}, wrong("b", 1), budget=(("once", 1),))
    offers = (Offer("b", command, budget),)
    return replace(instance, protocol=instance.protocol.changed(quiet=(int,), offers=lambda *of_any: offers))


B_FAILS, B_HEALS = {("b", 0, None): ((1, ()),)}, {("b", 1, None): ((0, ()),)}
SPOILT, TURNING = {("b", 0, 10): ((1, ()),)}, {("a", 0, None): ((1, ()),)}
CALLING = {("a", 0, None): ((0, (("b", 11),)),)}
SENT = {"messages": [("b", 10)]}
HARMFUL = SENT | {"wrong_messages": {(anchor, "b", 10) for anchor in (0, 1, 2)}}
ASLEEP = {"locals_": (0, 2), "asleep": 2}


def waking(state):
    """The message by which "b", that is asleep, comes to a state."""
    return {("b", 2, 10): ((state, ()),)}


CLOSED = {
    "a timeout that leads away from a fault": toy(B_HEALS, wrong("b", 1)),
    "a harmful message that leads to a fault": toy(SPOILT, wrong("b", 1), **HARMFUL),
    "a harmless message that is sent": toy(CALLING, locals_=(0,)),
    "an anchor that changes": toy(TURNING),
    "a node that stays asleep": toy(waking(2), **ASLEEP, **HARMFUL),
    "a loud command to a fault": commanded("loud", ""),
    "a loud command to a fault, once": commanded("loud", "once"),
}
NOT_CLOSED = {
    "a timeout that leads to a fault": toy(B_FAILS, wrong("b", 1)),
    "a harmless message that leads to a fault": toy(SPOILT, wrong("b", 1), **SENT),
    "a harmful message that is sent": toy(CALLING, wrong_messages={(0, "b", 11)}, locals_=(0,)),
    "an anchor that puts others in the wrong": toy(TURNING, {(1, "b", 0)}),
    "an anchor under which a message is harmful": toy(TURNING, wrong_messages={(1, "b", 10)}, **SENT),
    "one result of a coin": toy({("b", 0, None): ((0, (("a", 10),)), (1, ()))}, wrong("b", 1)),
    "a node that is woken to a fault": toy(waking(1), wrong("b", 1), **ASLEEP, **HARMFUL),
    "a node that is right once it is awake, when a second copy is harmful": toy(waking(0), **ASLEEP, **HARMFUL),
    "a quiet command to a fault": commanded(77, ""),
    "a quiet command to a fault, once": commanded(77, "once"),
    "nothing that is legitimate": toy(B_FAILS, wrong("b", 0, 1)),
}


@pytest.mark.parametrize("step", [*CLOSED, *NOT_CLOSED])
def test_closure_is_safe_if_no_step_leaves_what_is_legitimate(step):
    assert ("closure" in known((CLOSED | NOT_CLOSED)[step]).safe) == (step in CLOSED)


def test_closure_is_not_a_matter_of_fairness():
    assert "closure" in known(toy(B_HEALS, wrong("b", 1)), Question(fairness=Fairness.NONE)).safe


NAMED = tabled({}).changed(named=lambda value: ("nowhere",) if value == 1 else ("a",))


@pytest.mark.parametrize(
    ("instance", "formed"),
    [
        (instance_of(tabled({}, malformed=(3,))), True),
        (instance_of(tabled({("a", 0, None): ((3, ()),)}, malformed=(3,))), False),
        (instance_of(tabled({("a", 0, None): ((0, (("b", 10),)),)}, malformed=(10,))), False),
        (instance_of(NAMED), True),
        (instance_of(NAMED, (0, 1)), False),
    ],
)
def test_a_malformed_value_or_one_that_names_no_node_may_occur(instance, formed):
    assert ("canonical" in known(instance).safe) is formed


def test_a_rule_that_breaks_closure_is_noticed():
    (target,) = find_targets("skip_ring", "two")
    react = target.model.protocol.actor.react

    def forgetful(me, local, taken, choice):
        outcome = react(me, local, taken, choice)
        return outcome if me == "supervisor" else replace(outcome, local=replace(outcome.local, ring=None))

    assert "closure" not in known(replace(target.model, protocol=target.model.protocol.changed(react=forgetful))).safe
