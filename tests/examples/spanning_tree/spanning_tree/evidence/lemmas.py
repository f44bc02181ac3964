"""The step of the induction, for z3: right distances spread, and wrong ones rise."""

from collections.abc import Iterable
from functools import partial
from random import Random
from typing import Any

import z3

from gomboc.checker import Lemma, Obligation, Replayed, Sample, Statement, closure
from spanning_tree.evidence.closure import world
from spanning_tree.evidence.experiments import placed_by
from spanning_tree.spec import PROTOCOL
from spanning_tree.spec.legitimacy import anchor
from spanning_tree.spec.rules import nearest_of
from spanning_tree.spec.space import networks
from spanning_tree.spec.state import ROOT

K = z3.Int("k")
DISTANCES, READ = z3.Ints("t1 t2 t3"), z3.Ints("d1 d2 d3")
"""The distances of three neighbours, and those in their registers."""


def least(terms: list[Any]) -> Any:
    """The least of three integers."""
    one, other, third = terms
    lesser = z3.If(one <= other, one, other)
    return z3.If(lesser <= third, lesser, third)


MINE, PLACED = least(DISTANCES) + 1, least(READ) + 1
NATURAL = tuple(term >= 0 for term in (K, *DISTANCES, *READ))
NEAR = tuple(z3.Implies(right < K, read == right) for right, read in zip(DISTANCES, READ, strict=True))
FAR = tuple(z3.Implies(right >= K, read >= K) for right, read in zip(DISTANCES, READ, strict=True))
AFTER = z3.And(z3.Implies(MINE < K + 1, PLACED == MINE), z3.Implies(MINE >= K + 1, PLACED >= K + 1))


def step(given: tuple[Any, ...]) -> Iterable[Obligation]:
    """A node that writes, under these hypotheses."""

    def read(model: Any) -> dict[str, Any]:
        values = {"k": K, "distances": DISTANCES, "read": READ}
        return {
            name: [model.eval(term, True).as_long() for term in terms]
            if isinstance(terms, list)
            else model.eval(terms, True).as_long()
            for name, terms in values.items()
        }

    yield Obligation("a node with three neighbours writes", AFTER, (*NATURAL, *given), read)


def replayed(values: Any) -> Replayed:
    """The distance that the node is to have, and the one that the specification gives it."""
    mine, placed = min(values["distances"]) + 1, placed_by(tuple(values["read"]))
    return Replayed(mine if mine < values["k"] + 1 else max(placed, values["k"] + 1), placed)


def agrees(random: Random) -> Sample:
    """Three registers, and the distance that a node computes from them."""
    read = [random.randrange(9) for _ in READ]
    substituted = z3.substitute(PLACED, *((term, z3.IntVal(one)) for term, one in zip(READ, read, strict=True)))
    return Sample(tuple(read), z3.simplify(substituted).as_long(), placed_by(tuple(read)))


def places(random: Random) -> Sample:
    """The place of each node in a network: as in the tree, and one further than the first of its nearest neighbours."""
    links = random.choice(networks(random.randint(1, 5)))
    tree = anchor(links)
    far = tree.distances()
    nearest = {name: min(links[name], key=far.__getitem__) for name in links if name != ROOT}
    said = {name: (far[parent] + 1, parent) for name, parent in nearest.items()}
    return Sample(links, {ROOT: (0, None), **said}, {name: tree.place(name) for name in links})


LEMMAS = (
    Lemma(
        name="floating_distances_rise",
        statement=Statement(
            "If registers are right below k, and all others hold k or more, so it is below k + 1 after a write.",
            lambda: step((*NEAR, *FAR)),
        ),
        source="Dolev 2000, Section 2.5",
        ranges_over="all distances of three neighbours and all k",
        contrasts=(
            Statement("... if other registers hold any distance", lambda: step(NEAR), False, replayed),
            Statement("... if registers below k hold any distance", lambda: step(FAR), False, replayed),
        ),
        by_hand="that it holds for any number of neighbours, of which only the nearest counts; the induction over k",
        leaves_out="messages in flight, which are registers that are read later",
        agrees_with_spec=agrees,
        tied_to=(nearest_of,),
    ),
    Lemma(
        name="closure_for_every_network",
        statement=Statement(
            "A right tree stays right, in any network: every write, and every read of a right message.",
            partial(closure, world, PROTOCOL),
        ),
        source="Dolev 2000, Section 2.5",
        ranges_over="networks of any size, nodes with up to two neighbours",
        contrasts=(
            Statement(
                "... if messages in flight may be wrong",
                partial(closure, world, PROTOCOL, (), ("writes_right",)),
                False,
            ),
            Statement("... if registers may be", partial(closure, world, PROTOCOL, (), ("reads_right",)), False),
        ),
        by_hand="more neighbours: only the nearest counts; that a node is one further than its nearest neighbours",
        leaves_out="changes of the network",
        agrees_with_spec=places,
        tied_to=(anchor,),
    ),
)
