from hashlib import sha256

import pytest

from gomboc.impl.protocols.chord.circle import Circle

SMALL = Circle(4, hashed=False)


def test_between_is_open_and_wraps():
    assert [x for x in range(16) if SMALL.between(14, x, 2)] == [0, 1, 15]
    assert [x for x in range(16) if SMALL.between(2, x, 5)] == [3, 4]
    assert not [x for x in range(16) if SMALL.between(2, x, 3)]


def test_between_a_point_and_itself_lies_everything_else():
    assert [x for x in range(16) if SMALL.between(7, x, 7)] == [x for x in range(16) if x != 7]


def test_up_to_includes_its_end_and_is_the_whole_circle_if_it_starts_there():
    assert [x for x in range(16) if SMALL.up_to(14, x, 1)] == [0, 1, 15]
    assert [x for x in range(16) if SMALL.up_to(7, x, 7)] == list(range(16))


@pytest.mark.parametrize("bits", [1, 8, 160, 256])
def test_an_id_is_the_hash_of_the_name_in_so_many_bits(bits):
    expected = int.from_bytes(sha256(b"ann:1").digest(), "big") % 2**bits
    assert Circle(bits, hashed=True).id_of("ann:1") == expected


def test_numbered_names_have_the_number_at_their_end():
    assert [SMALL.id_of(name) for name in ("n12", "7", "n1.03", "0")] == [12, 7, 3, 0]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("ann", "the name 'ann' does not end in a number"), ("n16", "the number of 'n16' is not below 16")],
)
def test_names_without_a_number_in_the_space_are_wrong_where_numbers_are_ids(name, sentence):
    assert SMALL.wrong_name(name) == sentence
    assert Circle(4, hashed=True).wrong_name(name) is None
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        SMALL.id_of(name)


@pytest.mark.parametrize(("bits", "key"), [(4, "f"), (5, "1f"), (6, "3f"), (256, "f" * 64), (8, "0a")])
def test_a_key_has_just_the_digits_that_the_space_needs(bits, key):
    assert Circle(bits, hashed=True).wrong_key(key) is None


@pytest.mark.parametrize(
    ("bits", "key", "digits"), [(5, "20", 2), (6, "f", 2), (8, "0A", 2), (8, "0a0", 2), (8, "0x", 2), (4, "", 1)]
)
def test_any_other_key_is_wrong(bits, key, digits):
    sentence = f"the key {key!r} is not one of {digits} hexadecimal digits below 2^{bits}"
    assert Circle(bits, hashed=True).wrong_key(key) == sentence
