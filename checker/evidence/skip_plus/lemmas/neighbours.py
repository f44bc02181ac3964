"""A lemma on neighbours: a definition without ranges."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from random import Random

import z3

from gomboc.checker.evidence.skip_plus.encodings.strings import (
    Strings,
    constants,
    is_neighbour,
    names,
    share,
    values,
    variables,
)
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_plus.errata import neighbours_within_oneself
from gomboc.spec.protocols.skip_plus.names import string_of
from gomboc.spec.protocols.skip_plus.ranges import (
    meets,
    neighbours,
    predecessor,
    range_at,
    ranges,
    successor,
    with_next_bit,
)
from gomboc.spec.protocols.skip_plus.space import Names

SIZES = tuple((nodes, length) for nodes in range(2, 6) for length in (1, 2, 3))
"""Pairs of a number of nodes and the length of their strings."""

AT_ONESELF = 0
"""How far the end of a range is that ends at the node itself."""

Neighbours = Callable[[str, Names], Names]


def one_next_bit(strings: Strings, me: int, other: int) -> Term:
    """Whether at some common level all nodes between that share those bits have the same next one."""
    between = range(min(me, other) + 1, max(me, other))

    def at(level: int) -> Term:
        here = [(share(strings, me, node, level), strings[node][level]) for node in between]
        same = [z3.And([z3.Implies(there, bit == wanted) for there, bit in here]) for wanted in (False, True)]
        return z3.And(share(strings, me, other, level), z3.Or(same))

    return z3.Or([at(level) for level in range(len(strings[me]))])


Claim = Callable[[Strings, int, int], Term]


def _each_pair(claim: Claim) -> Iterator[Obligation]:
    for nodes, length in SIZES:
        strings = variables(nodes, length)
        for me, other in permutations(range(nodes), 2):
            name = f"n = {nodes}, {length} bits, nodes {me} and {other}"
            read = partial(values, strings=strings, me=me, other=other)
            yield Obligation(name, claim(strings, me, other), (), read)


def _characterised(strings: Strings, me: int, other: int, lacking: int | None = None) -> Term:
    return is_neighbour(strings, me, other, lacking) == one_next_bit(strings, me, other)


def _replay_one_bit(model: Values) -> Replayed:
    there = names(model["strings"])
    me, other = there[model["me"]], there[model["other"]]
    return Replayed(other in neighbours(me, there), other in neighbours_within_oneself(me, there))


def _agrees(random: Random) -> Sample:
    length = random.randint(1, 3)
    strings = ["".join(random.choice("01") for _ in range(length)) for _ in range(random.randint(2, 5))]
    me = random.randrange(len(strings))
    others = [index for index in range(len(strings)) if index != me]
    terms = constants(strings)
    encoded = [
        [index for index in others if truth(is_neighbour(terms, me, index, lacking))] for lacking in (None, AT_ONESELF)
    ]
    there = names(strings)
    ways: tuple[Neighbours, ...] = (neighbours, neighbours_within_oneself)
    specified = [[index for index in others if there[index] in way(there[me], there)] for way in ways]
    return Sample((strings, me), encoded, specified)


TIED = (string_of, with_next_bit, predecessor, successor, range_at, ranges, meets, neighbours)

PROOFS = {
    "neighbours_have_one_next_bit_between": Proof(
        (
            Attempt(partial(_each_pair, _characterised)),
            Attempt(partial(_each_pair, partial(_characterised, lacking=AT_ONESELF)), _replay_one_bit),
        ),
        _agrees,
        TIED,
    )
}
