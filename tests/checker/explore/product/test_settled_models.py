"""Models of the papers that are settled on local states, and rings that no search of states reaches."""

from functools import cache

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Open, Settled
from gomboc.spec.core.domain import OneOf, optional
from gomboc.spec.core.instance import NO_MESSAGE
from gomboc.spec.core.model import Outcome, Received
from gomboc.spec.protocols.skip_ring.models import ring
from gomboc.spec.protocols.skip_ring.small import NO_SHORTCUTS, NOTHING, in_order, subscribers
from gomboc.spec.protocols.skip_ring.space import names
from gomboc.spec.protocols.skip_ring.state import Claim, Supervisor
from tests.checker.explore.product.toys import known, settled
from tests.spec.protocols.exploring import models_of

CONVERGE = {
    "skip_ring": (
        *("two", "two_anything", "two_false_label", "two_message", "three", "three_closing"),
        *("three_unlabelled", "printed_introduce_shortcut", "two_crash_suspect"),
    ),
    "chord": (
        "three",
        "three_with_two",
        "three_and_a_message",
        "backwards_and_meeting",
        "four_that_meet",
        "named_outside",
    ),
    "topic_directory": ("three",),
    "dissemination": ("two",),
}
"""Models that take long to explore; `tests/spec/protocols/test_models.py` has the others."""

SAFE = ("two_false_label", "two_crash_suspect", "four_that_meet")
"""Models of which closure is settled, too."""


@cache
def of_model(protocol, name):
    return known(models_of(protocol)[name].model)


@pytest.mark.parametrize(
    ("protocol", "name"),
    [
        pytest.param(protocol, name, marks=[pytest.mark.dear] * (name == "two_crash_suspect"))
        for protocol, names in CONVERGE.items()
        for name in names
    ],
)
def test_a_model_converges_for_any_number_of_messages(protocol, name):
    found = of_model(protocol, name)
    assert isinstance(found.convergence, Settled)
    assert name not in SAFE or found.safe == {"closure", "canonical"}


@pytest.mark.parametrize(
    ("protocol", "name"), [("skip_ring", "printed_linearize"), ("chord", "two_rings"), ("chord", "backwards")]
)
def test_a_model_that_must_not_converge_is_open(protocol, name):
    assert isinstance(of_model(protocol, name).convergence, Open)


def recorded(nodes):
    """A skip ring that is recorded by the supervisor, with right labels, and with any true claims on either side."""
    entries = in_order(names(nodes))

    def subscriber(me):
        claim = optional(OneOf(tuple(Claim(entry.label, entry.node) for entry in entries if entry.node != me)))
        (label,) = (entry.label for entry in entries if entry.node == me)
        return subscribers(OneOf((label,)), (claim, claim, NOTHING), NO_SHORTCUTS)

    members = tuple(subscriber(me) for me in names(nodes))
    return ring(members, OneOf((Supervisor(database=entries),)), NO_MESSAGE, 0, most=1)


@pytest.mark.parametrize(("nodes", "combinations"), [(3, 39_375), (4, 23_181_312), (5, 109_579_171_875)])
def test_rings_that_no_search_of_states_reaches_converge(nodes, combinations):
    found = settled(recorded(nodes))
    assert isinstance(found, Settled)
    assert found.figures.combinations == combinations


def test_the_figures_are_those_of_the_local_states():
    found = of_model("skip_ring", "two_false_label").convergence
    assert (found.figures.combinations, found.figures.messages, found.boxes, found.tosses) == (2_803_712, 66, 2, True)
    assert str(found.figures) == "any number of messages in flight; 2,803,712 combinations of local states, 66 messages"


@pytest.mark.parametrize("name", [pytest.param("one", marks=pytest.mark.dear), "two"])
def test_a_supervisor_that_is_deaf_leaves_its_members_unconfigured(name):
    instance = models_of("skip_ring")[name].model
    heard = instance.protocol.actor.react

    def react(me, local, taken, choice):
        if me == "supervisor" and isinstance(taken, Received):
            return Outcome(local)
        return heard(me, local, taken, choice)

    assert isinstance(settled(replace(instance, protocol=instance.protocol.changed(react=react))), Open)
