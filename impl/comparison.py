"""Comparing one's trie with a neighbour's, hash by hash from the root on: what to say to whom.

Whoever runs this says who its neighbours are and what it holds, and has messages of its own for what is said here.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from gomboc.impl.automaton import RandomSource
from gomboc.impl.trie import EMPTY, Inner, Prefix, Trie, TrieTuple


class Answer(NamedTuple):
    """What to tell whoever has spoken of its trie: nodes of one's own; besides, that what begins with `lacks` lacks."""

    told: tuple[TrieTuple, ...]
    lacks: Prefix | None = None


def partner(neighbours: Sequence[str], random: RandomSource) -> str | None:
    """One of the neighbours, each as likely as any other; None if there is none."""
    return neighbours[int(random.random() * len(neighbours))] if neighbours else None


def answers(holdings: Trie[Any], said: Iterable[TrieTuple]) -> Iterator[Answer]:
    """One answer for each node of the other trie that was spoken of and is not the same here."""
    for prefix, digest in said:
        answer = _answer(holdings, prefix, digest)
        if answer is not None:
            yield answer


def agreed(holdings: Trie[Any], said: Iterable[TrieTuple]) -> Iterator[Prefix]:
    """The prefixes of those nodes of the other trie that are the same here: both tries hold the same beneath them.

    The hash is worked out here, since a cache may be corrupted.
    """
    for prefix, digest in said:
        node = holdings.beneath(prefix)
        if node is not None and node.prefix == prefix and node.digest().hex() == digest:
            yield prefix


def _answer(holdings: Trie[Any], prefix: Prefix, digest: str) -> Answer | None:
    """Source: Feldmann et al., Section 4.2, cases (i) to (iii)"""
    if not holdings and (prefix, digest) == EMPTY:
        return None
    node = holdings.beneath(prefix)
    if node is None:
        return Answer((), prefix)
    own = holdings.told(node)
    if node.prefix != prefix:
        missing = "0" if node.prefix[len(prefix)] == "1" else "1"
        return Answer((own,), prefix + missing)
    # The printed "else" belongs to the search: a leaf has one key, so with another hash it is a corrupted cache.
    if own[1] == digest or not isinstance(node, Inner):
        return None
    zero, one = node.children
    return Answer((holdings.told(zero), holdings.told(one)))
