"""Claims on measures: the distance across the closing edge, and the length of a label against the level of an edge."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.quotation import Quotation
from gomboc.checker.evidence.skip_ring.experiments.ring import levels, ring_with
from gomboc.spec.skip_ring.labels import distance, label_of, position
from gomboc.spec.skip_ring.state import Claim as Pair
from gomboc.spec.skip_ring.subscriber import is_as_close

SIZES = range(2, 33)
BITS = 6
LARGEST = 1 << BITS

Length = Callable[[str], int]
"""A reading of |label|."""


def unrecorded(nodes: int) -> Iterator[tuple[str, str, str]]:
    """The least label of SR(nodes), its predecessor, and each longer label that may stand in u.ring instead."""
    ring = sorted(map(label_of, range(nodes)), key=position)
    for index in range(nodes, LARGEST):
        yield ring[0], ring[-1], label_of(index)


def closing_edge_is_asked_about() -> Evidence:
    """Line 18 for u.ring at the node with the least label, by numbers and along the ring."""
    cases = [case for nodes in SIZES for case in unrecorded(nodes)]
    between = [case for case in cases if position(case[2]) > position(case[1])]
    beyond = [case for case in cases if case not in between]
    missed = [case for case in between if not _is_asked_by_number(*case)]
    needless = [case for case in beyond if _is_asked_by_number(*case)]
    own, pred, held = missed[0]
    return by_readings(
        (settled(all(_is_asked_on_the_ring(*case) == (case in between) for case in cases)), settled(not missed)),
        {
            "nodes": SIZES[-1],
            "between": len(between),
            "missed": len(missed),
            "beyond": len(beyond),
            "needless": len(needless),
            "own": own,
            "pred": pred,
            "held": held,
        },
        {"the predecessor of the least label is the greatest": all(_is_greatest(nodes) for nodes in SIZES)},
    )


def _is_asked_by_number(own: str, pred: str, held: str) -> bool:
    return distance(held, own) < distance(pred, own)


def _is_asked_on_the_ring(own: str, pred: str, held: str) -> bool:
    return is_as_close(Pair(held, "w"), Pair(pred, "v"), own, before=True)


def _is_greatest(nodes: int) -> bool:
    pred = ring_with(nodes).configurations["v1"].pred
    return pred is not None and pred.label == max(map(label_of, range(nodes)))


def as_written(label: str) -> int:
    """The bits of l(x); 0 has one."""
    return len(label)


def as_fraction(label: str) -> int:
    """The bits that r(label) needs; 0 needs none."""
    return len(label.rstrip("0"))


def as_number(label: str) -> int:
    """The bits that the label needs as a whole number: 01 needs one."""
    return len(label.lstrip("0")) or 1


def edges_off_level(length: Length, nodes: int, levels_of: range) -> Iterator[tuple[str, str]]:
    """The edges of the rings over K_i in SR(nodes), for those i, that do not have the level i."""
    for i in levels_of:
        ring = sorted((label for label in map(label_of, range(nodes)) if length(label) <= i), key=position)
        for edge in {tuple(sorted(pair)) for pair in pairwise((*ring, ring[0]))} if len(ring) > 1 else ():
            if max(map(length, edge)) != i:
                yield edge[0], edge[1]


def counts(length: Length) -> list[int]:
    """The labels of SR(64) with 0, 1, 2, ... bits."""
    counted = Counter(length(label_of(index)) for index in range(LARGEST))
    return [counted[bits] for bits in range(BITS + 1)]


def levels_are_lengths() -> Evidence:
    """The level of each edge, and Lemma 3's f, by three readings of |label|; and with the ring edges as a level."""
    f = [0, 2, *(1 << bits - 1 for bits in range(2, BITS + 1))]

    def off(length: Length, last: int) -> list[tuple[int, tuple[str, str]]]:
        sizes = range(2, LARGEST + 1)
        return [
            (nodes, edge)
            for nodes in sizes
            for edge in sorted(edges_off_level(length, nodes, range(1, levels(nodes) + last)))
        ]

    ring_edges = off(as_written, 1)
    nodes, edge = ring_edges[0]
    return by_readings(
        (
            settled(counts(as_written) == f and not off(as_written, 0)),
            settled(not ring_edges),
            settled(counts(as_fraction) == f),
            settled(counts(as_number) == f and not off(as_number, 0)),
        ),
        {
            "largest": LARGEST,
            "nodes": nodes,
            "edge": " and ".join(edge),
            "rings": len({nodes for nodes, _ in ring_edges}),
            "number": counts(as_number)[1],
        },
        {
            "with none for 0 no shortcut has another level, and 2^(k-1) labels have k bits": not off(as_fraction, 0)
            and counts(as_fraction) == [1, *(1 << bits - 1 for bits in range(1, BITS + 1))],
            "only for powers of two each ring edge has the level ceil(log n)": {nodes for nodes, _ in ring_edges}
            == {nodes for nodes in range(2, LARGEST + 1) if nodes & nodes - 1},
        },
    )


CLAIMS = (
    Claim(
        name="line_18_across_the_closing_edge",
        title="a closer neighbour is asked about, across the closing edge too",
        source="Algorithm 4, line 18; Section 3.2.1 (iii)",
        says="Line 18 compares the distances of u.left and of the proposed predecessor to u, and is analogous for "
        "u.right and u.ring.",
        ran="Line 18 by itself, as a formula on numbers, and by the specification.",
        result=Result.DEPENDS,
        why="Across 1 = 0 the nearer neighbour has the greater number. It hangs on how the analogy is meant.",
        counterexample="SR(2), where u has the label {own}, and u.ring = ({held}, w) is not recorded. The "
        "configuration proposes ({pred}, v2): w lies between the two, and is not asked about.",
        domain="u has the least label of SR(n), n = 2 to {nodes}, and its configuration; u.ring holds any label of up "
        "to six bits that SR(n) does not have.",
        evidence=closing_edge_is_asked_about,
        readings=(
            Reading(
                "Distances along the ring, on the side of that neighbour: exactly the {between} nodes between u and "
                "the proposed one are asked about.",
                Result.REPRODUCED,
            ),
            Reading(
                "Distances of numbers, as line 18 has them for u.left: {missed} of these {between} are not asked "
                "about, and {needless} of the {beyond} that lie beyond are.",
                Result.REFUTED,
            ),
        ),
        reading="The first is the nearer one: action (iii) is for direct ring neighbours, and is to find one that is "
        "nearer than the right one. Convergence does not hang on it, as each node asks for itself at times.",
        instead="Distances along the ring, on the side of that neighbour.",
        quotes=(
            Quotation("Algorithm 4, line 18", "|u.left - u.label| < |pred - u.label|"),
            Quotation("Algorithm 4, line 19", "Analog. for u.right, u.ring"),
        ),
        prose=(
            Quotation(
                "Section 3.2.1",
                "Furthermore, v's correct ring neighbor w' indicated by its configuration has to be further away from "
                "v than w",
            ),
        ),
    ),
    Claim(
        name="length_and_level",
        title="the level of an edge is the length of its longer label",
        source="Section 2.1, Definition 2; Section 3.2.2",
        says="|label| is the minimum number of bits that encode a label; a shortcut of the ring over K_i, the labels "
        "of at most i bits, has the level i = max{{|label_u|, |label_v|}}.",
        ran="None: the labels of SR(n), and the sorted rings over K_i.",
        result=Result.DEPENDS,
        why="It hangs on the bits that 0 and 01 are said to need, and on whether ring edges have a level by Definition "
        "2.",
        counterexample="n = {nodes}: the ring edge of {edge} is of level 2 by Section 3.2.2, and its labels have one "
        "bit.",
        domain="n = 2 to {largest}; each edge of the rings over K_i is to have the level i, and SR({largest}) is to "
        "have as many labels of k bits as f(k) in the proof of Lemma 3.",
        evidence=levels_are_lengths,
        readings=(
            Reading("The bits of l(x), one for 0; of shortcuts, as Definition 2 says.", Result.REPRODUCED),
            Reading(
                "The same, and ring edges are of level ceil(log n), as Section 3.2.2 says: {rings} of these n have "
                "ring edges whose labels are shorter.",
                Result.REFUTED,
            ),
            Reading(
                "The bits that the number r(label) needs, none for 0: f(1) is 1, and line 11 of Algorithm 4 divides by "
                "0 for this label.",
                Result.REFUTED,
            ),
            Reading("The bits that the label needs as a whole number, one for 01: f(1) is {number}.", Result.REFUTED),
        ),
        reading="The first is the nearer one: Lemma 3 has f(1) = 2, and Figure 1 that reading. The proof of Theorem 5 "
        "has 2^(k-1) labels of every length k, which is the third; theorem_5_configuration_requests has the result.",
        instead="The first, so that |0| = 1; no rule of ours asks for a level.",
        quotes=(
            Quotation("Section 2.1", "Denote by |label| the minimum number of bits used to encode label."),
            Quotation(
                "Definition 2",
                "Denote (u, v) in E_S as a shortcut on level i, if i = max{|label_u|, |label_v|}.",
            ),
        ),
        prose=(
            Quotation("Section 3.2.2", "where k = ceil( log n) represents the ring edges that are already established"),
            Quotation("Theorem 5, proof", "The number of subscribers with label of length k is equal to 2^{k-1}"),
        ),
    ),
)
