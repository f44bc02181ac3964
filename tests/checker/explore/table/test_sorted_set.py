"""A set of numbers in sorted arrays is a set."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.explore.table.sorted_set import Seen, distinct, is_in, place_of

NUMBERS = st.lists(st.integers(0, 40))


def array(numbers):
    return np.array(sorted(numbers), np.int64)


@given(NUMBERS)
def test_distinct_numbers_are_ascending_and_there_once(numbers):
    assert distinct(np.array(numbers, np.int64)).tolist() == sorted(set(numbers))


@given(st.lists(NUMBERS))
def test_it_remembers_every_number_once(batches):
    seen, expected = Seen(), set()
    for batch in batches:
        fresh = seen.unseen(array(set(batch)))
        assert fresh.tolist() == sorted(set(batch) - expected)
        seen.add(fresh)
        expected |= set(batch)
        assert len(seen) == len(expected)
    assert seen.all().tolist() == sorted(expected)
    seen.recode(lambda keys: keys * 2)
    assert seen.all().tolist() == sorted(2 * number for number in expected)


@given(NUMBERS, NUMBERS)
def test_numbers_are_found_where_they_are(keys, run):
    run = sorted(set(run))
    assert is_in(array(keys), array(run)).tolist() == [key in run for key in sorted(keys)]
    if run:
        places = [run.index(key) if key in run else -1 for key in sorted(keys)]
        assert place_of(array(keys), array(run)).tolist() == places
