"""Names carry id and string, and a system with names that do not fit is refused in a sentence."""

import pytest

from gomboc.spec.protocols.skip_plus.names import is_name, misnamed, prefix_length, string_of


def test_the_string_is_what_follows_the_last_colon():
    assert string_of("a:b:0110") == "0110"


@pytest.mark.parametrize(
    ("one", "other", "common"), [("a:0110", "b:0100", 2), ("a:0", "b:1", 0), ("a:01", "b:01", 2), ("a:1", "b:10", 1)]
)
def test_a_common_prefix_is_counted_in_bits(one, other, common):
    assert prefix_length(one, other) == prefix_length(other, one) == common


@pytest.mark.parametrize("text", ["", "07", ":01", "07:", "07:012", "0110", "07:0 1"])
def test_a_text_without_id_and_bits_is_no_name(text):
    assert not is_name(text)


def test_a_name_that_is_none_is_refused():
    assert misnamed({"07:01": "node", "v1": "node"}) == (
        "'v1' is no name of Skip+: it must be an id, a colon and a string of bits, as in '07:0110'."
    )


def test_strings_of_unequal_length_are_refused():
    assert misnamed({"1:01": "node", "2:0": "node", "3:11": "node"}) == (
        "The strings of '2:0' and '1:01' have 1 and 2 bits; all must be equally long."
    )


def test_names_that_fit_are_not_refused():
    assert misnamed({"1:01": "node", "2:00": "node"}) is None
