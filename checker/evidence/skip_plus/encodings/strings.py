"""Nodes in the order of their ids, each with a string of bits; nothing else of them matters.

A node is its place in that order. Distances are counted in places, and an end that is lacking is as far as it is said
to be: beyond all nodes, if ranges are unbounded there.
"""

from collections.abc import Sequence
from functools import lru_cache, reduce

import z3

from gomboc.checker.prove.evaluate import value
from gomboc.checker.prove.lemma import Model, Term, Values
from gomboc.spec.protocols.skip_plus.names import SEPARATOR
from gomboc.spec.protocols.skip_plus.space import Names


class Strings(tuple[Sequence[Term], ...]):
    """For each node the bits of its string. Equal to itself only, so that terms about it are made once."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def variables(nodes: int, length: int) -> Strings:
    """Strings that range over everything."""
    return Strings([z3.Bool(f"bit_{index}_{level}") for level in range(length)] for index in range(nodes))


def constants(strings: Sequence[str]) -> Strings:
    """Strings that are known."""
    return Strings([z3.BoolVal(bit == "1") for bit in string] for string in strings)


def names(strings: Sequence[str]) -> Names:
    """Nodes with those strings, in the order of their ids."""
    return tuple(f"{index:02d}{SEPARATOR}{string}" for index, string in enumerate(strings))


def values(model: Model, *, strings: Strings, **others: int) -> Values:
    """The strings in an assignment, and the places of some nodes."""
    return {"strings": ["".join("01"[value(model, bit)] for bit in string) for string in strings], **others}


@lru_cache(maxsize=1 << 12)
def share(strings: Strings, one: int, other: int, length: int) -> Term:
    """Whether two nodes have so many bits in common at their beginning."""
    pairs = zip(strings[one][:length], strings[other][:length], strict=True)
    return z3.And([first == second for first, second in pairs])


def is_next(strings: Strings, me: int, node: int, level: int, bit: bool) -> Term:
    """Whether a node shares the first bits, and has that bit next. Source: Slide 15."""
    return z3.And(share(strings, me, node, level), strings[node][level] == bit)


def end(strings: Strings, me: int, towards: Sequence[int], level: int, bit: bool, lacking: int) -> Term:
    """How far it is to the nearest node in that direction with that next bit; `lacking` if there is none.

    Source: Slide 15, pred* and succ*
    """
    term: Term = z3.IntVal(lacking)
    for node in reversed(towards):
        term = z3.If(is_next(strings, me, node, level, bit), z3.IntVal(abs(node - me)), term)
    return term


def side(strings: Strings, me: int, other: int) -> Sequence[int]:
    """The nodes on the side of `me` where another one is, the nearest first."""
    return range(me + 1, len(strings)) if other > me else range(me - 1, -1, -1)


def reaches(strings: Strings, me: int, other: int, level: int, lacking: int) -> Term:
    """Whether another node lies in the range of `me` at a level. Source: Slide 15, range*."""
    ends = [end(strings, me, side(strings, me, other), level, bit, lacking) for bit in (False, True)]
    farther = reduce(lambda one, two: z3.If(one > two, one, two), ends)
    return z3.IntVal(abs(other - me)) <= farther


@lru_cache(maxsize=1 << 12)
def is_neighbour(strings: Strings, me: int, other: int, lacking: int | None = None) -> Term:
    """Whether another node is a neighbour: it lies in the range of a level that both have in common.

    Source: Slide 15; Slide 21
    """
    beyond = len(strings) if lacking is None else lacking
    levels = range(len(strings[me]))
    return z3.Or(
        [z3.And(share(strings, me, other, level), reaches(strings, me, other, level, beyond)) for level in levels]
    )
