"""Numbers for pairs, compared with a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.checker.replay.kernel.memo import Interned, Memo, Pairs

numbers = st.integers(0, 40) | st.integers(0, 2**62)
columns = st.lists(st.lists(st.tuples(numbers, numbers), max_size=30), max_size=6)

halves = st.integers(0, 40) | st.integers(0, 2**64 - 1)
columns_of_halves = st.lists(st.lists(st.tuples(halves, halves), max_size=30), max_size=6)


def arrays(pairs, kind=np.int64):
    return np.array([one for one, _ in pairs], kind), np.array([other for _, other in pairs], kind)


@given(columns)
def test_a_memo_equals_its_function_and_evaluates_each_pair_once(batches):
    asked = []

    def evaluate(one, other):
        asked.append((one, other))
        return (one ^ other) % 128

    memo = Memo(evaluate)
    for pairs in batches:
        assert memo(*arrays(pairs)).tolist() == [(one ^ other) % 128 for one, other in pairs]
    assert sorted(asked) == sorted({pair for pairs in batches for pair in pairs})
    assert len(memo) == len(asked)


@given(columns_of_halves)
def test_interned_pairs_have_the_same_number_if_and_only_if_they_are_the_same(batches):
    interned = Interned()
    known = {}
    for pairs in batches:
        for pair, number in zip(pairs, interned(*arrays(pairs, np.uint64)).tolist(), strict=True):
            assert known.setdefault(pair, number) == number
    assert sorted(known.values()) == list(range(len(interned)))


def test_a_number_of_64_bits_is_never_taken_for_another(monkeypatch):
    """As if every hash were the same: pairs that want different places are not compared."""
    monkeypatch.setattr("gomboc.checker.replay.kernel.memo.MIX", np.uint64(0))
    interned = Interned()
    wide = (5, 2**32 + 5, 2**63 + 5, 2**64 - 1)
    pairs = [(one, other) for one in wide for other in wide]
    assert sorted(interned(*arrays(pairs, np.uint64)).tolist()) == list(range(len(pairs)))


@pytest.mark.parametrize("size", [1, 3_000, 50_000])
def test_a_table_grows_and_forgets_nothing(size):
    interned = Interned()
    first, second = np.arange(size), np.arange(size)[::-1].copy()
    wanted = interned(first, second)
    interned(first + size, second)
    assert np.array_equal(interned(first, second), wanted)
    assert len(interned) == 2 * size


@pytest.mark.parametrize("turn", [1, -1])
def test_pairs_that_want_the_same_place_all_find_one_though_half_of_each_is_the_same(monkeypatch, turn):
    """As if every hash were the same."""
    monkeypatch.setattr("gomboc.checker.replay.kernel.memo.MIX", np.uint64(0))
    interned = Interned()
    pairs = (np.arange(200), np.zeros(200, np.int64))[::turn]
    assert sorted(interned(*pairs).tolist()) == list(range(200))
    assert np.array_equal(interned(*pairs), interned(*pairs))


def test_a_missing_pair_is_unknown():
    pairs = Pairs(np.int64, np.int64)
    pairs.enter(np.array([1]), np.array([2]), np.array([7]))
    assert pairs.look_up(np.array([1, 2]), np.array([2, 1])).tolist() == [7, -1]
