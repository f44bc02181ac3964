"""Comparison of two nodes' tries, hash by hash from the root down: the answer to one tuple.

The protocol that compares passes the summaries that it holds, and puts the answer into its own messages.

Source: Feldmann et al., Section 4.2
"""

from collections.abc import Callable

import msgspec

from gomboc.spec.publishing.trie import EMPTY_HASH, Keys, Summary, children, has_node, least_extension

Held = Callable[[str], Summary]
"""The summary that is held of the trie node with that label, whether its hash is right or not."""


class Answer(msgspec.Struct, frozen=True):
    """Answer to a summary of another node's trie: summaries held here, and the prefix of keys that are missing here."""

    told: tuple[Summary, ...]
    lacks: str | None = None


def answer(keys: Keys, asked: Summary, held: Held) -> Answer | None:
    """The answer to one tuple: None, the children of a trie node that differs, or a request for missing publications.

    The empty trie has no node; its root equals that of another empty trie.

    Source: Feldmann et al., Section 4.2 (i) to (iii)
    """
    if has_node(keys, asked.prefix):
        below = children(keys, asked.prefix)
        if not below or held(asked.prefix).hash == asked.hash:
            return None
        return Answer(tuple(held(child) for child in below))
    if not keys and asked == Summary("", EMPTY_HASH):
        return None
    return request(keys, asked.prefix, held)


def request(keys: Keys, prefix: str, held: Held) -> Answer:
    """Request the keys that begin with that prefix, of which none are held here, or only keys on one side.

    Source: Feldmann et al., Section 4.2 (iii)
    """
    closest = least_extension(keys, prefix)
    if closest is None:
        return Answer((), prefix)
    other_side = "1" if closest[len(prefix)] == "0" else "0"
    return Answer((held(closest),), prefix + other_side)
