"""Names are positions in the tree."""

import pytest

from gomboc.impl.protocols.delta_fault_tolerance.names import distance, is_name, path


@pytest.mark.parametrize(
    ("one", "other", "between"),
    [
        ("a", "a", ("a",)),
        ("a.b.c", "a", ("a.b.c", "a.b", "a")),
        ("a.b.c", "a.d", ("a.b.c", "a.b", "a", "a.d")),
        ("a.b", "a.b.c.d", ("a.b", "a.b.c", "a.b.c.d")),
        ("a.b", "a.bb", ("a.b", "a", "a.bb")),
    ],
)
def test_the_path_goes_up_to_the_last_common_broker_and_down(one, other, between):
    assert path(one, other) == between
    assert path(other, one) == between[::-1]
    assert distance(one, other) == len(between) - 1


@pytest.mark.parametrize(("text", "named"), [("a", True), ("a.b-1:2_", True), ("", False), ("a.", False), ("ä", False)])
def test_a_name_is_labels_between_dots(text, named):
    assert is_name(text) is named
