"""The Patricia trie: chains of nodes with one child are merged, so every inner node has two.

Each node caches its hash. Insertion and removal drop the cached hashes on one path, and a hash is computed again on
request: so both cost as much as a key has bits, for any number of keys, and so does each comparison of hashes.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Generic, Protocol, TypeVar

from msgspec import Meta

from gomboc.impl.core.vocabulary import Fault, Rule

LONGEST_KEY = 256
"""The most bits that a key may have."""


class KeyBits(Protocol):
    """Parameters with the number of bits of a key."""

    @property
    def key_bits(self) -> int:
        """The number of bits of each key."""


def _wrong_key(key: str, parameters: KeyBits | None) -> Fault:
    if parameters is None or len(key) == parameters.key_bits:
        return None
    return f"its key {key!r} has not {parameters.key_bits} bits"


def _wrong_prefix(prefix: str, parameters: KeyBits | None) -> Fault:
    if parameters is None or len(prefix) <= parameters.key_bits:
        return None
    return f"its prefix {prefix!r} has more than {parameters.key_bits} bits"


Key = Annotated[str, Meta(pattern=rf"\A[01]{{1,{LONGEST_KEY}}}\Z"), Rule(_wrong_key)]
"""A key; its number of bits is one of the parameters, if there are any."""
Prefix = Annotated[str, Meta(pattern=rf"\A[01]{{0,{LONGEST_KEY}}}\Z"), Rule(_wrong_prefix)]
"""The first bits of a key, with the same parameters."""
Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]
TrieTuple = tuple[Prefix, Hash]
"""Prefix and hash of a trie node, as nodes exchange them."""
TrieTuples = Annotated[tuple[TrieTuple, ...], Meta(max_length=2)]
"""Those in one message."""

Item = TypeVar("Item")

_LEAF, _INNER, _EMPTY = b"\x01", b"\x02", b"\x03"
_BYTES = 16


def _hashed(text: bytes) -> bytes:
    return sha256(text).digest()[:_BYTES]


EMPTY: TrieTuple = ("", _hashed(_EMPTY).hex())
"""The root of the empty trie."""


class Leaf(Generic[Item]):
    """A node that stores an item; its prefix is the item's whole key."""

    __slots__ = ("item", "prefix")

    def __init__(self, key: str, item: Item) -> None:
        self.prefix = key
        self.item = item

    def digest(self) -> bytes:
        """The hash of the key; not cached, since a large trie is mostly leaves, whose hashes are hardly asked for.

        Source: Feldmann et al., Section 4.2, "the hash value of a leaf node"
        """
        return _hashed(_LEAF + self.prefix.encode())


class Inner(Generic[Item]):
    """A node with two children; its prefix, of `depth` bits, is the longest that theirs have in common."""

    __slots__ = ("depth", "digest_cached", "one", "zero")

    def __init__(self, depth: int, zero: "Node[Item]", one: "Node[Item]") -> None:
        self.depth = depth
        self.zero, self.one = zero, one
        self.digest_cached: bytes | None = None

    @property
    def prefix(self) -> str:
        """The first bits of every key below it; read from one of them, as text would take more memory than all else."""
        node: Node[Item] = self.zero
        while isinstance(node, Inner):
            node = node.zero
        return node.prefix[: self.depth]

    @property
    def children(self) -> "tuple[Node[Item], Node[Item]]":
        """The nodes for the bits 0 and 1 after the prefix."""
        return self.zero, self.one

    def towards(self, key: str) -> "Node[Item]":
        """The child on the way to a key that is longer than the prefix."""
        return self.one if key[self.depth] == "1" else self.zero

    def replace_towards(self, key: str, node: "Node[Item]") -> None:
        """Put another child on the way to the key."""
        if key[self.depth] == "1":
            self.one = node
        else:
            self.zero = node

    def digest(self) -> bytes:
        """The hash of the children's hashes.

        Source: Feldmann et al., Section 4.2, "If t is an inner node"; with hashes where it prints names
        """
        if self.digest_cached is None:
            self.digest_cached = _hashed(_INNER + self.zero.digest() + self.one.digest())
        return self.digest_cached


Node = Leaf[Item] | Inner[Item]


class Trie(Generic[Item]):
    """Items by their keys: bit strings, all of one length.

    `corrupted` are hashes that a node with that prefix has in place of the right one, as long as they are not emptied.
    """

    __slots__ = ("_root", "_size", "corrupted")

    def __init__(self, corrupted: Mapping[str, str] | None = None) -> None:
        self._root: Node[Item] | None = None
        self._size = 0
        self.corrupted: Mapping[str, str] = {} if corrupted is None else corrupted

    def __len__(self) -> int:
        """How many items there are."""
        return self._size

    def __contains__(self, key: str) -> bool:
        """Whether an item has this key."""
        return self.get(key) is not None

    def get(self, key: str) -> Item | None:
        """The item with this key; None if there is none."""
        node = self._root
        while isinstance(node, Inner):
            node = node.towards(key)
        return None if node is None or node.prefix != key else node.item

    def insert(self, key: str, item: Item) -> bool:
        """Store an item under its key, unless one is stored there already; whether it was stored."""
        path, nearest = self._way(key)
        if nearest is None:
            self._root = Leaf(key, item)
        elif nearest.prefix == key:
            return False
        else:
            fork = len(key) - (int(key, 2) ^ int(nearest.prefix, 2)).bit_length()
            above = [ancestor for ancestor in path if ancestor.depth < fork]
            beside = path[len(above)] if len(above) < len(path) else nearest
            leaf = Leaf(key, item)
            children = (beside, leaf) if key[fork] == "1" else (leaf, beside)
            self._replace(above, key, Inner(fork, *children))
        self._size += 1
        return True

    def remove(self, key: str) -> bool:
        """Remove the item with this key; whether there was one. Its sibling takes the place of their parent."""
        path, leaf = self._way(key)
        if leaf is None or leaf.prefix != key:
            return False
        if path:
            zero, one = path.pop().children
            self._replace(path, key, one if zero is leaf else zero)
        else:
            self._root = None
        self._size -= 1
        return True

    def beneath(self, prefix: str) -> Node[Item] | None:
        """The node with the shortest prefix that begins with the prefix: the root of all that is stored beneath it."""
        node = self._root
        while isinstance(node, Inner) and node.depth < len(prefix):
            node = node.towards(prefix)
        return node if node is not None and node.prefix.startswith(prefix) else None

    def items(self, prefix: str = "") -> Iterator[Item]:
        """The items with this prefix of their keys, in the order of their keys."""
        top = self.beneath(prefix)
        waiting = [] if top is None else [top]
        while waiting:
            node = waiting.pop()
            if isinstance(node, Inner):
                waiting += node.one, node.zero
            else:
                yield node.item

    def altered(self, prefix: str, added: Collection[str], removed: Collection[str]) -> tuple[TrieTuple, list[Prefix]]:
        """Prefix and right hash of the node beneath a prefix if it had these keys as well, and had not the others.

        Besides, prefixes of all keys beneath it that stay: below each of them nothing is changed.
        """
        changed = sorted(key for key in {*added, *removed} if key.startswith(prefix))
        top = self.beneath(prefix)
        stay = [] if top is None else [*_unchanged(top, changed, removed)]
        new = [(key, Leaf(key, None).digest()) for key in changed if key in added and key not in self]
        blocks = sorted(stay + new)
        return (_whole(blocks) if blocks else EMPTY), [block for block, _ in stay]

    def root(self) -> TrieTuple:
        """Prefix and hash of the root."""
        return EMPTY if self._root is None else self.told(self._root)

    def told(self, node: Node[Item]) -> TrieTuple:
        """Prefix and hash of a node as messages carry them, the hash as the cache has it."""
        return node.prefix, self.corrupted.get(node.prefix) or node.digest().hex()

    def told_beneath(self, prefix: str) -> TrieTuple | None:
        """The node beneath a prefix, as messages carry it; None if there is none."""
        node = self.beneath(prefix)
        return None if node is None else self.told(node)

    def told_children(self, prefix: str) -> tuple[TrieTuple, TrieTuple] | None:
        """The children of the node with this prefix, as messages carry them; None if it is a leaf."""
        node = self.beneath(prefix)
        return (self.told(node.zero), self.told(node.one)) if isinstance(node, Inner) else None

    def _way(self, key: str) -> tuple[list[Inner[Item]], Leaf[Item] | None]:
        """The inner nodes from the root on to a leaf that has as many first bits in common with the key as any."""
        path: list[Inner[Item]] = []
        node = self._root
        while isinstance(node, Inner):
            path.append(node)
            node = node.towards(key)
        return path, node

    def _replace(self, above: list[Inner[Item]], key: str, node: Node[Item]) -> None:
        """Put the node where the way to the key leads from the last of those above it, and drop their hashes."""
        if above:
            above[-1].replace_towards(key, node)
        else:
            self._root = node
        for ancestor in above:
            ancestor.digest_cached = None


def _unchanged(node: Node[Item], changed: Sequence[str], removed: Collection[str]) -> Iterator[tuple[Prefix, bytes]]:
    """Prefixes and hashes of the greatest nodes beneath this one with none of the changed keys, and of leaves left."""
    prefix = node.prefix
    at = bisect_left(changed, prefix)
    if at == len(changed) or not changed[at].startswith(prefix):
        yield prefix, node.digest()
    elif isinstance(node, Inner):
        yield from _unchanged(node.zero, changed, removed)
        yield from _unchanged(node.one, changed, removed)
    elif prefix not in removed:
        yield prefix, node.digest()


def _whole(blocks: Sequence[tuple[Prefix, bytes]]) -> TrieTuple:
    """Prefix and hash of the trie whose lowest nodes these are, in the order of their prefixes."""
    digest, depth = _joined(blocks, 0, len(blocks))
    return blocks[0][0][:depth], digest.hex()


def _joined(blocks: Sequence[tuple[Prefix, bytes]], low: int, high: int) -> tuple[bytes, int]:
    first, last = blocks[low][0], blocks[high - 1][0]
    if high - low == 1:
        return blocks[low][1], len(first)
    depth = next(at for at, (bit, other) in enumerate(zip(first, last, strict=False)) if bit != other)
    middle = bisect_left(blocks, (first[:depth] + "1",), low, high)
    return _hashed(_INNER + _joined(blocks, low, middle)[0] + _joined(blocks, middle, high)[0]), depth
