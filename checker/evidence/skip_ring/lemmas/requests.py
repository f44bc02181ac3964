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
from gomboc.checker.evidence.skip_ring.lemmas.partners import ring
from gomboc.checker.prove.lemma import Lemma, Model, Obligation, Replayed, Sample, Statement, Term, Values
from gomboc.spec.protocols.skip_ring.labels import LONGEST, index_of, label_of
from gomboc.spec.protocols.skip_ring.state import Subscriber
from gomboc.spec.protocols.skip_ring.subscriber import ASK, coin, thinks_minimal, tossed

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


def _size(nodes: int, _model: Model) -> Values:
    return {"nodes": nodes}


def _below(limit: Term, most: int) -> Iterator[Obligation]:
    for nodes in range(1, most + 1):
        yield Obligation(f"n = {nodes}", _expected(nodes) < limit, (), partial(_size, nodes))


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


def expected_requests(nodes: int) -> Fraction:
    """The expectation in SR(nodes), by the specification's coins."""
    return sum((_asks(u) for u in ring(nodes).nodes.values()), Fraction(0))


def _replay(limit: Fraction, values: Values) -> Replayed:
    expectation = expected_requests(values["nodes"])
    return Replayed(f"less than {limit}", f"less than {limit}" if expectation < limit else f"{expectation}")


def _replay_tail(values: Values) -> Replayed:
    bits = values["bits"]
    expectation = expected_requests(1 << bits) - expected_requests(1 << bits - 1)
    return Replayed("nothing", "nothing" if expectation <= 0 else f"{expectation}")


def _asks(u: Subscriber) -> Fraction:
    return sum((choice.probability for choice in coin(u) if choice.name == ASK), Fraction(0))


def _agrees(random: Random) -> Sample:
    few, nodes = random.randint(1, 20), any_size(random, 3)
    name, bits = any_label(random, nodes), random.randint(2, LONGEST)
    u = right_node((1 << bits) - 1, label_of(random.randrange(1 << bits - 1, (1 << bits) - 1)))
    full = _asks(u) * (1 << bits - 1)
    encoded = _fraction(chance(index_of(name))), _fraction(level(z3.RealVal(bits))), _fraction(_expected(few))
    return Sample((nodes, name, bits, few), encoded, (_asks(right_node(nodes, name)), full, expected_requests(few)))


def _fraction(term: Term) -> Fraction:
    return Fraction(z3.simplify(term).as_fraction())


BY_HAND = "that an expectation is the sum of the chances, and the induction from level to level"
LEFT_OUT = "rings that are not right, and requests that no coin decides"
TIED_TO = coin, tossed, thinks_minimal
LEMMAS = (
    Lemma(
        name="requests_stay_below_four_thirds",
        statement=Statement(
            "The expected number of configuration requests in a timeout interval is less than 4/3.", _bounded
        ),
        source="Section 3.2.1; in place of Theorem 5",
        ranges_over="every n, by induction on the length of labels",
        contrasts=(
            Statement(
                "... less than 5/4",
                partial(_below, z3.Q(5, 4), 128),
                holds=False,
                replay=partial(_replay, Fraction(5, 4)),
            ),
        ),
        by_hand=BY_HAND,
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="requests_of_long_labels",
        statement=Statement(
            "Labels of more than K bits add between 1 / 2(K + 1) and 1 / 2K requests, so the sum has a limit (which is "
            "1/2 + pi^2 / 12).",
            partial(_tail, lambda start: 1 / (2 * start)),
        ),
        source="Section 3.2.1; Theorem 5, proof",
        ranges_over="every K and every number of levels, by induction",
        contrasts=(
            Statement(
                "... less than 1 / 2(K + 1)",
                partial(_tail, lambda start: 1 / (2 * (start + 1))),
                holds=False,
                replay=_replay_tail,
            ),
        ),
        by_hand=f"{BY_HAND}; that sums that grow within bounds have a limit, and Euler's sum, which gives it",
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
    Lemma(
        name="printed_theorem_5",
        statement=Statement(
            "The expected number of configuration requests in a timeout interval is less than 1.",
            partial(_below, z3.RealVal(1), 8),
            holds=False,
            replay=partial(_replay, Fraction(1)),
        ),
        source="Theorem 5",
        ranges_over="n from 1 to 8, the smallest first; for the alternative that holds: every n",
        contrasts=(Statement("It is at least 1 for every n from 2 on.", _at_least_one),),
        by_hand=BY_HAND,
        leaves_out=LEFT_OUT,
        agrees_with_spec=_agrees,
        tied_to=TIED_TO,
    ),
)
