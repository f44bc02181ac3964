"""The consequences of the invariant for every n, by rank: each best successor is nearer to every principal."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from random import Random

import z3

from gomboc.checker.evidence.chord.encodings.circle import WIDE, named, places, read, skips
from gomboc.checker.prove.evaluate import number, truth
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord.lists import examined_stored, in_order, unskipped
from gomboc.spec.protocols.chord.names import Circle

LONGEST = 4
"""The longest list of successors."""

SMALL = Circle(4, "number")


def distance(size: Term, low: Term, high: Term) -> Term:
    """The clockwise distance from one place to another; once around to itself."""
    return z3.If(high > low, high - low, high - low + size)


def is_ordered(size: Term, me: Term, listed: tuple[Term, ...]) -> Term:
    """Whether a list goes around once at most, and names no node twice, nor the node itself."""
    distances = [distance(size, me, entry) for entry in listed]
    return z3.And(*(entry != me for entry in listed), *(low < high for low, high in pairwise(distances)))


def best(listed: tuple[Term, ...], live: tuple[Term, ...], otherwise: Term) -> Term:
    """The first entry that lives; `otherwise` if there is none."""
    term = otherwise
    for entry, lives in zip(reversed(listed), reversed(live), strict=True):
        term = z3.If(lives, entry, term)
    return term


def comes_nearer(size: Term, me: Term, at: Term, principal: Term) -> Term:
    """Whether a step from `me` is a part of the way to a principal, and not nothing."""
    left = z3.If(at == principal, 0, distance(size, at, principal))
    return distance(size, me, at) + left == distance(size, me, principal)


def _nearer(
    fewer: int = 0, entries: bool = True, lives: bool = True, grows: bool = False, small: bool = False
) -> Iterator[Obligation]:
    """With one list of each length, and r + 1 principals or so many fewer; of a ring that grows, with one."""
    size, me = places("size", "me")
    for r in range(1, LONGEST + 1):
        principals = places(*(f"principal_{index}" for index in range(1 if grows else r + 1 - fewer)))
        for length in range(1, r + 1):
            listed = places(*(f"entry_{index}" for index in range(length)))
            live = tuple(z3.Bool(f"live_{index}") for index in range(length))
            at = best(listed, live, me)
            nearer = [z3.Implies(me != one, comes_nearer(size, me, at, one)) for one in principals]
            premises = (
                *(z3.And(place >= 0, place < size) for place in (me, *listed, *principals)),
                *((z3.Distinct(*principals),) if len(principals) > 1 else ()),
                *(z3.Not(skips(me, listed, one)) for one in principals),
                *((_principals_live(listed, live, principals),) if lives else ()),
                *((z3.And(live) if grows else z3.Or(live),) if entries else ()),
                *((size == WIDE.size(),) if small else ()),
            )
            values = partial(read, me=me, listed=listed, live=live, principals=principals)
            claim = z3.And(*(() if grows else (is_ordered(size, me, listed),)), *nearer)
            yield Obligation(f"r = {r}, a list of {length}", claim, premises, values)


def _principals_live(listed: tuple[Term, ...], live: tuple[Term, ...], principals: tuple[Term, ...]) -> Term:
    pairs = [*zip(listed, live, strict=True)]
    return z3.And([z3.Implies(entry == one, lives) for entry, lives in pairs for one in principals])


def _specified(circle: Circle, me: int, listed: list[int], live: list[bool], principals: list[int]) -> list[bool]:
    """Whether that list is in order, and its first live entry nearer to each principal, by the specification."""
    name, entries = named(me), tuple(map(named, listed))
    at = next((entry for entry, lives in zip(entries, live, strict=True) if lives), name)
    ways = []
    for principal in map(named, principals):
        left = 0 if at == principal else circle.distance(at, principal)
        nearer = circle.distance(name, at) + left == circle.distance(name, principal)
        ways.append(principal == name or nearer)
    return [in_order(circle, name, entries), *ways]


def _replay(model: Values) -> Replayed:
    """All true is expected, unless some list skips one of the principals."""
    me, listed, live, principals = (model[name] for name in ("me", "listed", "live", "principals"))
    names = tuple(map(named, principals))
    if unskipped(WIDE, names, ((named(me), tuple(map(named, listed))),)) != names:
        return Replayed((), ())
    found = _specified(WIDE, me, listed, live, principals)
    return Replayed([True] * len(found), found)


def _agrees(random: Random) -> Sample:
    """A ring by the terms and by the specification: the order of lists, ways to principals, and cycles."""
    count = random.randint(1, 6)
    members = sorted(random.sample(range(SMALL.size()), count))
    gone = [place for place in range(SMALL.size()) if place not in members]
    lists = {me: _list(random, me, members, gone) for me in members}
    stored = tuple((named(me), tuple(map(named, listed))) for me, listed in lists.items())
    ring = examined_stored(SMALL, stored)
    principals = [me for me in members if named(me) in ring.principals]
    encoded, specified, steps = [], [], dict[int, int | None]()
    size = z3.IntVal(SMALL.size())
    for me, listed in lists.items():
        live = [entry in members for entry in listed]
        terms = tuple(map(z3.IntVal, listed))
        at = best(terms, tuple(map(z3.BoolVal, live)), z3.IntVal(me))
        nearer = [z3.Or(one == me, comes_nearer(size, z3.IntVal(me), at, z3.IntVal(one))) for one in principals]
        encoded.append([truth(term) for term in (is_ordered(size, z3.IntVal(me), terms), *nearer)])
        specified.append(_specified(SMALL, me, listed, live, principals))
        steps[me] = number(at) if any(live) or not listed else None
    rings = {frozenset(cycle) for cycle in ring.rings}
    return Sample((members, lists), (encoded, _cycles(steps)), (specified, rings))


def _list(random: Random, me: int, members: list[int], gone: list[int]) -> list[int]:
    """The next members, mostly; a crashed node, or any places, among them."""
    at = members.index(me)
    ideal = [*members[at + 1 :], *members[:at]][: random.randint(0, 3)]
    if random.random() < 0.3:
        ideal.insert(random.randint(0, len(ideal)), random.choice(gone))
    if random.random() < 0.2:
        random.shuffle(ideal)
    return ideal


def _cycles(steps: dict[int, int | None]) -> set[frozenset[str]]:
    """The cycles to which those steps lead."""
    cycles = set()
    for start in steps:
        at: int | None = start
        way: list[int] = []
        while at is not None and at not in way:
            way.append(at)
            at = steps[at]
        if at is not None:
            cycles.add(frozenset(map(named, way[way.index(at) :])))
    return cycles


PROOFS = {
    "best_successors_come_nearer_to_each_principal": Proof(
        (
            Attempt(_nearer),
            Attempt(partial(_nearer, grows=True)),
            Attempt(partial(_nearer, fewer=1, small=True), _replay),
            Attempt(partial(_nearer, entries=False, small=True), _replay),
            Attempt(partial(_nearer, lives=False, small=True), _replay),
        ),
        _agrees,
        (in_order, unskipped, examined_stored),
        {"longest": LONGEST},
    ),
}
