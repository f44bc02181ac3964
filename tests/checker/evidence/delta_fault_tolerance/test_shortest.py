"""Runs that are called the smallest counterexamples: no run of fewer steps is wrong, in any order of acts."""

import pytest

from gomboc.checker.errata.registry import find_claims
from gomboc.checker.evidence.delta_fault_tolerance.experiments.shortest import acts, model, wrong_by
from gomboc.spec.core.instance import bounded_model

# With the claims: the runs are theirs, too.
pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]

PROMISES = {
    "inverted_duplicates": "no_loss",
    "on_confirmation": "publisher_order",
    "counts_from_zero": "no_loss",
    "forgets_its_client": "no_loss",
}
"""The promise that a run of the variant breaks; a run of any other one comes to rest, and is not right."""

FEWER = "Every run of this small system with fewer steps, under every schedule."

SMALLEST = {claim.name: claim.scenes[0].variant for claim in find_claims("delta_fault_tolerance") if claim.searched}


def layers(instance, steps):
    """The worlds of a small system that it reaches in 0, 1, 2 ... steps at the least, and in no more than so many."""
    rules = bounded_model(instance)
    worlds, layer = set(), set(rules.initial())
    for step in range(steps + 1):
        yield layer
        worlds |= layer
        if step < steps:
            layer = {rules.step(world, act) for world in layer for act in rules.enabled(world)} - worlds


@pytest.mark.parametrize("variant", SMALLEST.values(), ids=SMALLEST)
def test_no_run_of_fewer_steps_is_wrong(variant):
    instance, wrong = model(variant), wrong_by(variant, PROMISES.get(variant))
    steps = len(acts(variant, PROMISES.get(variant)))
    *fewer, last = layers(instance, steps)
    assert not any(wrong(world) for layer in fewer for world in layer)
    assert any(map(wrong, last))


def test_all_runs_that_are_called_the_smallest_are_searched_in_one_way():
    assert {claim.searched for claim in find_claims("delta_fault_tolerance") if claim.searched} == {FEWER}
    assert len(SMALLEST) == 11
