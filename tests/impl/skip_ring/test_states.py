import pytest

from impl.errors import UsageError
from tests.impl.skip_ring.cores import BLANK, make, state_of

CORRUPTED = {
    "label": "01",
    "left": ["111", "u"],
    "right": ["0", "a"],
    "ring": ["01", "b"],
    "shortcuts": [["0", None], ["01", "u"], ["1", "a"]],
    "wants": False,
}


def test_a_corrupted_subscriber_is_loaded_as_it_is():
    assert state_of(make("subscriber", "u", CORRUPTED)) == CORRUPTED


def test_a_corrupted_database_is_loaded_as_it_is():
    state = {"database": [["0", None], ["001", "a"], ["11", "a"]], "next": 17}
    assert state_of(make("supervisor", "supervisor", state)) == state


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shortcuts": [["1", "a"], ["0", "b"]]}, "its entry '0' comes after '1'."),
        ({"shortcuts": [["1", "a"], ["1", "b"]]}, "its entry '1' comes after '1'."),
        ({"extra": 1}, "Object contains unknown field `extra`."),
        ({"wants": None}, "Expected `bool`, got `null` - at `$.wants`."),
    ],
)
def test_what_no_trace_could_hold_is_refused(change, message):
    with pytest.raises(UsageError) as error:
        make("subscriber", "u", {**BLANK, **change})
    assert str(error.value) == f"This is not a state of the skip ring: {message}"


def test_a_label_that_is_not_canonical_is_refused():
    with pytest.raises(UsageError, match=r"at `\$\.label`\.$"):
        make("subscriber", "u", {**BLANK, "label": "10"})


def test_next_is_not_negative():
    with pytest.raises(UsageError, match=r"at `\$\.next`\.$"):
        make("supervisor", "supervisor", {"database": [], "next": -1})


def test_there_are_two_roles():
    with pytest.raises(UsageError) as error:
        make("king", "u", BLANK)
    assert str(error.value) == "The skip ring has no role 'king'; it has: subscriber, supervisor."
