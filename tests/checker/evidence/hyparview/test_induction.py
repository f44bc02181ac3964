"""The induction of closure: a step is right only if every message that was right still is."""

from gomboc.checker.evidence.hyparview.experiments.induction import right_after
from gomboc.spec.protocols.hyparview.state import Node

LINKED, ALONE = Node("inside", ("b",)), Node("inside")
BEFORE, AFTER = (("a", LINKED),), (("a", ALONE),)
MESSAGE = ("a", "a message")


def test_a_step_after_which_a_message_in_flight_is_no_longer_right_is_not_right():
    assert right_after({BEFORE: frozenset({MESSAGE}), AFTER: frozenset()}, BEFORE, "a", ALONE) is None


def test_a_step_to_a_state_that_is_not_right_is_not_right():
    assert right_after({BEFORE: frozenset()}, BEFORE, "a", ALONE) is None


def test_after_another_step_what_is_right_then_may_be_sent():
    right = {BEFORE: frozenset(), AFTER: frozenset({MESSAGE})}
    assert right_after(right, BEFORE, "a", ALONE) == {MESSAGE}
    assert right_after(right, BEFORE, "a", LINKED) == frozenset()
