"""Each meaning of a field says what a wrong value should be, and nothing of a right one."""

from operator import itemgetter

import pytest
from msgspec import Struct

from gomboc.spec.types.fields import Ascending, AtMost, Distinct, Holds, OnlyWith, Within


class Parameters(Struct, frozen=True):
    """Parameters as a protocol has them."""

    r: int = 2
    fingers: bool = True


MEANINGS = [
    (Ascending(), (1, 2, 3), (1, 3, 2), "field ascending, each once"),
    (Ascending(), ("a",), ("a", "a"), "field ascending, each once"),
    (Ascending(itemgetter(1)), ((2, 1), (1, 2)), ((1, 2), (2, 1)), "field ascending, each once"),
    (Distinct(), (3, 1), (3, 1, 3), "field each once"),
    (AtMost(1), ("a",), ("a", "b"), "field, at most 1"),
    (AtMost("r"), ("a", "b"), ("a", "b", "c"), "field, at most 2"),
    (AtMost(lambda parameters: parameters.r + 1), (1, 1, 1), (1,) * 4, "field, at most 3"),
    (Within(1), 1, 0, "field from 1 on"),
    (Within(0, "r"), 1, 2, "field from 0 to 1"),
    (Within(1, 3), 2, 3, "field from 1 to 2"),
    (Holds(lambda parameters, value: None if value == "x" else "an x"), "x", "y", "an x"),
]


@pytest.mark.parametrize(("meaning", "right", "wrong", "expected"), MEANINGS)
def test_a_requirement_is_stated_where_it_is_not_met(meaning, right, wrong, expected):
    assert meaning.broken("field", Parameters(), right) is None
    assert meaning.broken("field", Parameters(), wrong) == expected


@pytest.mark.parametrize("parameters", [None, Parameters(fingers=False)])
def test_a_field_that_needs_a_parameter_is_empty_without_it(parameters):
    meaning = OnlyWith("fingers")
    assert meaning.broken("field", Parameters(), (1,)) is None
    assert meaning.broken("field", parameters, ()) is None
    assert meaning.broken("field", parameters, (1,)) == "no field without fingers"


def test_the_keys_of_a_table_show_that_it_is_out_of_order():
    assert Ascending(itemgetter(0)).shown(((2, "a"), (1, "b"))) == (2, 1)
    assert Ascending().shown((2, 1)) == (2, 1)
