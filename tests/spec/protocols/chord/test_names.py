"""Ids lie on a circle, and the range between two of them is right also where they are one.

Source: Section 2.1; Zave 2017, between
"""

from hashlib import sha256

import pytest

from gomboc.spec.protocols.chord.names import Circle, between, within

NUMBERS = Circle(4, "number")


def test_the_id_of_a_name_is_its_sha_256():
    digest = sha256(b"10.0.0.1:7000").hexdigest()
    assert Circle().id_of("10.0.0.1:7000") == int(digest, 16)
    assert Circle(12).id_of("10.0.0.1:7000") == int(digest[-3:], 16)


def test_a_number_at_the_end_of_a_name_can_be_its_id():
    assert NUMBERS.id_of("n12") == 12
    assert Circle(8, "number").id_of("node-007") == 7


def test_a_name_with_a_number_of_thousands_of_digits_is_refused_in_a_sentence():
    name = "n" + "9" * 5000
    says = f"{name!r} has no id on a circle of 2^4 ids: its number must be below 16."
    assert NUMBERS.misnamed({name: "node"}) == says


def test_between_is_open_and_wraps():
    assert [position for position in range(8) if between(2, position, 5)] == [3, 4]
    assert [position for position in range(8) if between(5, position, 2)] == [0, 1, 6, 7]


def test_all_others_lie_between_a_place_and_itself_and_nothing_between_it_and_the_next():
    assert [position for position in range(8) if between(3, position, 3)] == [0, 1, 2, 4, 5, 6, 7]
    assert not [position for position in range(8) if between(3, position, 4)]


def test_between_a_place_and_another_neither_lies():
    assert not between(3, 3, 7)
    assert not between(3, 7, 7)


def test_a_half_open_stretch_from_a_place_to_itself_is_the_whole_circle():
    assert all(within(3, position, 3) for position in range(8))
    assert [position for position in range(8) if within(6, position, 1)] == [0, 1, 7]


def test_it_is_once_around_from_a_node_to_itself():
    assert NUMBERS.distance("n3", "n3") == 16
    assert NUMBERS.distance("n3", "n2") == 15
    assert NUMBERS.distance("n2", "n3") == 1


@pytest.mark.parametrize(("bits", "key"), [(4, "c"), (5, "0c"), (8, "0c"), (256, "0" * 63 + "c")])
def test_a_key_has_as_many_digits_as_its_circle_needs(bits, key):
    assert Circle(bits).key(12) == key
    assert Circle(bits).number(key) == 12


@pytest.mark.parametrize("key", ["", "0c", "g", "C", "-", "１"])
def test_a_key_outside_of_the_space_is_refused_in_a_sentence(key):
    says = f"{key!r} is no key on a circle of 2^4 ids: it must be hexadecimal, 1 long, and below 2^4."
    with pytest.raises(ValueError, match=f"^{says.replace('^', chr(92) + '^')}$"):
        NUMBERS.number(key)
    with pytest.raises(ValueError, match="below"):
        Circle(3).number("9")


def test_a_finger_is_needed_from_the_first_place_beyond_the_head_on():
    for gap in range(1, 16):
        needed = [i for i in range(4) if not within(0, 1 << i, gap)]
        assert list(range(NUMBERS.first_finger("n0", f"n{gap}"), 4)) == needed
    assert NUMBERS.first_finger("n0", "n0") > 3
