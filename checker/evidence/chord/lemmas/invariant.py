"""The invariant implies its six consequences, in rings of a few nodes."""

from collections.abc import Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.chord.encodings.rings import (
    CONSEQUENCES,
    NAMES,
    constants,
    principals,
    read,
    variables,
    well_formed,
)
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord import promises
from gomboc.spec.protocols.chord.lists import Listed, Ring, examined_stored, in_order, unskipped
from gomboc.spec.protocols.chord.names import Circle

SIZES = ((3, 1), (4, 1), (5, 1), (4, 2), (5, 2))
"""Pairs of the number of nodes, living or dead, and the length of the longest list."""

CIRCLE = Circle(3, "number")


def _implies(entries: bool = True, most: int | None = None) -> Iterator[Obligation]:
    """Each consequence by itself; without live entries, or with so many principals at least."""
    for nodes, r in SIZES:
        ring = variables(nodes, r)
        live = [z3.Implies(ring.live[node], ring.has_live_entry(node)) for node in ring.nodes]
        premises = (
            well_formed(ring),
            z3.Or(list(ring.live)),
            principals(ring) >= (r + 1 if most is None else most),
            *(live if entries else ()),
        )
        for conjunct, name in zip(CONSEQUENCES, NAMES, strict=True):
            yield Obligation(
                f"n = {nodes}, r = {r}: {name}", conjunct(ring), premises, partial(read, ring=ring, name=name)
            )


def _specified(values: Values) -> Ring:
    stored: tuple[Listed, ...] = tuple(
        (f"n{node}", tuple(f"n{entry}" for entry in listed))
        for node, (lives, listed) in enumerate(zip(values["live"], values["lists"], strict=True))
        if lives
    )
    return examined_stored(CIRCLE, stored)


def _replay(model: Values) -> Replayed:
    conjunct = getattr(promises, model["name"])
    return Replayed((), tuple(fault.rule for fault in conjunct(CIRCLE, _specified(model))))


def _agrees(random: Random) -> Sample:
    nodes, r = random.choice(SIZES)
    live = [random.random() < 0.8 for _ in range(nodes)]
    orders = [[(node + step) % nodes for step in range(1, nodes)] for node in range(nodes)]
    if random.random() < 0.5:
        orders = [random.sample(order, len(order)) for order in orders]
    lists = [order[: random.randint(1, r)] for order in orders]
    values = {"live": live, "lists": lists}
    ring, specified = constants(live, lists, r), _specified(values)
    return Sample(
        values,
        (
            [truth(conjunct(ring)) for conjunct in CONSEQUENCES],
            [f"n{member}" for member in ring.nodes if truth(ring.is_principal(member))],
            [f"n{node}" for node in ring.nodes if live[node] and not truth(ring.has_live_entry(node))],
        ),
        (
            [not list(getattr(promises, name)(CIRCLE, specified)) for name in NAMES],
            list(specified.principals),
            [name for name, _ in specified.without],
        ),
    )


PROOFS = {
    "invariant_implies_its_consequences": Proof(
        (
            Attempt(_implies),
            Attempt(partial(_implies, True, 1), _replay),
            Attempt(partial(_implies, False), _replay),
        ),
        _agrees,
        (examined_stored, unskipped, in_order),
    ),
}
