"""Patricia tries as sets of keys, and one exchange of CheckTrie and CheckAndPublish, as terms.

A publication is its key; a trie follows from a set of keys; two hashes are equal if and only if the values they are
taken of are equal; and publications that arrive are stored when the exchange is over.
"""

from collections.abc import Callable
from itertools import product

import z3

from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term

NEVER = z3.BoolVal(False)
Keys = dict[str, Term]
"""For each key, whether its publication is there."""


def keys(bits: int, name: str) -> Keys:
    """Any set of keys of so many bits."""
    return {key: z3.Bool(f"{name}.{key}") for key in words(bits)}


def words(bits: int) -> tuple[str, ...]:
    """All strings of so many bits."""
    return tuple(map("".join, product("01", repeat=bits)))


def prefixes(bits: int) -> tuple[str, ...]:
    """All strings of at most so many bits, the shorter ones first."""
    return tuple(word for length in range(bits + 1) for word in words(length))


def bits_of(trie: Keys) -> int:
    """The length of the keys."""
    return len(next(iter(trie)))


def has(trie: Keys, prefix: str) -> Term:
    """Whether some key begins so."""
    return z3.Or(*(there for key, there in trie.items() if key.startswith(prefix)))


def is_node(trie: Keys, label: str) -> Term:
    """Whether the trie has a node with that label: a key, or where keys part. Source: Section 4.2, Patricia trie."""
    if len(label) == bits_of(trie):
        return trie[label]
    return z3.And(has(trie, label + "0"), has(trie, label + "1"))


def is_top(trie: Keys, prefix: str, label: str) -> Term:
    """Whether `label` is that of the shortest node that begins with `prefix`."""
    outside = (there for key, there in trie.items() if key.startswith(prefix) and not key.startswith(label))
    return z3.And(is_node(trie, label), z3.Not(z3.Or(*outside)))


SameHash = Callable[[Keys, Keys, str], Term]
"""Whether two tries that both have a node with that label have the same hash there."""


def same_contents(one: Keys, other: Keys, label: str) -> Term:
    """Hashes of the children's hashes: equal if and only if the same keys are below. Source: Section 4.2, Figure 2."""
    return z3.And(*(there == other[key] for key, there in one.items() if key.startswith(label)))


def same_child_labels(one: Keys, other: Keys, label: str) -> Term:
    """Hashes of the children's labels, as the formula has it: equal if and only if these are.

    Source: Section 4.2, t.hash := h(h(c1(t).label) o h(c2(t).label))
    """
    below = [word for word in prefixes(bits_of(one)) if word.startswith(label) and word != label]
    return z3.And(
        *(
            is_top(one, label + bit, w) == is_top(other, label + bit, w)
            for bit in "01"
            for w in below
            if w.startswith(label + bit)
        )
    )


class Exchange:
    """One exchange that the first of two tries starts with its root, and the keys that it sends to each."""

    def __init__(self, first: Keys, second: Keys, same_hash: SameHash) -> None:
        self._tries = first, second
        self._same_hash = same_hash
        self._labels = prefixes(bits_of(first))
        self._checked = dict.fromkeys(self._labels, NEVER), dict.fromkeys(self._labels, NEVER)
        self.delivered = dict.fromkeys(first, NEVER), dict.fromkeys(first, NEVER)
        self._check(1, "", z3.Not(has(first, "")))  # the empty trie has a root
        for label in self._labels:
            self._check(1, label, is_top(first, "", label))
        for label in self._labels:
            for at in range(2):
                self._take(at, label)

    def _check(self, at: int, label: str, when: Term) -> None:
        """A CheckTrie about the other's node with that label is sent to `at`."""
        self._checked[at][label] = z3.Or(self._checked[at][label], when)

    def _take(self, at: int, label: str) -> None:
        """Step of `at` for a node of the other's trie. Source: Algorithm 5, lines 11-23."""
        checked, mine, other = self._checked[at][label], self._tries[at], 1 - at
        matches = z3.And(checked, is_node(mine, label))
        differs = z3.And(matches, z3.Not(self._same_hash(*self._tries, label)))
        for below in (word for word in self._labels if word.startswith(label) and word != label):
            bit = below[len(label)]
            self._check(other, below, z3.And(differs, is_top(mine, label + bit, below)))
            nearest = z3.And(checked, z3.Not(is_node(mine, label)), is_top(mine, label, below))
            self._check(other, below, nearest)
            self._publish(at, label + ("1" if bit == "0" else "0"), nearest)
        self._publish(at, label, z3.And(checked, z3.Not(has(mine, label))))

    def _publish(self, at: int, prefix: str, when: Term) -> None:
        """All publications with that prefix are sent to `at`. Source: Algorithm 5, lines 25-28."""
        for key, there in self._tries[1 - at].items():
            if key.startswith(prefix):
                self.delivered[at][key] = z3.Or(self.delivered[at][key], z3.And(when, there))


def missing(at: Keys, other: Keys) -> Keys:
    """The keys that the other has and `at` has not."""
    return {key: z3.And(other[key], z3.Not(there)) for key, there in at.items()}


def read(model: Model, trie: Keys) -> list[str]:
    """The keys of an assignment."""
    return [key for key, there in trie.items() if value(model, there)]
