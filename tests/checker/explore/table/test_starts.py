"""The initial states by tables are those that the instance lists; connectivity is asked once for each set of edges."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from gomboc.checker.explore.graph.search import explore
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch
from gomboc.checker.explore.table import starts as starts_module
from gomboc.checker.explore.table.model.layout import TooWideError
from gomboc.checker.explore.table.search import expander_of, search
from gomboc.checker.explore.table.starts import starting_states
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import bounded_model, starts
from tests.checker.explore.table.protocols import instance_of, instances, tabled
from tests.plugins.linearisation import linearisation
from tests.sampling import share


def admitting(instance, admits=lambda start: True):
    return replace(instance, admits=admits)


@settings(max_examples=share(60))
@given(instance=instances())
def test_as_many_states_are_initial_as_there_are_starts(instance):
    expected = len(set(bounded_model(instance).initial()))
    for one in (instance, admitting(instance)):
        keys, why = starting_states(expander_of(one), BoundWatch(Bounds()))
        assert (len(keys), why) == (expected, "")
        assert (np.diff(keys) > 0).all()


def test_a_start_that_is_not_admitted_is_left_out():
    odd = admitting(linearisation(1), lambda start: len(start.in_flight) % 2 == 1)
    assert search(odd).extent.states == len(explore(bounded_model(odd)).states)
    assert len(search(odd).starts) == sum(1 for _ in starts(odd)) < len(search(linearisation(1)).starts)


def test_starts_are_built_some_at_a_time():
    with patch.object(starts_module, "BATCH", 100):
        many = len(search(admitting(linearisation(1))).starts)
    assert many == 2_258


def test_more_starts_than_there_is_room_for_are_refused_before_they_are_built():
    many = OneOf(tuple(range(1 << 16)))
    crowd = replace(instance_of(tabled({})), locals=(("a", "node", many), ("b", "node", many)))
    with pytest.raises(TooWideError, match=r"^there are 4,294,967,296 starts, and the table-driven explorer has room"):
        search(replace(crowd, most=1))


@pytest.mark.parametrize("bounds", [Bounds(most_states=100), Bounds(seconds=0), Bounds(megabytes=1)])
def test_a_bound_stops_the_listing_of_starts(bounds):
    for instance in (linearisation(1), admitting(linearisation(1))):
        explored = search(instance, BoundWatch(bounds))
        assert explored.extent.stopped.startswith("the bound of")
        assert (len(explored.keys), explored.extent.transitions) == (0, 0)
