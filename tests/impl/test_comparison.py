from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.comparison import agreed, answers, partner
from gomboc.impl.trie import EMPTY, Trie
from tests.impl.publications import all_keys
from tests.impl.skip_ring.cores import LoadedCoin

KEYS = st.sets(st.sampled_from(all_keys()))


def trie_of(keys):
    trie = Trie()
    for key in keys:
        trie.insert(key, key)
    return trie


def compared(one, other):
    """Send `one` the root of `other`, and let both answer to the end; missing items are transferred."""
    waiting = [(one, other, other.root())]
    while waiting:
        here, there, said = waiting.pop()
        for own, lacks in answers(here, (said,)):
            waiting += [(there, here, tuple_) for tuple_ in own]
            for key in [] if lacks is None else list(there.items(lacks)):
                here.insert(key, key)


@given(KEYS, KEYS)
def test_any_node_that_compares_again_and_again_ends_with_what_both_had(one, other):
    here, there = trie_of(one), trie_of(other)
    for _ in one | other:
        compared(here, there)
        compared(there, here)
    assert set(here.items()) == set(there.items()) == one | other


@given(KEYS)
def test_equal_tries_say_nothing_to_each_other(keys):
    assert not list(answers(trie_of(keys), [trie_of(keys).root()]))


def test_a_node_that_has_nothing_lacks_everything():
    assert list(answers(trie_of(()), [("0", "f" * 32)])) == [((), "0")]
    assert not list(answers(trie_of(()), [EMPTY]))


def test_partners_are_as_likely_as_each_other():
    assert [partner("abcd", LoadedCoin(coin)) for coin in (0.0, 0.24, 0.25, 0.74, 0.99)] == ["a", "a", "b", "c", "d"]
    assert partner((), LoadedCoin(0.5)) is None


def test_the_parts_of_two_tries_that_are_the_same_are_said_whatever_a_cache_says():
    one, other = Trie(), Trie({"00": "ff"})
    for key in ("0010", "0011", "1000"):
        one.insert(key, key)
        other.insert(key, key)
    assert list(agreed(one, [one.root()])) == [""]
    assert list(agreed(other, [one.told(one.beneath("001")), one.told(one.beneath("1"))])) == ["001", "1000"]
    one.insert("0111", "0111")
    assert list(agreed(one, [other.root(), ("000", "00"), ("1000", "00")])) == []
