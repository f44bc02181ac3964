import pytest

from gomboc.impl.errors import UsageError
from tests.impl.skip_plus.systems import (
    ALONE,
    OUTSIDE,
    SKIP_PLUS,
    UNBOUNDED,
    gone,
    node,
    outside,
    receive,
    state_of,
    update,
)

CORRUPTED = {
    "live": True,
    "neighbours": ["0:01", "2:11"],
    "stable": ["0:01", "7:00"],
    "told": [["0:01", [["9:00", "1:11"], UNBOUNDED]], ["8:00", [[None, "0:01"], ["8:00", None]]]],
    "gone": ["0:01", "3:00"],
}


def test_a_corrupted_state_is_loaded_as_it_is():
    assert state_of(node("0:01", **CORRUPTED)) == CORRUPTED


def test_what_is_collected_in_any_order_is_written_ascending():
    core, names = node("0:0"), [f"{index}:{index % 2}" for index in range(1, 9)]
    for item in reversed(names):
        receive(core, update(item, [UNBOUNDED], item))
        receive(core, gone(item))
    ranges = [[name, [UNBOUNDED]] for name in names]
    assert state_of(core) == {**ALONE, "neighbours": names, "told": ranges, "gone": names}


def test_the_blank_state_is_that_of_a_node_that_is_not_live():
    assert state_of(outside("0:01")) == SKIP_PLUS.blank["node"] == OUTSIDE


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"neighbours": ["2:0", "1:0"]}, "its name '1:0' comes after '2:0'"),
        ({"stable": ["1:0", "1:0"]}, "its name '1:0' comes after '1:0'"),
        ({"told": [["2:0", [UNBOUNDED]], ["1:0", [UNBOUNDED]]]}, "its name '1:0' comes after '2:0'"),
        ({"gone": ["2:0", "1:0"]}, "its name '1:0' comes after '2:0'"),
        ({"neighbours": ["1:00"]}, "the string of '1:00' has not 1 bits"),
        ({"told": [["1:0", [["2:00", None]]]]}, "the string of '2:00' has not 1 bits"),
        ({"told": [["1:0", [UNBOUNDED, UNBOUNDED]]]}, "'1:0' told 2 ranges, and '0:0' has 1 levels"),
        ({"live": False, "gone": ["1:0"]}, "a node that is not live knows nobody"),
    ],
)
def test_a_state_that_no_trace_holds_is_refused(variables, reason):
    with pytest.raises(UsageError) as error:
        node("0:0", **variables)
    assert str(error.value) == f"This is not a state of Skip+ for '0:0': {reason}."


def test_a_state_without_all_its_keys_is_refused():
    with pytest.raises(UsageError) as error:
        SKIP_PLUS.make("node", "0:0", {key: value for key, value in ALONE.items() if key != "gone"}, None)
    assert str(error.value) == "This is not a state of Skip+: Object missing required field `gone`."


def test_what_is_no_name_is_refused():
    with pytest.raises(UsageError, match=r"^This is not a state of Skip\+: Expected `str` matching regex "):
        node("0:0", neighbours=["seven"])
