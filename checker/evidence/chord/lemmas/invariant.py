"""The invariant implies its six consequences, in rings of a few nodes."""

from collections.abc import Iterator
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.chord.encodings.rings import (
    CONSEQUENCES,
    Ring,
    constants,
    has_live_entry,
    is_principal,
    principals,
    read,
    variables,
    ways,
    well_formed,
)
from gomboc.checker.prove.evaluate import truth
from gomboc.checker.prove.lemma import Model, Obligation, Replayed, Sample, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.chord import promises
from gomboc.spec.protocols.chord.lists import Listed, Lists, examined, in_order, unskipped
from gomboc.spec.protocols.chord.names import Circle

SIZES = ((3, 1), (4, 1), (5, 1), (4, 2), (5, 2))
"""Pairs of the number of nodes, living or dead, and the length of the longest list."""

CIRCLE = Circle(3, "number")


def _implies(entries: bool = True, most: int | None = None) -> Iterator[Obligation]:
    """Each consequence by itself; without live entries, or with so many principals at least."""
    for nodes, r in SIZES:
        ring = variables(nodes, r)
        paths = ways(ring)
        live = [z3.Implies(ring.live[node], has_live_entry(ring, node)) for node in ring.nodes()]
        premises = (
            well_formed(ring),
            z3.Or(list(ring.live)),
            principals(ring) >= (r + 1 if most is None else most),
            *(live if entries else ()),
        )
        for conjunct in CONSEQUENCES:

            def values(model: Model, ring: Ring = ring, name: str = conjunct.__name__) -> Values:
                return {**read(model, ring), "name": name}

            yield Obligation(f"n = {nodes}, r = {r}: {conjunct.__name__}", conjunct(ring, paths), premises, values)


def _lists(model: Values) -> Lists:
    members = [node for node, living in enumerate(model["live"]) if living]
    stored: tuple[Listed, ...] = tuple(
        (f"n{node}", tuple(f"n{entry}" for entry in model["lists"][node])) for node in members
    )
    return Lists(stored, (), (), (), crashed=not all(model["live"]))


def _replay(model: Values) -> Replayed:
    conjunct = getattr(promises, model["name"])
    return Replayed((), tuple(fault.rule for fault in conjunct(CIRCLE, examined(CIRCLE, _lists(model)))))


def _agrees(random: Random) -> Sample:
    nodes, r = random.choice(SIZES)
    live = [random.random() < 0.8 for _ in range(nodes)]
    orders = [[(node + step) % nodes for step in range(1, nodes)] for node in range(nodes)]
    if random.random() < 0.5:
        orders = [random.sample(order, len(order)) for order in orders]
    lists = [order[: random.randint(1, r)] for order in orders]
    ring = constants(live, lists, r)
    paths, values = ways(ring), {"live": live, "lists": lists}
    specified = examined(CIRCLE, _lists(values))
    encoded = [truth(conjunct(ring, paths)) for conjunct in CONSEQUENCES]
    named = [f"n{member}" for member in ring.nodes() if truth(is_principal(ring, member))]
    without = [f"n{node}" for node in ring.nodes() if live[node] and not truth(has_live_entry(ring, node))]
    conjuncts = [getattr(promises, conjunct.__name__) for conjunct in CONSEQUENCES]
    return Sample(
        values,
        (encoded, named, without),
        (
            [not list(conjunct(CIRCLE, specified)) for conjunct in conjuncts],
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
        (examined, unskipped, in_order),
    ),
}
