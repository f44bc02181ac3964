from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.publishing.trie import EMPTY, Inner, Trie
from tests.impl.publications import all_keys, key_of, naive_hash, naive_nodes, shared

KEYS = st.integers(1, 9).flatmap(
    lambda bits: st.lists(st.integers(0, 2**bits - 1).map(lambda number: f"{number:0{bits}b}"), max_size=40)
)
LONG_KEYS = [key_of("a", number, "", 256) for number in range(2_000)]


def trie_of(keys):
    trie = Trie()
    for key in keys:
        trie.insert(key, key)
    return trie


def nodes(trie):
    """Every node by its label, found from the root on."""
    root = trie.beneath("")
    waiting, nodes_by_prefix = [] if root is None else [root], {}
    while waiting:
        node = waiting.pop()
        nodes_by_prefix[node.prefix] = node
        waiting += node.children if isinstance(node, Inner) else []
    return nodes_by_prefix


def told(trie):
    return dict(trie.told(node) for node in nodes(trie).values())


@given(KEYS)
def test_labels_and_hashes_are_those_of_the_definition_whatever_the_order_of_insertion(keys):
    trie = trie_of(keys)
    assert told(trie) == naive_nodes(set(keys))
    assert trie.root()[1] == naive_hash(set(keys)).hex()


@given(KEYS, st.randoms(use_true_random=False))
def test_they_still_are_after_removals_with_every_hash_asked_for_in_between(keys, random):
    trie, left = trie_of(keys), set(keys)
    for key in random.sample(keys, len(keys)):
        assert told(trie) == naive_nodes(left)
        assert trie.remove(key) == (key in left)
        left.discard(key)
        if random.random() < 0.3:
            assert trie.insert(key, key)
            left.add(key)
    assert told(trie) == naive_nodes(left)
    assert len(trie) == len(left)


@given(KEYS, st.text("01", max_size=10))
def test_what_is_beneath_a_prefix_is_what_begins_with_it_in_order(keys, prefix):
    trie = trie_of(keys)
    expected = sorted({key for key in keys if key.startswith(prefix)})
    assert list(trie.items(prefix)) == expected
    node = trie.beneath(prefix)
    assert (node.prefix if node else None) == (shared(expected) if expected else None)


@given(KEYS, KEYS)
def test_a_key_is_contained_if_it_was_inserted(keys, others):
    trie = trie_of(keys)
    for key in all_keys(len(keys[0]) if keys else 3):
        assert (key in trie) == (key in keys)


def test_a_key_that_is_there_is_not_replaced():
    trie = trie_of(["010"])
    assert not trie.insert("010", "another")
    assert list(trie.items()) == ["010"]
    assert len(trie) == 1


def test_what_is_not_there_cannot_be_removed():
    assert not Trie().remove("010")
    assert not trie_of(["011", "000"]).remove("010")


def test_the_empty_trie_has_a_root_without_a_node():
    assert Trie().root() == EMPTY == ("", naive_hash([]).hex())
    assert Trie().beneath("") is None
    assert list(Trie().items()) == []


def test_the_longest_keys_are_hashed_too():
    assert trie_of(LONG_KEYS).root()[1] == naive_hash(LONG_KEYS).hex()


def test_an_insertion_or_removal_drops_no_hash_beside_its_path():
    trie = trie_of(LONG_KEYS[:-1])
    for change in (lambda key: trie.insert(key, key), trie.remove):
        trie.root()
        assert change(LONG_KEYS[-1])
        dropped = [node for node in nodes(trie).values() if isinstance(node, Inner) and node.digest_cached is None]
        assert 0 < len(dropped) < 40
        assert all(LONG_KEYS[-1].startswith(node.prefix) for node in dropped)


def test_the_deepest_trie_can_be_hashed():
    keys = ["1" * ones + "0" * (256 - ones) for ones in range(257)]
    assert told(trie_of(keys)) == naive_nodes(keys)


def test_a_corrupted_hash_is_told_in_place_of_the_right_one_of_a_node_that_is_there():
    trie = Trie({"0": "f" * 32, "1": "e" * 32})
    for key in ("000", "011", "100"):
        trie.insert(key, key)
    right = naive_nodes(["000", "011", "100"])
    assert told(trie) == right | {"0": "f" * 32}


def test_the_root_of_the_empty_trie_cannot_be_corrupted():
    assert Trie({"": "f" * 32}).root() == EMPTY
