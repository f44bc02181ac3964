"""Comparing one's trie with another node's, hash by hash from the root on: what to answer.

Whoever compares says what it holds, and has messages of its own for what is said here.

Source: Feldmann et al., Section 4.2
"""

from collections.abc import Callable

import msgspec

from gomboc.spec.trie import EMPTY_HASH, Keys, Summary, children, has_node, least_extension

Held = Callable[[str], Summary]
"""What is held of the node with that label, its hash right or not."""


class Answer(msgspec.Struct, frozen=True):
    """What to tell whoever has spoken of its trie: nodes of one's own; besides, that what begins with `lacks` lacks."""

    told: tuple[Summary, ...]
    lacks: str | None = None


def answer(keys: Keys, asked: Summary, held: Held) -> Answer | None:
    """What to answer to one tuple: nothing, the children of a node that differs, or a request for what is missing.

    The empty trie has no node; its root is equal to that of another empty one.

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
    """Ask for what begins with that prefix, of which there is nothing here, or only something on one side.

    Source: Feldmann et al., Section 4.2 (iii)
    """
    closest = least_extension(keys, prefix)
    if closest is None:
        return Answer((), prefix)
    other_side = "1" if closest[len(prefix)] == "0" else "0"
    return Answer((held(closest),), prefix + other_side)
