import pytest

from gomboc.spec.core.channels import Envelope
from gomboc.spec.core.network import begin
from gomboc.spec.core.protocol import Discipline
from gomboc.spec.failures import Failed, Failure, fail, possible, with_budget
from tests.toys.coins.spec import start

HEADS = Envelope("a", "heads")


def world_with(budget, *in_flight):
    return with_budget(begin(start(*in_flight), Discipline.UNORDERED), budget)


def everything(times):
    return dict.fromkeys(Failure, times)


def test_without_a_budget_nothing_can_fail():
    assert possible(world_with({}, ("a", "heads")), [("x",)], ["tails"]) == ()
    assert possible(world_with(everything(0), ("a", "heads")), [("x",)], ["tails"]) == ()


def test_every_failure_within_the_budget_is_possible():
    world = world_with(everything(1), ("a", "heads"), ("a", "heads"))
    assert possible(world, [("x",)], ["tails"]) == (
        Failed(Failure.LOSS, envelope=HEADS),
        Failed(Failure.DUPLICATION, envelope=HEADS),
        Failed(Failure.CORRUPT_STATE, "a", value=("x",)),
        Failed(Failure.CORRUPT_STATE, "b", value=("x",)),
        Failed(Failure.CORRUPT_MESSAGE, envelope=HEADS, value="tails"),
    )


@pytest.mark.parametrize("kind", Failure)
def test_a_failure_is_taken_off_its_own_budget_alone(kind):
    world = world_with(everything(2), ("a", "heads"))
    (failed, *_) = (one for one in possible(world, [("x",)], ["tails"]) if one.kind is kind)
    before, after = dict(world.budget), dict(fail(world, failed).budget)
    assert after == {**before, kind.value: before[kind.value] - 1}


@pytest.mark.parametrize("kind", Failure)
def test_a_spent_budget_allows_no_further_failure(kind):
    others = {other: 1 for other in Failure if other is not kind}
    with pytest.raises(ValueError, match=f"the budget allows no further {kind.value}"):
        fail(world_with(others, ("a", "heads")), Failed(kind, "a"))


def test_a_budget_of_something_else_than_failures_allows_none():
    world = begin(start(("a", "heads")), Discipline.UNORDERED, (("crash", 1),))
    assert possible(world, [("x",)], ["tails"]) == ()


@pytest.mark.parametrize(
    ("failed", "left"),
    [
        (Failed(Failure.LOSS, envelope=HEADS), ["heads"]),
        (Failed(Failure.DUPLICATION, envelope=HEADS), ["heads", "heads", "heads"]),
        (Failed(Failure.CORRUPT_MESSAGE, envelope=HEADS, value="tails"), ["heads", "tails"]),
    ],
)
def test_a_failure_of_a_message_changes_one_copy(failed, left):
    world = fail(world_with(everything(1), ("a", "heads"), ("a", "heads")), failed)
    assert [envelope.message for envelope in world.channels.in_flight] == left


def test_corruption_puts_any_state_into_one_node():
    world = fail(world_with(everything(1)), Failed(Failure.CORRUPT_STATE, "b", value=("x",)))
    assert world.states() == {"a": (), "b": ("x",)}


def test_a_failure_leaves_the_world_it_came_from_as_it_was():
    world = world_with(everything(1), ("a", "heads"))
    for failed in possible(world, [("x",)], ["tails"]):
        fail(world, failed)
    assert world == world_with(everything(1), ("a", "heads"))
