"""The Patricia trie of a set of keys, as functions of that set: no node of it is ever stored.

Keys are a tuple of distinct bit strings of one length, ascending. The nodes of their trie are the keys themselves and
the longest common prefixes of any two of them. The keys below a label are a range of the tuple.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Any

import msgspec

from gomboc.spec.types.fields import Ascending, AtMost, Holds

Keys = tuple[str, ...]

HASH_BYTES = 16
"""The number of bytes of SHA-256 that a hash keeps."""

SOURCE = "Feldmann et al., Section 4.2"
_HASH = re.compile(f"[0-9a-f]{{{2 * HASH_BYTES}}}")


def _not_a_hash(parameters: Any, text: str) -> str | None:
    del parameters
    return None if _HASH.fullmatch(text) else f"{2 * HASH_BYTES} hexadecimal digits"


def _not_a_prefix(parameters: Any, text: str) -> str | None:
    bits = getattr(parameters, "key_bits", None)
    return f"at most {bits} bits" if bits is not None and (text.strip("01") or len(text) > bits) else None


_PREFIX_FORM = msgspec.Meta(extra_json_schema={"pattern": "^[01]{0,256}$"})
_HASH_FORM = msgspec.Meta(extra_json_schema={"pattern": f"^{_HASH.pattern}$"})

Prefix = Annotated[str, Holds(_not_a_prefix, source=SOURCE), _PREFIX_FORM]
"""A label in a trie: bits, no more than a key has; without publications, nothing is asked of it."""


class Summary(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """A trie node as a message has it: its label, which is a prefix of keys, and its hash.

    Source: Feldmann et al., Section 4.2, "we only store t.label and t.hash"
    """

    prefix: Prefix
    hash: Annotated[str, Holds(_not_a_hash, source=SOURCE), _HASH_FORM]


Hashes = Annotated[tuple[Summary, ...], Ascending(attrgetter("prefix"), source=SOURCE)]
"""Hashes that a node holds, ascending by label."""

Summaries = Annotated[tuple[Summary, ...], AtMost(2, source=SOURCE), msgspec.Meta(extra_json_schema={"maxItems": 2})]
"""The trie nodes of one message: a root, or the two children of a node."""

InnerHash = Callable[[Summary, Summary], str]
"""The hash of an inner node, given its child for 0 and its child for 1."""


def _hash(content: bytes) -> str:
    return sha256(content).digest()[:HASH_BYTES].hex()


EMPTY_HASH = _hash(b"\3")
"""The hash of the empty trie; its root has the empty label."""


@lru_cache(maxsize=1 << 17)
def hash_of_label(label: str) -> str:
    """h(label), which is the hash of a leaf with that label.

    Source: Feldmann et al., Section 4.2, "h(t.label)"
    """
    return _hash(b"\1" + label.encode("ascii"))


def combined(one: str, other: str) -> str:
    """The hash of the concatenation of two hashes, apart from the hashes of labels.

    Source: Feldmann et al., Section 4.2, "the hash of the concatenation"
    """
    return _hash(b"\2" + bytes.fromhex(one) + bytes.fromhex(other))


def hash_of_children(one: Summary, other: Summary) -> str:
    """The hash of an inner node: that of the concatenation of its children's hashes.

    Source: Feldmann et al., Section 4.2, the sentence (Deviation: not the formula, which hashes their labels)
    """
    return combined(one.hash, other.hash)


def place(keys: Keys, prefix: str) -> tuple[int, int]:
    """The range of keys with that prefix: its first index in `keys`, and the index after its last."""
    low = bisect_left(keys, prefix)
    return low, bisect_left(keys, prefix + "2", low)


def common_prefix(one: str, other: str) -> str:
    """The longest common prefix of two bit strings."""
    if one == other:
        return one
    length = next((at for at, (bit, rival) in enumerate(zip(one, other, strict=False)) if bit != rival), None)
    return min(one, other, key=len) if length is None else one[:length]


def least_extension(keys: Keys, prefix: str) -> str | None:
    """The shortest label of a trie node with that prefix; None if there is no such node.

    Source: Feldmann et al., Section 4.2 (iii)
    """
    low, high = place(keys, prefix)
    return common_prefix(keys[low], keys[high - 1]) if low < high else None


def has_node(keys: Keys, label: str) -> bool:
    """Whether there is a node with that label.

    Source: Feldmann et al., Section 4.2
    """
    return least_extension(keys, label) == label


def children(keys: Keys, label: str) -> tuple[str, ...]:
    """The labels of the two children of the node with that label; none of a leaf.

    Source: Feldmann et al., Section 4.2 (ii)
    """
    labels = [least_extension(keys, label + bit) for bit in "01"]
    return tuple(child for child in labels if child is not None)


def summary(keys: Keys, label: str, inner: InnerHash) -> Summary:
    """The label and the hash of the trie node with that label, which must exist."""
    low, high = place(keys, label)
    return Summary(label, _hash_of(keys, low, high, inner, _known(keys, inner)))


@lru_cache(maxsize=512)
def _known(keys: Keys, inner: InnerHash) -> dict[tuple[int, int], str]:
    """Cache of the hashes of that trie, by the range of the keys below a node; empty at first."""
    del keys, inner
    return {}


def _hash_of(keys: Keys, low: int, high: int, inner: InnerHash, known: dict[tuple[int, int], str]) -> str:
    if (low, high) in known:
        return known[low, high]
    label = common_prefix(keys[low], keys[high - 1])
    if high - low == 1:
        return hash_of_label(label)
    middle = bisect_left(keys, label + "1", low, high)
    below = [
        Summary(common_prefix(keys[first], keys[last - 1]), _hash_of(keys, first, last, inner, known))
        for first, last in ((low, middle), (middle, high))
    ]
    known[low, high] = inner(*below)
    return known[low, high]


def root(keys: Keys, inner: InnerHash) -> Summary:
    """The root of the trie; that of the empty one has the empty label.

    Source: Feldmann et al., Section 4.2, r_v (Deviation: the empty trie has a root)
    """
    label = least_extension(keys, "")
    return Summary("", EMPTY_HASH) if label is None else summary(keys, label, inner)
