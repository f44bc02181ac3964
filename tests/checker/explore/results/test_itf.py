"""Runs in the Informal Trace Format: every kind of value, the result of each action, and the loop of a lasso."""

from enum import Enum
from fractions import Fraction

import msgspec
import pytest

from gomboc.checker.explore.results.finding import Run
from gomboc.checker.explore.results.itf import encoded, itf


class Colour(Enum):
    RED = "r"


class Pair(msgspec.Struct, frozen=True):
    one: int
    other: object


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, True),
        ("a", "a"),
        (7, 7),
        (-(1 << 53) + 1, -(1 << 53) + 1),
        (1 << 53, {"#bigint": "9007199254740992"}),
        (-(1 << 60), {"#bigint": "-1152921504606846976"}),
        ([1, "a"], [1, "a"]),
        ((1, (2,)), {"#tup": [1, {"#tup": [2]}]}),
        (frozenset({3, 1, 2}), {"#set": [1, 2, 3]}),
        ({"a": 1, 2: (3,)}, {"#map": [["a", 1], [2, {"#tup": [3]}]]}),
        (Colour.RED, "RED"),
        (Pair(1, ()), {"tag": "Pair", "one": 1, "other": {"#tup": []}}),
        (None, {"#unserializable": "None"}),
        (Fraction(1, 2), {"#unserializable": "Fraction(1, 2)"}),
    ],
    ids=repr,
)
def test_a_value_is_written_as_the_format_has_it(value, written):
    assert encoded(value) == written
    assert type(encoded(value)) is type(written)


def test_each_state_but_the_first_has_the_action_that_led_to_it():
    document = itf(Run((Pair(1, "a"), Pair(2, "b")), ("up",)), "a story")
    assert document == {
        "#meta": {"format": "ITF", "description": "a story"},
        "vars": ["action", "one", "other"],
        "states": [
            {"#meta": {"index": 0}, "action": {"#unserializable": "None"}, "one": 1, "other": "a"},
            {"#meta": {"index": 1}, "action": "up", "one": 2, "other": "b"},
        ],
    }


def test_a_lasso_says_where_it_goes_back_to_and_by_which_action():
    document = itf(Run((0, 1), ("up", "down"), 0), "a story")
    assert document["loop"] == 0
    assert document["#meta"]["back"] == "down"
    assert [state["state"] for state in document["states"]] == [0, 1]
    assert document["states"][1]["action"] == "up"
