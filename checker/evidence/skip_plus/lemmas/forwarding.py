"""Lemmas on Rule 2: the node that takes a temporary edge over is nearer to its end than the node before."""

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
from gomboc.spec.protocols.skip_plus.names import prefix_length
from gomboc.spec.protocols.skip_plus.ranges import neighbours
from gomboc.spec.protocols.skip_plus.rules import View, next_hop

SIZES = tuple((nodes, length) for nodes in (4, 5) for length in (1, 2, 3))
"""Pairs of a number of nodes and a length of strings. Between nodes that are no neighbours there are two at least."""

Better = Callable[[Strings, int, int, int], Term]


def shares_more(strings: Strings, hop: int, node: int, than: int) -> Term:
    """Whether one node shares more bits with the temporary neighbour than another does."""
    length = len(strings[node])
    return z3.Or(
        [
            z3.And(share(strings, hop, node, level + 1), z3.Not(share(strings, than, node, level + 1)))
            for level in range(length)
        ]
    )


def is_hop(strings: Strings, me: int, node: int, hop: int) -> Term:
    """Whether a stable neighbour is the one to which a temporary one is moved: most bits, and of those the nearest.

    Source: Slide 22, Rule 2
    """
    others = [other for other in range(len(strings)) if other not in (me, node, hop)]
    nearer = [other for other in others if (other > hop if node > me else other < hop)]
    none_shares_more = [
        z3.Implies(is_neighbour(strings, me, other), z3.Not(shares_more(strings, other, node, hop))) for other in others
    ]
    none_is_nearer = [
        z3.Implies(is_neighbour(strings, me, other), shares_more(strings, hop, node, other)) for other in nearer
    ]
    return z3.And(is_neighbour(strings, me, hop), *none_shares_more, *none_is_nearer)


def gets_nearer(strings: Strings, me: int, node: int, hop: int) -> Term:
    """More common bits; or all strings are equal, and it lies between."""
    between = min(me, node) < hop < max(me, node)
    equal = share(strings, me, node, len(strings[me]))
    return z3.Or(shares_more(strings, hop, node, me), z3.And(equal, z3.BoolVal(between)))


def on_this_side(me: int, node: int, hop: int) -> Term:
    """Whether it does not lie beyond the temporary neighbour."""
    return z3.BoolVal(hop < node if node > me else hop > node)


def _moves(better: Better) -> Iterator[Obligation]:
    for nodes, length in SIZES:
        strings = variables(nodes, length)
        for me, node in permutations(range(nodes), 2):
            if abs(me - node) < 3:
                continue
            hops = [hop for hop in range(nodes) if hop not in (me, node)]
            moved = [z3.Implies(is_hop(strings, me, node, hop), better(strings, me, node, hop)) for hop in hops]
            some_hop = z3.Or([is_hop(strings, me, node, hop) for hop in hops])
            read = partial(values, strings=strings, me=me, node=node)
            premises = (z3.Not(is_neighbour(strings, me, node)),)
            name = f"n = {nodes}, {length} bits, from {me} to {node}"
            yield Obligation(name, z3.And(some_hop, *moved), premises, read)


def _ours(strings: Strings, me: int, node: int, hop: int) -> Term:
    return z3.And(gets_nearer(strings, me, node, hop), on_this_side(me, node, hop))


def _always_up(strings: Strings, me: int, node: int, hop: int) -> Term:
    return shares_more(strings, hop, node, me)


def _view(strings: list[str], me: int) -> View:
    there = names(strings)
    others = tuple(name for name in there if name != there[me])
    return View(there[me], others, neighbours(there[me], there), (), {})


def _replay(model: Values) -> Replayed:
    there = names(model["strings"])
    hop = next_hop(_view(model["strings"], model["me"]), there[model["node"]])
    node, me = there[model["node"]], there[model["me"]]
    return Replayed(
        "more common bits", "more common bits" if prefix_length(hop, node) > prefix_length(me, node) else hop
    )


def _agrees(random: Random) -> Sample:
    length = random.randint(1, 3)
    strings = ["".join(random.choice("01") for _ in range(length)) for _ in range(random.randint(4, 7))]
    me = random.randrange(len(strings))
    terms, there, view = constants(strings), names(strings), _view(strings, me)
    encoded, specified = [], []
    for node in range(len(strings)):
        if node == me or truth(is_neighbour(terms, me, node)):
            continue
        hops = [hop for hop in range(len(strings)) if hop not in (me, node)]
        encoded.append([hop for hop in hops if truth(is_hop(terms, me, node, hop))])
        specified.append([there.index(next_hop(view, there[node]))])
    return Sample((strings, me), (encoded, len(encoded)), (specified, len(view.temporary())))


PROOFS = {
    "rule_2_makes_progress": Proof(
        (Attempt(partial(_moves, _ours)), Attempt(partial(_moves, _always_up), _replay)),
        _agrees,
        (next_hop, prefix_length),
    )
}
