"""Which publications are valid, and which ones are kept."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import encode
from msgspec.structs import replace

from gomboc.spec.publishing.exchange import Publish
from gomboc.spec.publishing.publications import (
    MOST_BITS,
    Parameters,
    Publication,
    in_messages,
    in_order,
    is_genuine,
    is_valid,
    key_of,
    parameters_of,
    published,
    right_set,
    size_of,
    top,
    with_offered,
)
from tests.spec.protocols.skip_ring.starts import EXAMPLES

SMALL = Parameters(64, payload_limit=3)
P = published("v1", 7, "abc", SMALL)
publishers = st.sampled_from(["v1", "v2"])
genuine = st.builds(lambda publisher, number: published(publisher, number, "x", SMALL), publishers, st.integers(0, 5))
sets = st.sets(genuine).map(lambda chosen: tuple(sorted(chosen)))
keeps = st.sampled_from([None, 1, 2, 3])
arbitrary = st.builds(
    Publication,
    st.sampled_from([P.key, "0" * 64, "1" * 64]),
    publishers,
    st.integers(6, 8),
    st.text("ab\u00e4", max_size=4),
    publishers,
)


def test_a_key_is_the_first_bits_of_the_hash_that_the_format_names():
    digest = sha256(b"\x00" + b"v1" + b"\x00" + b"7" + b"\x00" + "h\u00e9".encode()).digest()
    bits = "".join(format(byte, "08b") for byte in digest)
    assert [key_of("v1", 7, "h\u00e9", length) for length in (1, 9, 256)] == [bits[:1], bits[:9], bits]


def test_the_same_payload_published_twice_is_two_publications():
    assert published("v1", 7, "abc", SMALL).key != published("v1", 8, "abc", SMALL).key


@pytest.mark.parametrize(
    "change",
    [
        {"key": "0" * 64},
        {"signer": "v2"},
        {"payload": "abcd"},
        {"payload": "\u00e4\u00e4"},
        {"number": 8},
        {"publisher": "v2"},
    ],
)
def test_whatever_is_changed_of_a_publication_makes_it_invalid(change):
    assert is_valid(P, SMALL)
    assert not is_valid(replace(P, **change), SMALL)


@given(st.lists(arbitrary))
@EXAMPLES
def test_an_audit_leaves_valid_publications_only_and_all_contents_that_are_genuine(held):
    right = right_set(held, SMALL)
    assert all(is_valid(publication, SMALL) for publication in right)
    assert {(p.publisher, p.number, p.payload) for p in right} == {
        (p.publisher, p.number, p.payload) for p in held if is_genuine(p, SMALL)
    }
    assert [publication.key for publication in right] == sorted({publication.key for publication in right})


@given(sets, keeps)
@EXAMPLES
def test_an_audit_leaves_what_is_kept_only(held, keep):
    assert right_set(held, replace(SMALL, keep=keep)) == top(held, keep)


@given(st.lists(arbitrary))
@EXAMPLES
def test_a_second_audit_changes_nothing(held):
    right = right_set(held, SMALL)
    assert right_set(right, SMALL) == right


@given(sets, sets, keeps)
@EXAMPLES
def test_what_is_kept_of_two_sets_is_what_is_kept_of_what_is_kept_of_them(one, other, keep):
    """`keep` is a semilattice: for any order of joining, nothing that was left out comes back."""
    joined = top({*one, *other}, keep)
    assert top({*top(one, keep), *top(other, keep)}, keep) == joined
    assert top(joined, keep) == joined
    assert set(joined) <= {*one, *other}


@given(sets, keeps)
@EXAMPLES
def test_of_each_publisher_the_highest_numbers_are_kept(held, keep):
    for publisher in ("v1", "v2"):
        numbers = sorted(publication.number for publication in held if publication.publisher == publisher)
        kept = [publication.number for publication in top(held, keep) if publication.publisher == publisher]
        assert sorted(kept) == (numbers if keep is None else numbers[-keep:])


@given(sets, st.lists(arbitrary | genuine))
@EXAMPLES
def test_what_is_offered_is_stored_if_it_is_valid_and_replaces_nothing(held, offered):
    then = with_offered(held, offered, SMALL)
    assert set(held) <= set(then)
    assert set(then) - set(held) == {publication for publication in offered if is_valid(publication, SMALL)} - set(held)


def test_what_is_stored_under_a_key_stays_even_if_it_is_false():
    false = replace(P, payload="b")
    assert with_offered((false,), (P,), SMALL) == (false,)


def test_an_application_is_handed_publications_by_publisher_and_number():
    handed = in_order([published("v2", 0, "", SMALL), published("v1", 10, "", SMALL), published("v1", 9, "", SMALL)])
    assert [(publication.publisher, publication.number) for publication in handed] == [("v1", 9), ("v1", 10), ("v2", 0)]


def test_parameters_have_the_values_that_the_format_gives_them():
    assert parameters_of({"key_bits": 3}) == Parameters(3, 4096, 64, None)
    every = {"key_bits": 256, "payload_limit": 0, "chunk": 1, "keep": 1}
    assert parameters_of(every) == Parameters(256, 0, 1, 1)


@pytest.mark.parametrize(
    ("given_", "sentence"),
    [
        (
            {"keep": 2, "chunk": 3},
            "the parameter 'chunk' says nothing without 'key_bits'; add 'key_bits', from 1 to 256.",
        ),
        ({"key_bits": 0}, "the parameters {'key_bits': 0} make no sense: Expected `int` >= 1 - at `$.key_bits`."),
        ({"key_bits": 999}, "the parameters {'key_bits': 999} make no sense: Expected `int` <= 256 - at `$.key_bits`."),
        (
            {"key_bits": "3"},
            "the parameters {'key_bits': '3'} make no sense: Expected `int`, got `str` - at `$.key_bits`.",
        ),
    ],
)
def test_parameters_that_make_no_sense_are_refused_in_a_sentence(given_, sentence):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the whole sentence is compared
        parameters_of(given_)
    assert str(refused.value) == sentence


def test_a_number_that_was_given_twice_counts_twice_for_what_is_kept():
    held = tuple(sorted(published("v1", number, payload, SMALL) for number, payload in ((1, "a"), (2, "a"), (2, "b"))))
    assert [publication.number for publication in top(held, 2)] == [2, 2]
    assert top(held, 1) == (max(top(held, 2)),)


@pytest.mark.parametrize("payload", ["", "x" * 4096, "\x01" * 4096, "\u00e4" * 2048, "x" * 70_000])
def test_a_message_of_several_publications_fits_into_64_kib(payload):
    longest = replace(P, key="1" * MOST_BITS, publisher="v" * 64, signer="v" * 256, number=2**53 - 1, payload=payload)
    parts = list(in_messages([longest] * 200, 100))
    assert sum(map(len, parts)) == 200
    assert all(len(part) <= 100 for part in parts)
    assert all(len(part) == 1 or len(encode(Publish(part))) <= 64_000 + 100 for part in parts)
    assert size_of(longest) > len(encode(longest))


def test_the_limit_of_a_payload_counts_bytes():
    assert is_valid(published("v1", 0, "\u00e4b", SMALL), SMALL)
    assert not is_valid(published("v1", 0, "\u00e4\u00e4", SMALL), SMALL)


def test_of_two_with_one_right_key_that_under_the_lower_key_stays():
    one_bit = Parameters(1)
    numbered = (published("v1", number, "", one_bit) for number in range(9))
    first, second = [publication for publication in numbered if publication.key == "1"][:2]
    stored = replace(first, key="0"), second
    assert right_set(stored, one_bit) == (first,)
    assert right_set((replace(second, key="0"), first), one_bit) == (second,)
