"""How many configuration requests are to be expected in a timeout interval of a right ring: Theorem 5, and the truth.

The node labelled 0 asks with probability 1/2, and any other with a label of k bits with 1 / (2^k k^2). So n nodes are
expected to ask 1/2 + 1/2 + 1/8 + 1/18 + ... times in all, where the term 1 / 2k^2 stands for a full level k > 1.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from random import Random

import z3

from gomboc.checker.evidence.skip_ring.encodings.rings import any_label, any_size, right_node
from gomboc.checker.evidence.skip_ring.experiments.ring import expected_requests, requests_of
from gomboc.checker.evidence.skip_ring.lemmas.edges import sized
from gomboc.checker.prove.lemma import Obligation, Replayed, Sample, Term, Values
from gomboc.checker.prove.wording import Attempt, Proof
from gomboc.spec.protocols.skip_ring.labels import LONGEST, index_of, label_of
from gomboc.spec.protocols.skip_ring.subscriber import coin, thinks_minimal, tossed

LEVEL, BELOW, FULL, SOME = z3.Reals("k below full some")
LIMIT = 4, 3
"""Upper bound of the expectation. Its limit is 1/2 + pi^2 / 12 = 1.32246..."""


def chance(index: int) -> Term:
    """The probability with which the owner of l(index) asks in one timeout of a right ring.

    Source: Section 3.2.1 (ii), (iv)
    """
    bits = max(1, index.bit_length())
    return z3.Q(1, 2) if index == 0 else z3.Q(1, 2**bits * bits**2)


def level(bits: Term) -> Term:
    """The sum over all nodes with labels of that many bits, at least 2."""
    return 1 / (2 * bits * bits)


def room(bits: Term) -> Term:
    """How far below the limit the labels of at most that many bits stay."""
    return z3.Q(*LIMIT) - 1 / (2 * bits + 1)


def _expected(nodes: int) -> Term:
    return z3.Sum([chance(index) for index in range(nodes)])


def _below(limit: Term, most: int) -> Iterator[Obligation]:
    for nodes in range(1, most + 1):
        yield sized(nodes, _expected(nodes) < limit)


def _bounded() -> Iterator[Obligation]:
    yield Obligation("n = 1", _expected(1) < z3.Q(*LIMIT))
    yield Obligation("n = 2", _expected(2) <= room(z3.RealVal(1)))
    within = LEVEL >= 1, room(LEVEL) >= BELOW
    yield Obligation("one more full level", BELOW + level(LEVEL + 1) <= room(LEVEL + 1), within)
    part = SOME >= 0, SOME <= FULL, FULL >= 1
    added = SOME / (2 * FULL) / (LEVEL * LEVEL)
    yield Obligation("a level that is not full adds no more", added <= level(LEVEL), (LEVEL >= 2, *part))
    yield Obligation("so it stays below", z3.Q(*LIMIT) > BELOW, within)


def _at_least_one() -> Iterator[Obligation]:
    yield Obligation("n = 2", _expected(2) >= 1)
    yield Obligation("n + 1", BELOW + SOME >= 1, (BELOW >= 1, SOME > 0))


def _tail(upper: Callable[[Term], Term]) -> Iterator[Obligation]:
    """The levels above K to M add a sum between two that telescope, by induction on M."""
    start, tail = z3.Reals("start tail")
    below = 1 / (2 * (start + 1)) - 1 / (2 * (LEVEL + 1))
    above = upper(start) - 1 / (2 * LEVEL)
    after = tail + level(LEVEL + 1)
    premises = start >= 1, start <= LEVEL, below <= tail, tail <= above
    one = level(z3.RealVal(2)) <= upper(z3.RealVal(1)) - z3.Q(1, 4)
    yield Obligation("labels of 2 bits", one, (), lambda _model: {"bits": 2})
    yield Obligation("from below", after >= 1 / (2 * (start + 1)) - 1 / (2 * (LEVEL + 2)), premises)
    yield Obligation("from above", after <= upper(start) - 1 / (2 * (LEVEL + 1)), premises)
    zero = start == LEVEL, tail == 0, start >= 1
    yield Obligation("the tail of no levels", z3.And(below <= tail, tail <= above), zero)


def _replay(limit: Fraction, values: Values) -> Replayed:
    expectation = expected_requests(values["nodes"])
    return Replayed(f"less than {limit}", f"less than {limit}" if expectation < limit else f"{expectation}")


def _replay_tail(values: Values) -> Replayed:
    bits = values["bits"]
    expectation = expected_requests(1 << bits) - expected_requests(1 << bits - 1)
    return Replayed("nothing", "nothing" if expectation <= 0 else f"{expectation}")


def _agrees(random: Random) -> Sample:
    few, nodes = random.randint(1, 20), any_size(random, 3)
    name, bits = any_label(random, nodes), random.randint(2, LONGEST)
    u = right_node((1 << bits) - 1, label_of(random.randrange(1 << bits - 1, (1 << bits) - 1)))
    full = requests_of(u) * (1 << bits - 1)
    encoded = _fraction(chance(index_of(name))), _fraction(level(z3.RealVal(bits))), _fraction(_expected(few))
    return Sample(
        (nodes, name, bits, few), encoded, (requests_of(right_node(nodes, name)), full, expected_requests(few))
    )


def _fraction(term: Term) -> Fraction:
    return Fraction(z3.simplify(term).as_fraction())


TIED_TO = coin, tossed, thinks_minimal
PROOFS = {
    "requests_stay_below_four_thirds": Proof(
        (Attempt(_bounded), Attempt(partial(_below, z3.Q(5, 4), 128), partial(_replay, Fraction(5, 4)))),
        _agrees,
        TIED_TO,
    ),
    "requests_of_long_labels": Proof(
        (
            Attempt(partial(_tail, lambda start: 1 / (2 * start))),
            Attempt(partial(_tail, lambda start: 1 / (2 * (start + 1))), _replay_tail),
        ),
        _agrees,
        TIED_TO,
    ),
    "printed_theorem_5": Proof(
        (Attempt(partial(_below, z3.RealVal(1), 8), partial(_replay, Fraction(1))), Attempt(_at_least_one)),
        _agrees,
        TIED_TO,
    ),
}
