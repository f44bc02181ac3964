"""The model of Section 4.2: tries, their hashes, and the exchange."""

from itertools import product

import pytest

from gomboc.checker.evidence.skip_ring.experiments.tries import (
    BITS,
    Formula,
    ends,
    exchange,
    exchanges,
    forest,
    keys_of,
    pairs,
    prefix_asked,
    with_prefix,
)
from tests.spec.protocols.skip_ring.reconciling import OURS, PRINTED, every_session

pytestmark = [pytest.mark.xdist_group("claims"), pytest.mark.long]


def of(*keys):
    return sum(1 << int(key, 2) for key in keys)


def test_a_trie_has_a_leaf_for_each_key_and_two_children_at_every_inner_node():
    for number, trie in enumerate(forest(BITS, Formula.OF_HASHES)[1:], 1):
        leaves = {node.label for node in trie.nodes.values() if not node.children}
        assert leaves == set(keys_of(number, BITS))
        assert all(len(node.children) in (0, 2) for node in trie.nodes.values())
        assert len(trie.nodes) == 2 * len(leaves) - 1
        assert trie.root.below == number


def test_the_label_of_an_inner_node_is_the_longest_common_prefix_of_its_childrens():
    trie = forest(BITS, Formula.OF_HASHES)[of("000", "011", "110")]
    assert set(trie.nodes) == {"", "0", "000", "011", "110"}
    assert [child.label for child in trie.root.children] == ["0", "110"]


def test_hashes_of_hashes_are_equal_if_and_only_if_the_publications_are():
    roots = [trie.root.hash for trie in forest(BITS, Formula.OF_HASHES)[1:]]
    assert len(set(roots)) == len(roots) == 255


def test_hashes_of_labels_are_not():
    roots = [(trie.root.label, trie.root.hash) for trie in forest(BITS, Formula.OF_LABELS)[1:]]
    assert len(set(roots)) < len(roots)


@pytest.mark.parametrize(("prefix", "keys"), [("", 8), ("1", 4), ("01", 2), ("111", 1)])
def test_all_publications_with_a_prefix(prefix, keys):
    matching = keys_of(with_prefix(prefix, BITS), BITS)
    assert len(matching) == keys
    assert all(key.startswith(prefix) for key in matching)


def test_the_closest_node_below_a_word_is_the_one_with_the_shortest_label():
    trie = forest(BITS, Formula.OF_HASHES)[of("000", "011", "110")]
    assert {word: node.label for word, node in trie.closest.items()} == {
        "": "",
        "0": "0",
        "00": "000",
        "000": "000",
        "01": "011",
        "011": "011",
        "1": "110",
        "11": "110",
        "110": "110",
    }


def test_the_prefix_asked_for_is_the_one_of_the_example():
    """The node with label 100 is the closest below 10, so p = 101. Source: Section 4.2."""
    trie = forest(BITS, Formula.OF_HASHES)[of("000", "010", "100")]
    assert prefix_asked(trie, "10") == "101"
    assert prefix_asked(trie, "11") == "11"


def test_an_exchange_never_takes_a_publication_away_or_invents_one():
    for formula, (one, other) in product(Formula, pairs(2)):
        after = exchange(one, other, 2, formula).sets
        assert after[0] & one == one
        assert after[1] & other == other
        assert (after[0] | after[1]) == (one | other)


def test_equal_tries_exchange_one_message():
    result = exchange(5, 5, BITS, Formula.OF_HASHES)
    assert (len(result.checks), result.published, result.sets) == (1, (), (5, 5))


def test_there_are_as_many_pairs_as_the_page_says():
    assert len(list(pairs(BITS))) == 255 * 254 == 64770


@pytest.mark.parametrize(("bits", "formula"), [*product([2], Formula), (BITS, Formula.OF_LABELS)])
def test_where_a_pair_ends_nothing_more_is_exchanged(bits, formula):
    for one, other in {(end.one, end.other) for end in ends(bits, formula).values()}:
        if bits == 2 or one != other:
            assert exchange(one, other, bits, formula).sets == (one, other)
            assert exchange(other, one, bits, formula).sets == (other, one)


@pytest.mark.parametrize(("formula", "specified"), [(Formula.OF_HASHES, OURS), (Formula.OF_LABELS, PRINTED)])
def test_every_session_of_the_specification_ends_as_in_the_model(formula, specified):
    ended = {pair: exchanged.sets for pair, exchanged in exchanges(BITS, formula).items()}
    assert len(ended) == 64_770
    assert {pair: sets for pair, sets in every_session(specified).items() if 0 not in pair} == ended
