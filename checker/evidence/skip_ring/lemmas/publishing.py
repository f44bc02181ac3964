"""A ring that publishes stays right by the comparisons of its tries, however many subscribers there are."""

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import z3

from gomboc.checker.evidence.skip_ring.encodings.published import PARAMETERS, PROTOCOL, first_of, published
from gomboc.checker.evidence.skip_ring.encodings.recorded import Database
from gomboc.checker.prove.closure.cases import Case
from gomboc.checker.prove.closure.paths import Path, Stack
from gomboc.checker.prove.closure.statement import closure
from gomboc.checker.prove.lemma import Enumeration, Sample
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring.agreement import first_member
from gomboc.spec.protocols.skip_ring.errata import printed_inner_hash
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import ring_of
from gomboc.spec.protocols.skip_ring.rules import OF_PUBLICATIONS, Rules
from gomboc.spec.protocols.skip_ring.state import Entry, PublishNew
from gomboc.spec.publishing.exchange import CheckAndPublish, CheckTrie, Publish

CASES = tuple(Case("subscriber", kind) for kind in (None, *OF_PUBLICATIONS))
"""The inputs by which a subscriber reads or changes its publications."""

PAIR = partial(published, pair=True)


def _closed(case: Case | None = None, without: tuple[str, ...] = ()) -> Iterator[Enumeration]:
    """All cases for any number of nodes, or one of them for two, to have a counterexample of a system."""

    def wanted(one: Case) -> bool:
        return one in CASES if case is None else one == case

    ring = published if case is None else PAIR
    return closure(ring, PROTOCOL, ("gomboc.spec",), without, PAIR, wanted)


def _without(conjunct: str, message: Any) -> Attempt:
    return Attempt(partial(_closed, Case("subscriber", message), (conjunct,)))


def _with_false_hashes() -> Iterator[Enumeration]:
    """Two nodes whose tries may have false hashes."""
    return closure(PAIR, PROTOCOL, ("gomboc.spec",), ("hashes_are_right",), PAIR, CASES.__contains__)


def _with_printed_hashes() -> Iterator[Enumeration]:
    """A comparison of two tries with hashes as printed."""
    rules = Rules(parameters=PARAMETERS, inner_hash=printed_inner_hash)
    ring = partial(published, pair=True, rules=rules)
    return closure(ring, PROTOCOL, ("gomboc.spec",), (), PAIR, Case("subscriber", CheckTrie).__eq__)


def _agrees(random: Random) -> Sample:
    """Whether there is a first member, by the axioms and by the specification."""
    count = random.randint(0, 4)
    database = tuple(sorted(Entry(label_of(number), f"v{number}") for number in range(count)))
    path = Path((), Stack(lambda: 60.0))
    anchor = Database(path)
    for number in range(count):
        anchor.node_at(z3.IntVal(number))
        path.add(anchor.around.belongs(z3.IntVal(number)))
    if not count:
        path.add(z3.Not(anchor.around.any))
    return Sample(count, first_of(anchor) is not None, first_member(ring_of(database)) is not None)


PROOFS = {
    "closure_of_publishing_for_every_n": Proof(
        (
            Attempt(_closed),
            _without("nothing_new_in_flight", Publish),
            _without("nothing_new_in_flight", PublishNew),
            _without("tries_are_equal", CheckAndPublish),
            Attempt(_with_false_hashes),
            Attempt(_with_printed_hashes),
        ),
        _agrees,
        (first_member,),
    )
}
