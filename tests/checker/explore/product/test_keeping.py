"""Closure and well-formed values for any number of messages: never against a search, and each condition on a toy."""

from collections import Counter

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.product import keeping
from gomboc.checker.explore.product.keeping import kept_promises, with_kept_promises
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch, silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.schedulers import Scheduler
from gomboc.checker.explore.questions.target import find_targets
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.explore.verdicts import ALWAYS, STABLE
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import Offer
from gomboc.spec.core.network import promises_of
from gomboc.spec.core.protocol import Discipline
from tests.checker.explore.product.drawn import drawn
from tests.checker.explore.table.protocols import fault, instance_of, stated_instances, tabled
from tests.sampling import share


def kept(instance: Instance, **question):
    return set(kept_promises(instance, Question(**question), BoundWatch(Bounds())))


def wrong(node, *states):
    """These states of a node are at fault, whatever the authority "a" is in."""
    return {(anchor, node, state) for anchor in range(3) for state in states}


# Against a search.


def violated(instance):
    """The promises that a search of exact, or of deduplicating channels finds violated."""
    ways = (replace(instance, coalesce=False, copies=3, most=3), replace(instance, coalesce=True, copies=1, most=None))
    found = (examine(way, Question(bounds=Bounds(most_states=20_000))).findings for way in ways)
    return {one.promise for findings in found for one in findings if isinstance(one.verdict, Violated)}


def test_nothing_is_kept_that_a_search_refutes():
    answers = Counter()
    for seed in range(share(600)):
        instance = drawn(seed)
        both = "closure" in kept(instance), "closure" in violated(instance)
        answers[both] += 1
        assert both != (True, True), seed
    assert answers[True, False] > sum(answers.values()) / 20
    assert answers[False, True] > sum(answers.values()) / 20


@settings(max_examples=share(100), deadline=None)
@given(made=stated_instances())
def test_nothing_is_kept_that_a_search_refutes_whatever_is_stated(made):
    assert not kept(made) & violated(replace(made, in_flight=min(1, made.in_flight)))


# Each condition, on a toy.

CALLS = {("a", 0, None): ((0, (("b", 10),)),)}
"""The timeouts of "a" call "b"."""


@pytest.mark.parametrize(
    ("more", "wrong_locals", "wrong_messages", "is_kept"),
    [
        ({}, (), (), True),
        ({("b", 0, 10): ((1, ()),)}, (), (), True),
        ({("b", 0, 10): ((1, ()),)}, wrong("b", 1), (), False),
        ({("b", 0, 10): ((0, ()), (1, ()))}, wrong("b", 1), (), False),
        ({("b", 0, 10): ((1, ()),)}, wrong("b", 1), {(0, "b", 10)}, False),
        ({("b", 0, None): ((1, ()),)}, wrong("b", 0), (), True),
        ({("b", 0, 10): ((0, (("a", 11),)),)}, (), {(0, "a", 11)}, False),
        ({("b", 0, 11): ((1, ()),)}, wrong("b", 1), (), True),
        ({("a", 0, 10): ((1, ()),)}, (), (), True),
        ({("a", 0, None): ((1, ()),)}, (), (), False),
    ],
    ids=[
        "nothing happens",
        "a right step",
        "a wrong step",
        "a wrong result of a coin",
        "a wrong message is sent",
        "only a wrong state does a step",
        "a wrong reply",
        "a message that never occurs",
        "a message that never occurs changes the anchor",
        "the anchor changes",
    ],
)
def test_closure_is_kept_if_no_step_of_a_node_ends_it(more, wrong_locals, wrong_messages, is_kept):
    made = instance_of(tabled(CALLS | more, wrong_locals, wrong_messages), most=1)
    assert ("closure" in kept(made)) == is_kept
    assert not is_kept or "closure" not in violated(made)


def test_a_node_that_is_asleep_takes_any_message_and_must_not_wake_by_it():
    wakes = {("b", 1, 10): ((0, ()),)}
    for asleep, is_kept in ((1, False), (2, True)):
        protocol = tabled(CALLS | wakes, (), {(0, "b", 10)}).changed(
            asleep=lambda local, asleep=asleep: local == asleep, anchor_faults=lambda anchor: ()
        )
        silent_ = protocol.changed(
            react=lambda me, local, taken, choice: tabled(wakes).actor.react(me, local, taken, choice)
        )
        made = instance_of(silent_, locals_=(0, 1), messages=(("b", 10),), in_flight=1)
        assert ("closure" in kept(made)) == is_kept
        assert not is_kept or "closure" not in violated(made)


@pytest.mark.parametrize("value", [0, 1, 10, 11])
def test_values_are_well_formed_if_all_that_occur_are(value):
    made = instance_of(tabled(CALLS | {("b", 0, 10): ((1, ()),)}, malformed={value}), most=1)
    assert ("canonical" in kept(made)) == (value == 11), "11 does not occur"


def test_a_name_of_no_node_is_not_well_formed():
    named = tabled(CALLS).changed(named=lambda value: ("c",) if value == 10 else ())
    assert "canonical" not in kept(instance_of(named))


# What is not one for single nodes.


def test_nothing_is_kept_where_order_rounds_or_many_at_once_matter():
    made = instance_of(tabled(CALLS))
    assert kept(made) == {"closure", "canonical"}
    for discipline in (Discipline.FIFO, Discipline.ROUNDS):
        assert not kept(replace(made, protocol=replace(made.protocol, discipline=discipline)))
    assert not kept(made, scheduler=Scheduler.DISTRIBUTED)
    reading = made.protocol.changed(offers=lambda states, in_flight: (Offer("a", "x", ""),) if in_flight else ())
    assert not kept(replace(made, protocol=reading)), "commands depend on the messages in flight"


@pytest.mark.parametrize(("command", "is_kept"), [("loud", True), (77, False)])
def test_a_quiet_command_must_keep_closure_and_any_command_well_formed_values(command, is_kept):
    """Numbers are quiet."""
    protocol = tabled(CALLS | {("b", 0, command): ((1, ()),)}, wrong("b", 1))
    offering = protocol.changed(offers=lambda states, in_flight: (Offer("b", command, ""),), quiet=(int,))
    assert ("closure" in kept(instance_of(offering.changed(quiet=(int,) if command == 77 else ())))) == is_kept
    formed = offering.changed(malformed=lambda value: fault(value) if value == 1 else ())
    assert "canonical" not in kept(instance_of(formed))


def test_more_anchors_than_are_looked_at_or_a_bound_leave_it_open(monkeypatch):
    made = instance_of(tabled(CALLS), locals_=(0, 1))
    monkeypatch.setattr(keeping, "MOST_ANCHORS", 1)
    assert kept(made) == {"canonical"}
    assert not kept_promises(made, Question(), BoundWatch(Bounds(seconds=0)))


def test_a_step_that_is_at_fault_and_may_never_be_taken_is_left_to_the_explorer():
    def react(me, local, taken, choice):
        if taken != tabled({}).vocabulary and getattr(taken, "message", None) == 10:
            raise ValueError("never")
        return tabled(CALLS).actor.react(me, local, taken, choice)

    assert not kept(instance_of(tabled(CALLS).changed(react=react)))


# The findings.

INSTANCE = instance_of(tabled({("a", 0, None): ((0, (("b", 10), ("b", 11))),)}), most=1)
EXTENT = "any number of messages in flight; 3 steps of single nodes"
"""A timeout and two deliveries."""


def test_what_is_kept_holds_although_a_bound_left_it_unknown():
    findings = {one.promise: one for one in explore(INSTANCE, "auto", Question(), silent).findings}
    assert findings["closure"] == Finding("closure", f"{STABLE} (central scheduler)", Holds(EXTENT))
    assert findings["canonical"] == Finding("canonical", f"{ALWAYS} (central scheduler)", Holds(EXTENT))
    table = {one.promise: one.verdict for one in explore(INSTANCE, "table", Question(), silent).findings}
    assert isinstance(table["closure"], Unknown), "an engine that is asked for by name answers alone"


def test_a_violation_that_was_found_stays_and_what_was_not_judged_is_kept():
    violation = Finding("closure", STABLE, Violated(1, "closure", "it ends"))
    unjudged = Finding("canonical", "always (central scheduler)", Unknown("too wide"))
    other = Finding("adds_up", ALWAYS, Unknown("too wide"))
    exploration = Exploration("tabled", "central", "table", Extent(1, 1, 1, 1), 0, 0.0, (violation, unjudged, other))
    promises = promises_of(INSTANCE.protocol)
    whole = with_kept_promises(exploration, promises, dict.fromkeys(("closure", "canonical"), EXTENT))
    assert whole.findings == (violation, Finding("canonical", f"{ALWAYS} (central scheduler)", Holds(EXTENT)), other)


@pytest.mark.parametrize("name", ["two_hearsay", "printed_linearize", "three"])
def test_the_skip_ring_keeps_both_with_any_number_of_messages(name):
    (target,) = find_targets("skip_ring", name)
    assert kept(target.model) == {"closure", "canonical"}


def test_what_disturbs_closure_is_noticed():
    made = instance_of(tabled(CALLS).changed(message_faults=lambda anchor, target, sent: fault(sent)))
    assert kept(made) == {"canonical"}
