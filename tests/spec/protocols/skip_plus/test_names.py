"""Names carry id and string, and a system with names that do not fit is refused in a sentence."""

import pytest

from gomboc.spec.protocols.skip_plus.names import is_name, prefix_length, string_of


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
