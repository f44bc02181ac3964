"""Closure and well-formedness for any number of messages: never against an exact search, and each way to lose them."""

from collections import Counter

from hypothesis import given, settings
from msgspec.structs import replace

from gomboc.checker.explore.product.settle import answers
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.questions.target import find_targets
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.core.model import Offer
from tests.checker.explore.product.drawn import drawn
from tests.checker.explore.table.protocols import instance_of, stated_instances, tabled
from tests.sampling import share


def safe(instance):
    return answers(instance, Question(), BoundWatch(Bounds())).safe


def toy(reactions, wrong_locals=(), wrong_messages=(), locals_=(0, 1), messages=(), **more):
    return instance_of(tabled(reactions, wrong_locals, wrong_messages), locals_, messages, len(messages), **more)


def wrong(node, *states):
    """These states of a node are at fault, whatever the authority "a" is in."""
    return {(anchor, node, state) for anchor in range(3) for state in states}


def test_nothing_is_safe_that_a_search_refutes():
    asked = Counter()
    for seed in range(share(600)):
        instance = drawn(seed, commanded=bool(seed % 2))
        instance = replace(instance, protocol=instance.protocol.changed(malformed=malformed(seed)))
        found = safe(instance)
        for one in examine(instance, Question(bounds=Bounds(most_states=20_000))).findings:
            if one.promise in ("closure", "canonical"):
                refuted = isinstance(one.verdict, Violated)
                asked[one.promise, one.promise in found, refuted] += 1
                assert not (one.promise in found and refuted), seed
    for promise in ("closure", "canonical"):
        assert asked[promise, True, False] > share(600) / 20
        assert asked[promise, False, True] > share(600) / 20


def malformed(seed):
    """Of some protocols, the state 3 or the message 12 is malformed."""
    return lambda value: ("malformed",) if value in ((), (3,), (12,))[seed % 3] else ()


@settings(max_examples=share(100), deadline=None)
@given(made=stated_instances())
def test_nothing_is_safe_that_a_search_refutes_whatever_is_stated(made):
    found = safe(made)
    one = replace(made, in_flight=min(1, made.in_flight))
    ways = (replace(one, coalesce=False, copies=3, most=3), replace(one, coalesce=True, copies=1, most=None))
    for way in ways:
        for finding in examine(way, Question(bounds=Bounds(most_states=20_000))).findings:
            assert finding.promise not in found or not isinstance(finding.verdict, Violated)


# Closure.


def test_a_timeout_that_leads_to_a_fault_ends_it():
    assert "closure" not in safe(toy({("b", 0, None): ((1, ()),)}, wrong("b", 1)))
    assert "closure" in safe(toy({("b", 1, None): ((0, ()),)}, wrong("b", 1)))


def test_a_harmless_message_may_end_it_and_a_harmful_one_may_not():
    spoilt = {("b", 0, 10): ((1, ()),)}
    assert "closure" not in safe(toy(spoilt, wrong("b", 1), messages=[("b", 10)]))
    harmful = {(anchor, "b", 10) for anchor in range(2)}
    assert "closure" in safe(toy(spoilt, wrong("b", 1), harmful, messages=[("b", 10)]))


def test_a_harmful_message_that_is_sent_ends_it():
    calling = {("a", 0, None): ((0, (("b", 11),)),)}
    assert "closure" not in safe(toy(calling, wrong_messages={(0, "b", 11)}, locals_=(0,)))
    assert "closure" in safe(toy(calling, locals_=(0,)))


def test_an_anchor_that_changes_may_put_others_in_the_wrong():
    turning = {("a", 0, None): ((1, ()),)}
    assert "closure" not in safe(toy(turning, {(1, "b", 0)}))
    assert "closure" in safe(toy(turning))
    # A message that is harmless under one authority need not be so under the next.
    assert "closure" not in safe(toy(turning, wrong_messages={(1, "b", 10)}, messages=[("b", 10)]))


def test_one_result_of_a_coin_ends_it():
    assert "closure" not in safe(toy({("b", 0, None): ((0, (("a", 10),)), (1, ()))}, wrong("b", 1)))


def sleeping(reactions, **more):
    instance = toy(reactions, locals_=(0, 2), **more)
    return replace(instance, protocol=instance.protocol.changed(asleep=lambda local: local == 2))


def test_a_harmful_message_wakes_a_node_that_is_asleep():
    harmful = {(anchor, "b", 10) for anchor in (0, 2)}
    wakes = {("b", 2, 10): ((1, ()),)}
    spoilt = {"wrong_locals": wrong("b", 1), "wrong_messages": harmful, "messages": [("b", 10)]}
    assert "closure" not in safe(sleeping(wakes, **spoilt))
    # It is right once it is awake, and a second copy is harmful then.
    assert "closure" not in safe(sleeping({("b", 2, 10): ((0, ()),)}, wrong_messages=harmful, messages=[("b", 10)]))
    assert "closure" in safe(sleeping({("b", 2, 10): ((2, ()),)}, wrong_messages=harmful, messages=[("b", 10)]))


def test_only_a_quiet_command_may_not_end_it():
    spoilt = {("b", 0, command): ((1, ()),) for command in ("loud", 77)}
    instance = toy(spoilt, wrong("b", 1), budget=(("once", 1),))
    for command, closed in (("loud", True), (77, False)):
        for budget in ("", "once"):
            offers = (Offer("b", command, budget),)
            changes = {"quiet": (int,), "offers": lambda states, in_flight, offers=offers: offers}
            protocol = instance.protocol.changed(**changes)
            assert ("closure" in safe(replace(instance, protocol=protocol))) is closed


def test_where_nothing_is_legitimate_closure_would_be_about_nothing():
    assert "closure" not in safe(toy({("b", 0, None): ((1, ()),)}, wrong("b", 0, 1)))


def test_closure_is_not_a_matter_of_fairness():
    instance = toy({("b", 1, None): ((0, ()),)}, wrong("b", 1))
    assert "closure" in answers(instance, Question(fairness=Fairness.NONE), BoundWatch(Bounds())).safe


# Well-formedness.


def test_a_malformed_state_or_message_may_occur():
    assert "canonical" in safe(instance_of(tabled({}, malformed=(3,))))
    assert "canonical" not in safe(instance_of(tabled({("a", 0, None): ((3, ()),)}, malformed=(3,))))
    assert "canonical" not in safe(instance_of(tabled({("a", 0, None): ((0, (("b", 10),)),)}, malformed=(10,))))


def test_a_state_that_names_no_node_of_the_instance_may_occur():
    named = tabled({}).changed(named=lambda value: ("nowhere",) if value == 1 else ("a",))
    assert "canonical" in safe(instance_of(named))
    assert "canonical" not in safe(instance_of(named, (0, 1)))


def test_models_of_the_papers_are_closed_and_well_formed():
    for protocol, names in (("skip_ring", ("two_false_label", "two_crash_suspect")), ("chord", ("four_that_meet",))):
        for name in names:
            (target,) = find_targets(protocol, name)
            assert safe(target.model) == {"closure", "canonical"}


def test_a_rule_that_breaks_closure_is_noticed():
    (target,) = find_targets("skip_ring", "two")
    react = target.model.protocol.actor.react
    forgetful = target.model.protocol.changed(
        react=lambda me, local, taken, choice: (
            react(me, local, taken, choice)
            if me == "supervisor"
            else replace(outcome := react(me, local, taken, choice), local=replace(outcome.local, ring=None))
        )
    )
    assert "closure" not in safe(replace(target.model, protocol=forgetful))
