"""Messages of bounded size: every name has its turn, and a circle of the neighbours stays connected."""

from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.core.connection import unreached
from gomboc.spec.core.model import CERTAIN
from gomboc.spec.protocols.skip_plus.bounded import choices, drawn, following, parts

NAMES = st.sets(st.sampled_from("abcdefghij")).map(sorted).map(tuple)
INSERTS = st.dictionaries(st.sampled_from("vwxyz"), NAMES, max_size=5)
MOST = st.integers(1, 4)


@given(NAMES, MOST)
def test_parts_are_all_the_names_in_their_order_and_none_has_more_than_fit(names, most):
    divided = parts(names, most)
    assert sum(divided, ()) == names
    assert all(0 < len(part) <= most for part in divided) or divided == ((),)
    assert all(len(part) == most for part in divided[:-1])


@given(INSERTS, MOST)
def test_every_name_for_every_neighbour_is_sent_at_some_result_of_the_coin(inserts, most):
    results = choices(inserts, most)
    assert sum(result.probability for result in results) == 1
    said = [drawn(inserts, most, result) for result in results]
    assert all(len(names) <= most for one in said for names in one.values())
    assert {node: tuple(sorted({name for one in said for name in one[node]})) for node in inserts} == inserts


def test_there_is_no_coin_where_all_fits_or_nothing_is_bounded():
    assert choices({"v": ("a", "b")}, 2) == choices({"v": ("a", "b", "c")}, None) == choices({}, 1) == CERTAIN


@given(NAMES, MOST)
def test_a_circle_of_names_is_connected_however_few_each_is_told(names, most):
    told = following(names, most)
    assert all(len(others) <= most and name not in others for name, others in told.items())
    assert unreached(names, [(name, other) for name, others in told.items() for other in others]) == ()
    assert following(names, None) == {name: tuple(other for other in names if other != name) for name in names}
