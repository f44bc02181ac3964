"""The subscriptions of the own client: matching ones are found without trying each."""

from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate, matches, text
from gomboc.impl.protocols.delta_fault_tolerance.index import FRESH
from gomboc.impl.protocols.delta_fault_tolerance.states import Own
from gomboc.impl.protocols.delta_fault_tolerance.table import Owned
from tests.impl.protocols.delta_fault_tolerance.test_index import FILTERS, PUBLICATIONS

PHASES = st.sampled_from(["subscribing", "subscribed", "unsubscribing", None])


@given(st.lists(st.tuples(FILTERS, PHASES), max_size=40), PUBLICATIONS)
def test_what_is_wanted_and_matches_is_found_in_order_whatever_has_come_and_gone(changes, attributes):
    owned, there = Owned(()), {}
    for predicates, phase in changes:
        if phase is not None:
            owned[predicates] = there[predicates] = Own(predicates, phase, None)
        elif predicates in there:
            del owned[predicates], there[predicates]
    wanted = (own.filter for own in there.values() if own.phase != "unsubscribing")
    assert dict(owned) == there
    assert owned.matching(attributes) == tuple(sorted((f for f in wanted if matches(attributes, f)), key=text))


def test_only_what_the_index_leaves_of_ten_thousand_is_tried(tried):
    filters = [(Predicate("price", "<", 10 * key + 10), Predicate("price", ">=", 10 * key)) for key in range(10_000)]
    owned = Owned(Own(predicates, "subscribed", None) for predicates in filters)
    assert owned.matching({"price": 4_321}) == (filters[432],)
    assert len(tried) <= FRESH + 1
