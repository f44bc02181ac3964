"""Lemma 20 and the example of Section 4.2, on the model: p, t and the requested prefix, for every pair of tries."""

from collections.abc import Mapping
from functools import cache

import msgspec

from gomboc.checker.errata.claim import Evidence, Figure, settled
from gomboc.checker.evidence.skip_ring.experiments.tries import (
    BITS,
    Exchanged,
    Formula,
    Node,
    Trie,
    ends,
    exchange,
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


Way = tuple[Node, ...]
"""A node of a trie, last, and all nodes above it, the root first."""


@cache
def choices() -> tuple[Choice, ...]:
    """Every choice that Lemma 20 allows, for every ordered pair in which u has a publication that v misses."""
    tries = forest(BITS, Formula.OF_HASHES)
    numbered = [(number, trie) for number, trie in enumerate(tries) if trie is not None]
    return tuple(
        _choice(one, other, way, theirs)
        for one, mine in numbered
        for ways in (_ways(mine),)
        for other, theirs in numbered
        if one & ~other
        for way in _to_lowest_missing(ways, other)
    )


def _choice(one: int, other: int, way: Way, theirs: Trie) -> Choice:
    t = next((node for node in way if node.label not in theirs.nodes), None)
    return Choice(one, other, way[-1], t, "" if t is None else prefix_asked(theirs, t.label))


def _ways(trie: Trie) -> list[Way]:
    """The way to each node, that with the shortest label first."""
    nodes = trie.nodes.values()
    return [tuple(above for above in nodes if node.label.startswith(above.label)) for node in nodes]


def _to_lowest_missing(ways: list[Way], other: int) -> list[Way]:
    """The ways to the nodes of u.T with the shortest labels below which v has none of u's publications."""
    missing = [way for way in ways if not way[-1].below & other]
    return [way for way in missing if len(way[-1].label) == len(missing[0][-1].label)]


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


def t_can_be_chosen() -> Evidence:
    """Whether t exists; and whether the lemma's conclusion is true all the same."""
    without = [choice for choice in choices() if choice.t is None]
    ended = ends(BITS, Formula.OF_HASHES).values()
    smallest = min(without, key=Choice.size)
    return Evidence(
        settled(not without),
        {
            "cases": len(choices()),
            "without": len(without),
            "mine": list(keys_of(smallest.mine, BITS)),
            "theirs": list(keys_of(smallest.theirs, BITS)),
            "p": smallest.p.label or "the empty word",
            "pairs": len(ended),
            "turns": max(end.turns for end in ended),
        },
        {"every pair becomes equal": all(end.one == end.other for end in ended)},
    )


def t_is_asked_for() -> Evidence:
    """Whether u sends CheckTrie(u, t) to v, in the exchange that u begins or in the one that v begins."""
    eligible = [choice for choice in choices() if choice.t is not None]
    silent = [choice for choice in eligible if not is_asked(choice)]
    pairs_with = {(choice.mine, choice.theirs) for choice in choices()}
    dry = [pair for pair in pairs_with if not brings_something(*pair)]
    smallest = min(silent, key=Choice.size)
    return Evidence(
        settled(not silent),
        {
            "cases": len(eligible),
            "silent": len(silent),
            "never": sum(not is_asked_later(choice) for choice in silent),
            "pairs": len(pairs_with),
            "dry": len(dry),
            **example("one", smallest),
        },
        {
            "of every two exchanges, one brings a node a publication": all(moves(*pair) for pair in pairs_with),
            "after more exchanges every pair is equal": all(
                e.one == e.other for e in ends(BITS, Formula.OF_HASHES).values()
            ),
        },
    )


def prefix_is_the_label_of_p() -> Evidence:
    """Whether p' is the label of p, wherever t exists."""
    eligible = [choice for choice in choices() if choice.t is not None]
    other = [choice for choice in eligible if choice.prefix != choice.p.label]
    shorter = [choice for choice in other if choice.p.label.startswith(choice.prefix)]
    apart = [choice for choice in other if not choice.p.label.startswith(choice.prefix)]
    longer = [choice for choice in apart if choice.prefix.startswith(choice.p.label)]
    figures: dict[str, Figure] = {"cases": len(eligible), "other": len(other)}
    figures |= {"shorter": len(shorter), "longer": len(longer), "beside": len(other) - len(shorter) - len(longer)}
    return Evidence(
        settled(not other),
        figures | example("one", min(shorter, key=Choice.size)) | example("two", min(longer, key=Choice.size)),
        {
            "a shorter p' selects the publications below p": all(
                published(candidate) == candidate.p.below for candidate in shorter
            ),
            "a longer one, or one beside p, does not": not any(
                published(candidate) == candidate.p.below for candidate in apart
            ),
            "u always publishes something for p'": all(published(choice) for choice in eligible),
            "all of it is missing in v": not any(published(choice) & choice.theirs for choice in eligible),
        },
    )


def example_of_figure_2() -> Evidence:
    """The messages and publications of the example of Section 4.2, started at u and at v."""
    u, v = (sum(1 << int(key, 2) for key in keys) for keys in (("000", "010", "100", "101"), ("000", "010", "100")))
    at_u, at_v = exchange(u, v, BITS, Formula.OF_HASHES), exchange(v, u, BITS, Formula.OF_HASHES)
    sent = len(at_v.checks) + len(at_v.published)
    return Evidence(
        settled(len(at_u.checks) == 2 and not at_u.published and at_v.sets == (u, u) and sent == 4),
        {
            "at_u": len(at_u.checks),
            "at_v": sent,
            "delivered": [key for _, keys in at_v.published for key in keys_of(keys, BITS)],
        },
        {"v misses 101 before": keys_of(u & ~v, BITS) == ("101",)},
    )


def one_sided() -> Evidence:
    """Where every pair ends if only the first of the two ever initiates."""
    after = {pair: exchanged.sets for pair, exchanged in exchanges(BITS, Formula.OF_HASHES).items()}
    stuck = [pair for pair in after if _alone(pair, after)]
    ended = ends(BITS, Formula.OF_HASHES).values()
    first = min(stuck, key=lambda pair: (pair[0].bit_count() + pair[1].bit_count(), pair))
    return Evidence(
        settled(bool(stuck) and all(end.one == end.other for end in ended)),
        {
            "stuck": len(stuck),
            "pairs": len(after),
            "one": list(keys_of(first[0], BITS)),
            "other": list(keys_of(first[1], BITS)),
        },
    )


def _alone(pair: tuple[int, int], after: Mapping[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether a pair stays different if only the first initiates."""
    while pair[0] != pair[1] and after[pair] != pair:
        pair = after[pair]
    return pair[0] != pair[1]
