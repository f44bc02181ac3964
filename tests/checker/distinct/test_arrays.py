"""The shapes of arrays that everything else is made of."""

import numpy as np

from gomboc.checker.distinct.arrays import changes, distinct_pairs, spread, starts_of


def test_runs_of_numbers_stand_one_after_another():
    assert spread(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist() == [5, 6, 9, 10, 11]
    assert spread(np.array([], np.int64), np.array([], np.int64)).tolist() == []


def test_runs_begin_where_those_before_them_end():
    assert starts_of(np.array([2, 0, 3])).tolist() == [0, 2, 2]


def test_a_value_changes_where_it_is_not_the_one_before():
    assert changes(np.array([7, 7, 8, 8, 7])).tolist() == [True, False, True, False, True]
    assert changes(np.array([])).tolist() == []


def test_every_pair_is_there_once():
    first, second = distinct_pairs(np.array([1, 0, 1, 1]), np.array([2, 2, 2, 3]))
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (1, 2), (1, 3)]
