"""The same abstract model on plain values: tries that are built, messages that are sent one after the other."""

from collections import deque
from collections.abc import Callable, Iterator
from itertools import groupby, takewhile
from typing import Any

import msgspec


class Trie(msgspec.Struct, frozen=True):
    """A node of a Patricia trie with what is below it.

    Source: Section 4.2
    """

    label: str
    children: tuple["Trie", ...] = ()

    def nodes(self) -> Iterator["Trie"]:
        """This node and all below it, from above."""
        yield self
        for child in self.children:
            yield from child.nodes()


Hash = Callable[[Trie], Any]
"""What stands for the hash of a node."""


def of_hashes(trie: Trie) -> Any:
    """The hash of a leaf is that of its label, of an inner node that of its children's hashes."""
    return tuple(map(of_hashes, trie.children)) or trie.label


def of_labels(trie: Trie) -> Any:
    """The same with the children's labels, as the formula is printed."""
    return tuple(child.label for child in trie.children) or trie.label


def build(keys: set[str]) -> Trie:
    """The Patricia trie of a set of keys that is not empty."""
    label = _common_prefix(min(keys), max(keys))
    parts = (set(part) for _, part in groupby(sorted(keys - {label}), lambda key: key[len(label)]))
    return Trie(label, tuple(map(build, parts)))


def _common_prefix(one: str, other: str) -> str:
    """What the first and the last of several strings in order share, all of them share."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(bit for bit, _ in same)


class Message(msgspec.Struct, frozen=True):
    """To `target`: check these nodes; and send all publications with that prefix, if there is one."""

    target: int
    nodes: tuple[Trie, ...]
    prefix: str | None = None


def exchange(first: set[str], second: set[str], hash_of: Hash = of_hashes) -> tuple[set[str], set[str]]:
    """What each of two subscribers is sent in one exchange that the first one starts.

    Source: Algorithm 5, lines 1-28
    """
    tries = tuple(tuple(build(held).nodes()) if held else () for held in (first, second))
    delivered: tuple[set[str], set[str]] = set(), set()
    channel = deque([Message(1, tries[0][:1])])
    while channel:
        message = channel.popleft()
        mine, other = tries[message.target], 1 - message.target
        if message.prefix is not None:
            held = (first, second)[message.target]
            delivered[other].update(key for key in held if key.startswith(message.prefix))
        for node in message.nodes:
            channel.extend(_answer(node, mine, other, hash_of))
    return delivered


def _answer(node: Trie, mine: tuple[Trie, ...], other: int, hash_of: Hash) -> Iterator[Message]:
    """Source: Algorithm 5, lines 12-23."""
    found = next((one for one in mine if one.label == node.label), None)
    if found is not None:
        if found.children and hash_of(found) != hash_of(node):
            yield Message(other, found.children)
        return
    nearest = next((one for one in mine if one.label.startswith(node.label)), None)
    if nearest is None:
        yield Message(other, (), node.label)
    else:
        bit = nearest.label[len(node.label)]
        yield Message(other, (nearest,), node.label + ("1" if bit == "0" else "0"))
