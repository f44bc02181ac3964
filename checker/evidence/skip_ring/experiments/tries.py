"""A model of Section 4.2: Patricia tries over keys of a few bits, two subscribers, and Algorithm 5 between them.

A set of publications is a number, in which bit k stands for the key with the number k. Hash functions are ideal: two
hashes are equal only if they were made of equal values. Messages are handled in the order in which they were sent.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import product

import msgspec

BITS = 3
"""The length of keys that is looked at: the shortest with which the two formulas differ."""


class Formula(Enum):
    """How the hash of an inner node is computed."""

    OF_LABELS = "of the labels of the child nodes"
    """The formula: h(h(c1.label) o h(c2.label))."""
    OF_HASHES = "of the hashes of the child nodes"
    """The sentence before it: the hash of the concatenation of the hashes of t's child nodes."""


class Node(msgspec.Struct, frozen=True):
    """A node of a trie: its label, its hash, its children, of which a leaf has none, and the publications below it."""

    label: str
    hash: int
    children: tuple["Node", ...]
    below: int


class Trie(msgspec.Struct, frozen=True):
    """A Patricia trie that is not empty: its root, its nodes by label, and for each word the closest node below it.

    `closest` holds, for each word that is a prefix of some label, the node with the shortest such label.
    """

    root: Node
    nodes: Mapping[str, Node]
    closest: Mapping[str, Node]


def keys_of(publications: int, bits: int) -> tuple[str, ...]:
    """The keys of a set of publications, in order."""
    return tuple(format(number, f"0{bits}b") for number in range(2**bits) if publications >> number & 1)


def with_prefix(prefix: str, bits: int) -> int:
    """All publications with keys that begin with `prefix`."""
    length = bits - len(prefix)
    first = int(prefix, 2) << length if prefix else 0
    return ((1 << (1 << length)) - 1) << first


def common_prefix(keys: tuple[str, ...]) -> str:
    """The longest common prefix of some keys in ascending order."""
    first, last = keys[0], keys[-1]
    length = next((index for index in range(len(first)) if first[index] != last[index]), len(first))
    return first[:length]


@cache
def forest(bits: int, formula: Formula) -> tuple[Trie | None, ...]:
    """The trie of every set of publications, by its number; none of the empty set."""
    hashes: dict[object, int] = {}
    return (None, *(_trie(keys_of(number, bits), formula, hashes) for number in range(1, 2 ** (2**bits))))


def _trie(keys: tuple[str, ...], formula: Formula, hashes: dict[object, int]) -> Trie:
    root = _node(keys, formula, hashes)
    nodes = sorted(_nodes(root), key=lambda node: len(node.label))
    words = ("".join(word) for length in range(len(keys[0]) + 1) for word in product("01", repeat=length))
    below = ((word, [node for node in nodes if node.label.startswith(word)]) for word in words)
    return Trie(root, {node.label: node for node in nodes}, {word: matching[0] for word, matching in below if matching})


def _node(keys: tuple[str, ...], formula: Formula, hashes: dict[object, int]) -> Node:
    label = common_prefix(keys)
    below = sum(1 << int(key, 2) for key in keys)
    if len(keys) == 1:
        return Node(label, hashes.setdefault(label, len(hashes)), (), below)
    halves = (tuple(key for key in keys if key[len(label)] == bit) for bit in "01")
    children = tuple(_node(half, formula, hashes) for half in halves)
    labels = tuple(hashes.setdefault(child.label, len(hashes)) for child in children)
    of = labels if formula is Formula.OF_LABELS else tuple(child.hash for child in children)
    return Node(label, hashes.setdefault(of, len(hashes)), children, below)


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


class Message(msgspec.Struct, frozen=True):
    """CheckTrie of some nodes; with a prefix, CheckAndPublish. `to` is 0 for the initiator, 1 for the other node."""

    to: int
    nodes: tuple[Node, ...]
    prefix: str | None = None


class Exchanged(msgspec.Struct, frozen=True):
    """Publications of both after an exchange, the labels that each was to check, and the publications sent to each."""

    sets: tuple[int, int]
    checks: tuple[tuple[int, tuple[str, ...]], ...]
    published: tuple[tuple[int, int], ...]


def exchange(initiator: int, other: int, bits: int, formula: Formula) -> Exchanged:
    """One CheckTrie of the initiator's root, and everything that follows from it. Source: Section 4.2; Algorithm 5."""
    tries, sets = forest(bits, formula), [initiator, other]
    published: list[tuple[int, int]] = []
    messages = [Message(1, (_there(tries[initiator]).root,))]
    for message in messages:
        here, sender = _there(tries[sets[message.to]]), 1 - message.to
        for node in message.nodes:
            messages += _answer(here, sender, node)
        if message.prefix is not None:
            matching = sets[message.to] & with_prefix(message.prefix, bits)
            published.append((sender, matching))
            sets[sender] |= matching
    checks = tuple((message.to, tuple(node.label for node in message.nodes)) for message in messages)
    return Exchanged((sets[0], sets[1]), checks, tuple(published))


def _there(trie: Trie | None) -> Trie:
    assert trie is not None, "no trie of this model is empty"
    return trie


def _answer(here: Trie, sender: int, asked: Node) -> tuple[Message, ...]:
    """Answer to the check of one node, given by its label and hash. Source: Algorithm 5, lines 12-23."""
    node = here.nodes.get(asked.label)
    if node is not None:
        return (Message(sender, node.children),) if node.hash != asked.hash and node.children else ()
    below = here.closest.get(asked.label)
    return (Message(sender, () if below is None else (below,), prefix_asked(here, asked.label)),)


def prefix_asked(here: Trie, label: str) -> str:
    """The prefix that is requested if there is no node with that label. Source: Algorithm 5, lines 19-23."""
    below = here.closest.get(label)
    return label if below is None else label + ("1" if below.label[len(label)] == "0" else "0")


def pairs(bits: int) -> Iterator[tuple[int, int]]:
    """Every ordered pair of different sets of publications that are not empty."""
    sets = range(1, 2 ** (2**bits))
    return ((one, other) for one in sets for other in sets if one != other)


class End(msgspec.Struct, frozen=True):
    """Where two sets end if both initiate in turn until nothing changes, and how often both did."""

    one: int
    other: int
    turns: int


@cache
def exchanges(bits: int, formula: Formula) -> dict[tuple[int, int], Exchanged]:
    """The exchange that the first of a pair begins, for every pair."""
    return {pair: exchange(*pair, bits, formula) for pair in pairs(bits)}


@cache
def ends(bits: int, formula: Formula) -> dict[tuple[int, int], End]:
    """Where every pair ends, the first of it initiating first."""
    after = {pair: exchanged.sets for pair, exchanged in exchanges(bits, formula).items()}
    return {pair: _end(pair, after) for pair in after}


def _end(pair: tuple[int, int], after: Mapping[tuple[int, int], tuple[int, int]]) -> End:
    turns, before = 0, None
    while pair[0] != pair[1] and pair != before:
        before, turns = pair, turns + 1
        one, other = after[pair]
        if one != other:
            other, one = after[other, one]
        pair = one, other
    return End(*pair, turns)
