"""A stack says what is wrong with it, and fills its patterns with the values of a topic."""

import pytest
from msgspec.structs import replace

from gomboc.spec.layers.stack import HandOver, Layer, Opening, Stack, filled, untopical
from tests.toys.follower.spec import ASKING, OVER_RING, WATCH


def test_stacks_that_fit_have_no_faults():
    assert [*OVER_RING.faults(), *ASKING.faults()] == []


def test_patterns_take_the_values_of_a_topic():
    assert filled(WATCH, {"key": "3f", "topic": "news"}) == {"kind": "Watch", "key": "3f"}
    assert filled({"kind": "Say", "of": "$topic", "all": 1}, {"topic": "news"}) == {
        "kind": "Say",
        "of": "news",
        "all": 1,
    }
    with pytest.raises(KeyError, match="key"):
        filled(WATCH, {"topic": "news"})


def test_what_patterns_have_besides_is_the_same_for_each_topic():
    assert untopical({"kind": "Say", "of": "$topic", "all": 1}) == {"kind": "Say", "all": 1}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"layers": (*OVER_RING.layers, Layer("ring", "chord"))}, "two layers are called 'ring'"),
        (
            {"hand_overs": (*OVER_RING.hand_overs, HandOver("ring", WATCH, "tree", WATCH))},
            "it has no layer 'tree'; its layers are: ring, followers",
        ),
        (
            {"openings": (Opening("tree", WATCH),)},
            "it has no layer 'tree'; its layers are: ring, followers",
        ),
        (
            {"hand_overs": (*OVER_RING.hand_overs, HandOver("ring", WATCH, "ring", {"kind": "Join"}))},
            "the layer 'ring' hands over to itself",
        ),
        (
            {"layers": (*OVER_RING.layers, Layer("views", "chord"))},
            "nothing is handed over between the layer 'views' and the others",
        ),
        ({"openings": (Opening("followers", {"kind": "Routed"}),)}, "both the application and a layer give Routed"),
        ({"hand_overs": (HandOver("ring", {"key": "$key"}, "followers", {"kind": "Routed"}),)}, "has no kind"),
    ],
)
def test_what_does_not_fit_is_said(changes, fault):
    assert fault in next(replace(OVER_RING, **changes).faults())


def test_layers_are_found_by_name():
    assert OVER_RING.layer("followers").protocol == "toy_follower"
    with pytest.raises(KeyError):
        Stack("none", (), ()).layer("ring")
