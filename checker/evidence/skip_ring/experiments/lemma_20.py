"""The choices of Lemma 20, for every pair of tries of the model: p, t, and the requested prefix."""

from functools import cache

import msgspec

from gomboc.checker.errata.claim import Figure
from gomboc.checker.evidence.skip_ring.experiments.tries import (
    BITS,
    Exchanged,
    Formula,
    Node,
    Trie,
    exchanges,
    forest,
    keys_of,
    prefix_asked,
    with_prefix,
)


class Choice(msgspec.Struct, frozen=True):
    """A choice of Lemma 20 for the sets of u and v: p; t, if there is one; and the prefix that v then requests."""

    mine: int
    theirs: int
    p: Node
    t: Node | None
    prefix: str

    def size(self) -> tuple[int, int, int]:
        """By which the smallest is the smallest."""
        return self.mine.bit_count() + self.theirs.bit_count(), self.mine, self.theirs


@cache
def choices() -> tuple[Choice, ...]:
    """Every choice that Lemma 20 allows, for every ordered pair in which u has a publication that v misses."""
    tries = forest(BITS, Formula.OF_HASHES)
    numbered = [(number, trie) for number, trie in enumerate(tries) if trie is not None]
    return tuple(
        _choice(one, other, p, mine, theirs)
        for one, mine in numbered
        for other, theirs in numbered
        if one & ~other
        for p in _lowest_missing(mine, other)
    )


def _choice(one: int, other: int, p: Node, mine: Trie, theirs: Trie) -> Choice:
    fitting = [n for n in mine.nodes.values() if p.label.startswith(n.label) and n.label not in theirs.nodes]
    t = min(fitting, key=lambda n: len(n.label), default=None)
    return Choice(one, other, p, t, "" if t is None else prefix_asked(theirs, t.label))


def _lowest_missing(mine: Trie, other: int) -> list[Node]:
    """The nodes of u.T with the shortest labels below which v has none of u's publications."""
    missing = [node for node in mine.nodes.values() if not node.below & other]
    return [node for node in missing if len(node.label) == len(missing[0].label)]


def both_exchanges(one: int, other: int) -> tuple[Exchanged, Exchanged]:
    """The exchange that u begins, and the one that v begins."""
    every = exchanges(BITS, Formula.OF_HASHES)
    return every[one, other], every[other, one]


def is_asked(choice: Choice) -> bool:
    """Whether u sends CheckTrie(u, t) to v in either exchange."""
    assert choice.t is not None, "those without t are left out"
    of_u, of_v = both_exchanges(choice.mine, choice.theirs)
    label = choice.t.label
    return any(to == 1 and label in checked for to, checked in of_u.checks) or any(
        to == 0 and label in checked for to, checked in of_v.checks
    )


def is_asked_later(choice: Choice) -> bool:
    """Whether u sends CheckTrie(u, t) to v if u and v begin in turn until their tries are equal, whichever begins."""
    return any(_is_asked_in_turn(choice, u_begins) for u_begins in (True, False))


def _is_asked_in_turn(choice: Choice, u_begins: bool) -> bool:
    assert choice.t is not None, "those without t are left out"
    every = exchanges(BITS, Formula.OF_HASHES)
    one, other = choice.mine, choice.theirs
    while one != other:
        begun = every[one, other] if u_begins else every[other, one]
        if any(to == u_begins and choice.t.label in checked for to, checked in begun.checks):
            return True
        one, other = begun.sets if u_begins else begun.sets[::-1]
        u_begins = not u_begins
    return False


def brings_something(one: int, other: int) -> bool:
    """Whether either exchange brings v something."""
    of_u, of_v = both_exchanges(one, other)
    return of_u.sets[1] != other or of_v.sets[0] != other


def moves(one: int, other: int) -> bool:
    """Whether either exchange brings anybody something."""
    of_u, of_v = both_exchanges(one, other)
    return of_u.sets != (one, other) or of_v.sets != (other, one)


def published(choice: Choice) -> int:
    """The publications that u sends for the prefix that v requests."""
    return choice.mine & with_prefix(choice.prefix, BITS)


def example(name: str, choice: Choice) -> dict[str, Figure]:
    """A choice as figures with names that begin with `name`."""
    assert choice.t is not None, "those without t are left out"
    return {
        f"{name}_mine": list(keys_of(choice.mine, BITS)),
        f"{name}_theirs": list(keys_of(choice.theirs, BITS)),
        f"{name}_p": choice.p.label,
        f"{name}_t": choice.t.label or "the empty word",
        f"{name}_prefix": choice.prefix,
    }
