"""The trie of a set of keys, against the definition word by word."""

from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.spec.protocols.skip_ring.errata import printed_inner_hash
from gomboc.spec.publishing.trie import (
    EMPTY_HASH,
    Summary,
    children,
    combined,
    common_prefix,
    has_node,
    hash_of_children,
    hash_of_label,
    least_extension,
    place,
    root,
    summary,
)
from tests.spec.protocols.skip_ring.starts import EXAMPLES

BITS = 4
WORDS = [format(number, f"0{length}b") if length else "" for length in range(BITS + 1) for number in range(2**length)]
keys = st.sets(st.sampled_from([word for word in WORDS if len(word) == BITS])).map(lambda chosen: tuple(sorted(chosen)))


def longest_common_prefix(one, other):
    return max((one[:length] for length in range(BITS + 1) if other.startswith(one[:length])), key=len)


def nodes_of(held):
    """The labels of the nodes: the leaves', and the longest common prefix of any two."""
    return {*held, *(longest_common_prefix(*two) for two in combinations(held, 2))}


def defined_hash(held, label):
    """The hash of a node as the format of traces has it, computed without a memory."""
    below = [node for node in nodes_of(held) if node.startswith(label) and node != label]
    if not below:
        return sha256(b"\x01" + label.encode()).digest()[:16]
    halves = (min((node for node in below if node.startswith(label + bit)), key=len) for bit in "01")
    return sha256(b"\x02" + b"".join(defined_hash(held, half) for half in halves)).digest()[:16]


@given(keys)
@EXAMPLES
def test_the_nodes_are_the_keys_and_the_longest_common_prefixes_of_two(held):
    assert {word for word in WORDS if has_node(held, word)} == nodes_of(held)


@given(keys, st.sampled_from(WORDS))
@EXAMPLES
def test_the_keys_with_a_prefix_are_one_range(held, word):
    low, high = place(held, word)
    assert held[low:high] == tuple(key for key in held if key.startswith(word))


@given(keys, st.sampled_from(WORDS))
@EXAMPLES
def test_the_least_extension_of_a_word_is_the_shortest_label_that_it_is_a_prefix_of(held, word):
    extensions = [node for node in nodes_of(held) if node.startswith(word)]
    assert least_extension(held, word) == min(extensions, key=len, default=None)


@given(keys)
@EXAMPLES
def test_an_inner_node_has_the_nearest_node_on_either_side_as_child_and_a_leaf_has_none(held):
    for label in nodes_of(held):
        halves = [[node for node in nodes_of(held) if node.startswith(label + bit)] for bit in "01"]
        below = tuple(min(half, key=len) for half in halves if half)
        assert children(held, label) == below
        assert len(below) == (0 if label in held else 2)


@given(keys)
@EXAMPLES
def test_every_hash_is_that_of_the_format(held):
    for label in nodes_of(held):
        assert summary(held, label, hash_of_children) == Summary(label, defined_hash(held, label).hex())


@given(keys, keys)
@EXAMPLES
def test_two_tries_have_one_root_if_and_only_if_they_are_equal(one, other):
    assert (root(one, hash_of_children) == root(other, hash_of_children)) == (one == other)


def test_the_empty_trie_has_a_root_of_its_own_and_no_node():
    assert root((), hash_of_children) == Summary("", sha256(b"\x03").digest()[:16].hex()) == Summary("", EMPTY_HASH)
    assert not has_node((), "")
    assert least_extension((), "") is None


def test_a_leaf_cannot_pass_for_an_inner_node():
    one, other = hash_of_label("0"), hash_of_label("1")
    assert combined(one, other) != combined(other, one)
    assert combined(one, other) not in (one, other, hash_of_label(one + other))


def test_with_the_printed_formula_tries_that_differ_two_levels_below_their_roots_look_alike():
    one, other = ("000", "001", "010", "100"), ("000", "010", "011", "100")
    below = [children(held, "") for held in (one, other)]
    assert below == [("0", "100")] * 2
    assert root(one, printed_inner_hash) == root(other, printed_inner_hash)
    assert root(one, hash_of_children) != root(other, hash_of_children)


@pytest.mark.parametrize(
    ("one", "other", "prefix"),
    [("", "01", ""), ("01", "01", "01"), ("010", "01", "01"), ("010", "001", "0"), ("1", "0", "")],
)
def test_the_common_prefix_of_two_words_is_the_longest(one, other, prefix):
    assert common_prefix(one, other) == prefix
