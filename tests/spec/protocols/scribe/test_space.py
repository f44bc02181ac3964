"""Starts of Scribe: routes are right, all else is arbitrary; and the right start."""

from random import Random

import pytest

from gomboc.spec.core.domain import count, sampler
from gomboc.spec.core.faults import legitimacy_faults, premise_faults
from gomboc.spec.core.protocol import Size, configured
from gomboc.spec.protocols.scribe import PROTOCOL
from gomboc.spec.protocols.scribe.parameters import parameters_of
from gomboc.spec.protocols.scribe.space import any_message, bound, chain, heap, names, routes, star, tree
from gomboc.spec.protocols.scribe.state import BLANK, Child, Node
from gomboc.spec.publishing.holdings import any_publication, universe

SWITCHED_PARAMETERS = parameters_of({"key_bits": 4, "low": 1, "high": 2})
SWITCHED = configured(PROTOCOL, {"key_bits": 4, "low": 1, "high": 2})


def test_routes_form_trees_of_each_shape_under_any_owner():
    four = names(4)
    assert routes(four, star, 1) == dict.fromkeys(four, "n001")
    assert routes(four, chain, 2) == {"n000": "n003", "n001": "n000", "n002": "n002", "n003": "n002"}
    assert routes(four, heap, 0) == {"n000": "n000", "n001": "n000", "n002": "n000", "n003": "n001"}


def test_starts_are_counted():
    """Of two nodes each may want, have the other as parent and as child with four counts; either is the owner."""
    assert count(PROTOCOL.starts.space(Size(2))) == 2 * (2 * 2 * 5) ** 2
    assert count(SWITCHED.starts.space(Size(2, outside=3))) == 2 * (2 * 2 * 5 * 2) ** 2


def test_messages_are_counted():
    """With one publication: keys or none, and a forged one under its key."""
    valid = universe(names(2), 1, SWITCHED_PARAMETERS)
    items = count(any_publication(valid, names(2)))
    kinds = 2 * 4 * 2 + 2 + 2 * 2 + 2 * 2 + 2 * items + items + 1
    assert count(any_message(SWITCHED_PARAMETERS, names(2), valid)) == 2 * (kinds + 2 + 2)


@pytest.mark.parametrize("seed", range(40))
def test_every_start_has_the_premise_and_values_that_their_types_allow(seed):
    drawn = sampler(SWITCHED.starts.space(Size(4, 5, 3, 2)))(Random(seed))
    states = dict(drawn.locals)
    assert premise_faults(SWITCHED, states, drawn.in_flight) == ()
    assert [states[name] for name in names(6)[4:]] == [BLANK, BLANK]
    values = (*states.values(), *(message for _, message in drawn.in_flight))
    assert [value for value in values if SWITCHED.naming.malformed(value)] == []


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_the_right_start_is_legitimate(nodes):
    for protocol in (PROTOCOL, SWITCHED):
        right = protocol.starts.start(nodes)
        assert legitimacy_faults(protocol, dict(right.locals), right.in_flight) == ()


def test_the_right_start_is_the_tree_of_all():
    assert dict(PROTOCOL.starts.start(3).locals) == {
        "n000": Node(True, "n000", None, (Child("n001", 1), Child("n002", 1))),
        "n001": Node(True, "n000", "n000"),
        "n002": Node(True, "n000", "n000"),
    }
    assert tree({"n000": "n000"}, ()) == {"n000": Node(False, "n000")}


def test_a_bound_is_several_times_the_depth_of_a_chain_and_more_where_few_keys_are_named_at_a_time():
    assert bound(8, SWITCHED_PARAMETERS) == 68
    assert bound(8, parameters_of({"chunk": 9})) == 404
