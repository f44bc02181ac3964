"""Neighbours in a row of any number of nodes with strings of any length: the axioms of closure."""

from collections.abc import Iterator
from functools import cache, partial
from random import Random
from typing import Any, NamedTuple

import z3

from gomboc.checker.evidence.skip_plus.encodings.row import BIT, COMMON, KNOWN, LIVE, Row, everywhere
from gomboc.checker.evidence.skip_plus.encodings.strings import names
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_plus.errata import neighbours_within_oneself
from gomboc.spec.protocols.skip_plus.names import prefix_length, string_of
from gomboc.spec.protocols.skip_plus.ranges import contains, neighbours, predecessor, range_at, successor, with_next_bit

BOTH_SIDES = (False, True)


def _read(row: Row, nodes: dict[str, Term], model: Model) -> Values:
    """The nodes of an assignment with strings of one bit."""
    named = {name: row.name(model, node) for name, node in nodes.items()}
    return {"live": row.names(model), "known": row.names(model, KNOWN), **named}


def _levels(row: Row, *names: str) -> list[Term]:
    """Some levels, and that they are."""
    levels = [z3.Int(name) for name in names]
    row.levels += levels
    return levels


def _symmetric(unbounded: bool = True) -> Iterator[Obligation]:
    """Of a node and another one; or where a range ends at the node itself if no node is there."""
    row = Row()
    me, other = row.live("me", "other")
    (level,) = _levels(row, "level")
    lacking = everywhere if unbounded else nowhere
    claim = row.lies(me, level, other, lacking) == row.lies(other, level, me, lacking)
    assumed = (me != other, level >= 0, level < row.length, COMMON(me, other) >= level, *_one_bit(row, unbounded))
    read = partial(_read, row, {"me": me, "other": other})
    yield Obligation("at each common level", claim, (*assumed, *row.axioms()), read)


def nowhere(node: Term) -> Term:
    """That no node lies beyond the node itself."""
    del node
    return z3.BoolVal(False)


def _sufficient(all_known: bool = True) -> Iterator[Obligation]:
    """The ends of a range among the nodes that one node knows: those that lie in its range, and maybe more."""
    row = Row()
    (me,) = row.live("me")
    (level,) = _levels(row, "level")
    sides = [(row.ends(me, level, LIVE, up), row.ends(me, level, KNOWN, up)) for up in BOTH_SIDES]
    claim = z3.And([_same(one, other) for live, known in sides for one, other in zip(live, known, strict=True)])
    known = [z3.Implies(KNOWN.has(node), LIVE.has(node)) for node in row.nodes]
    for node in row.nodes if all_known else ():
        seen = z3.And(LIVE.has(node), node != me, COMMON(me, node) >= level, row.lies(me, level, node))
        known.append(z3.Implies(seen, KNOWN.has(node)))
    assumed = (level >= 0, level < row.length, *known, *row.axioms(), *_one_bit(row, all_known))
    yield Obligation("at each level", claim, assumed, partial(_read, row, {"me": me}))


def _same(one: tuple[Term, Term], other: tuple[Term, Term]) -> Term:
    return z3.And(one[0] == other[0], z3.Implies(one[0], one[1] == other[1]))


def _one_bit(row: Row, proved: bool) -> tuple[Term, ...]:
    """For counterexamples: strings of one bit."""
    return () if proved else (row.length == 1,)


def _between(both_known: bool = True) -> Iterator[Obligation]:
    """Two neighbours of `me` that share the same number of bits with it, and are no neighbours of one another.

    Between them lies another such node: the next one after the first that shares the bits of the second.
    """
    row = Row()
    me, low, high = row.live("me", "low", "high")
    shared, at, beside = _levels(row, "shared", "at", "beside")
    common = COMMON(low, high)
    level = z3.If(common < row.length, common, row.length - 1)
    one, node = row.nearest(low, level, True, LIVE, True)
    zero, other = row.nearest(low, level, False, LIVE, True)
    there, between = z3.If(BIT(high, level), one, zero), z3.If(BIT(high, level), node, other)
    near = z3.Or(row.lies(me, at, between), row.lies(me, beside, between))
    between_is_near = z3.And(there, low < between, between < high, COMMON(me, between) == shared, near)
    claim = z3.Or(row.lies(low, level, high), between_is_near)
    assumed = [low < high, *[COMMON(me, node) == shared for node in (low, high)], shared < row.length]
    assumed += [z3.And(one >= 0, one <= shared) for one in (at, beside)]
    if both_known:
        assumed += [row.lies(me, at, low), row.lies(me, beside, high)]
    else:
        # No other one lies between, so that the system of the nodes that occur is a counterexample.
        inner = [z3.And(LIVE.has(node), low < node, node < high, COMMON(me, node) == shared) for node in row.nodes]
        near = [row.lies(me, at, node) for node in row.nodes]
        assumed += [z3.Not(z3.And(*pair)) for pair in zip(inner, near, strict=True)]
    nodes = {"me": me, "low": low, "high": high}
    assumed += [*row.axioms(), *_one_bit(row, both_known)]
    yield Obligation("at the last common level", claim, tuple(assumed), partial(_read, row, nodes))


def _replay_symmetric(values: Values) -> Replayed:
    me, other, live = values["me"], values["other"], values["live"]
    return Replayed(other in neighbours_within_oneself(me, live), me in neighbours_within_oneself(other, live))


def _replay_sufficient(values: Values) -> Replayed:
    return Replayed(range_at(values["me"], values["live"], 0), range_at(values["me"], values["known"], 0))


def _replay_between(values: Values) -> Replayed:
    """Whether a neighbour of `me` lies between the two, or they are neighbours."""
    me, low, high, live = values["me"], values["low"], values["high"], values["live"]
    beside = [node for node in neighbours(me, live) if prefix_length(me, node) == prefix_length(me, low)]
    return Replayed(True, high in neighbours(low, live) or any(low < node < high for node in beside))


class _Drawn(NamedTuple):
    """Some nodes in a row, one of them `me`, with what the axioms say of them at a level."""

    row: Row
    axioms: tuple[Term, ...]
    lies: list[Term]
    commons: list[Term]


ME, LEVEL = z3.Ints("me level")


@cache
def _row_of(count: int, length: int) -> _Drawn:
    """So many nodes with strings of that length: the terms are the same for all, and take longest to make."""
    row = Row()
    row.nodes += [z3.IntVal(index) for index in range(count)]
    row.levels += [z3.IntVal(at) for at in range(length)]
    live = row.nodes[:]
    lies = [row.lies(ME, LEVEL, node) for node in live]
    return _Drawn(row, (row.length == length, *row.axioms()), lies, [COMMON(ME, node) for node in live])


def _agrees(random: Random) -> Sample:
    """The nodes in the range of a node at a level, and the common prefixes, by the axioms and by the specification."""
    length = random.randint(1, 3)
    strings = ["".join(random.choice("01") for _ in range(length)) for _ in range(random.randint(1, 5))]
    live = names(strings)
    me, level = random.randrange(len(live)), random.randrange(length)
    row, axioms, lies, commons = _row_of(len(live), length)
    solver = z3.Solver()
    solver.add(me == ME, level == LEVEL, *axioms, *_drawn(row, strings))
    assert solver.check() == z3.sat, "a row that is there"
    model = solver.model()
    encoded = [z3.is_true(model.eval(term, model_completion=True)) for term in lies]
    shared = [model.eval(term, model_completion=True).as_long() for term in commons]
    wrong = z3.Or([term != truth for term, truth in zip((*lies, *commons), (*encoded, *shared), strict=True)])
    assert solver.check(wrong) == z3.unsat, "the axioms leave something open"
    bounds = range_at(live[me], live, level)
    specified = [contains(bounds, node) for node in live], [prefix_length(live[me], node) for node in live]
    return Sample((strings, me, level), (encoded, shared), specified)


def _drawn(row: Row, strings: list[str]) -> Iterator[Term]:
    """That these nodes take part, with those strings, and no others."""
    for node in row.nodes:
        yield LIVE.has(node) == z3.And(node >= 0, node < len(strings))
    for index, string in enumerate(strings):
        yield from (BIT(index, level) == (bit == "1") for level, bit in enumerate(string))


TIED: tuple[Any, ...] = (string_of, prefix_length, with_next_bit, predecessor, successor, range_at, contains)

PROOFS = {
    "neighbours_are_symmetric": Proof(
        (Attempt(_symmetric), Attempt(partial(_symmetric, unbounded=False), _replay_symmetric)), _agrees, TIED
    ),
    "neighbours_suffice_for_ranges": Proof(
        (Attempt(_sufficient), Attempt(partial(_sufficient, all_known=False), _replay_sufficient)), _agrees, TIED
    ),
    "others_lie_between_those_that_are_no_neighbours": Proof(
        (Attempt(_between), Attempt(partial(_between, both_known=False), _replay_between)), _agrees, TIED
    ),
}
