import pytest

from gomboc.impl.core.errors import UsageError
from tests.impl.protocols.skip_ring.cores import BLANK, LoadedCoin, make, state_of
from tests.impl.publications import configured, written

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


HOLDING = {
    **CORRUPTED,
    "crashed": True,
    "forgets": True,
    "publications": [written(1, key="000", signer="b"), written(2, key="011", payload="x" * 5_000)],
    "hashes": [["", "0" * 32], ["0", "f" * 32]],
}


def holding(state):
    return configured().make("subscriber", "u", state, LoadedCoin(0.5))


def test_corrupted_publications_and_hashes_are_loaded_as_they_are():
    assert state_of(holding(HOLDING)) == HOLDING


def test_what_has_its_usual_value_is_not_written():
    usual = {"crashed": False, "forgets": False, "publications": [], "hashes": []}
    assert state_of(holding({**BLANK, **usual})) == BLANK
    assert state_of(make("supervisor", "supervisor", {"database": [], "next": 0, "suspects": []})) == {
        "database": [],
        "next": 0,
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"publications": [written(key="01")]}, "its key '01' has not 3 bits."),
        ({"publications": [written(1, key="011"), written(2, key="010")]}, "its key '010' comes after '011'."),
        ({"publications": [written(1, key="011"), written(2, key="011")]}, "its key '011' comes after '011'."),
        ({"hashes": [["0101", "0" * 32]]}, "its prefix '0101' has more than 3 bits."),
        ({"hashes": [["1", "0" * 32], ["01", "0" * 32]]}, "its prefix '01' comes after '1'."),
    ],
)
def test_publications_and_hashes_that_no_trace_could_hold_are_refused(change, message):
    with pytest.raises(UsageError) as error:
        holding({**BLANK, **change})
    assert str(error.value) == f"This is not a state of the skip ring: {message}"


@pytest.mark.parametrize("change", [{"publications": [written()]}, {"hashes": [["", "0" * 32]]}])
def test_the_ring_alone_holds_no_publications(change):
    with pytest.raises(UsageError) as error:
        make("subscriber", "u", {**BLANK, **change})
    expected = "This is not a state of the skip ring: publications and hashes need the parameter key_bits."
    assert str(error.value) == expected


def test_suspects_are_ascending():
    with pytest.raises(UsageError) as error:
        make("supervisor", "supervisor", {"database": [], "next": 0, "suspects": ["b", "a"]})
    assert str(error.value) == "This is not a state of the skip ring: its suspect 'a' comes after 'b'."


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
