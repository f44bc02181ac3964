"""Labels as numbers and as bits: distances along the ring, levels, and the formula for shortcuts."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

from gomboc.checker.errata.claim import Evidence, by_readings, settled
from gomboc.checker.evidence.skip_ring.experiments.ring import levels, members, ring_with
from gomboc.spec.protocols.skip_ring.labels import CIRCLE, distance, index_of, label_of, position
from gomboc.spec.protocols.skip_ring.state import Claim
from gomboc.spec.protocols.skip_ring.subscriber import is_as_close, sides

RINGS, WRAPPED = range(2, 33), range(2, 65)
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
    cases = [case for nodes in RINGS for case in unrecorded(nodes)]
    between = [case for case in cases if position(case[2]) > position(case[1])]
    beyond = [case for case in cases if case not in between]
    missed = [case for case in between if not _is_asked_by_number(*case)]
    needless = [case for case in beyond if _is_asked_by_number(*case)]
    own, pred, held = missed[0]
    return by_readings(
        (settled(all(_is_asked_on_the_ring(*case) == (case in between) for case in cases)), settled(not missed)),
        {
            "nodes": RINGS[-1],
            "between": len(between),
            "missed": len(missed),
            "beyond": len(beyond),
            "needless": len(needless),
            "own": own,
            "pred": pred,
            "held": held,
        },
        {"the predecessor of the least label is the greatest": all(_is_greatest(nodes) for nodes in RINGS)},
    )


def _is_asked_by_number(own: str, pred: str, held: str) -> bool:
    return distance(held, own) < distance(pred, own)


def _is_asked_on_the_ring(own: str, pred: str, held: str) -> bool:
    return is_as_close(Claim(held, "w"), Claim(pred, "v"), own, before=True)


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


def formula_stays_in_the_interval() -> Evidence:
    """2 r(label_w) - r(v.label) for every node of SR(n) with a longer neighbour, and every step of the recursion."""
    outside = {nodes: [case for case in _values(nodes) if not 0 <= case[1] < CIRCLE] for nodes in WRAPPED}
    first = min(nodes for nodes, cases in outside.items() if cases)
    label, value = outside[first][0]
    around = all(index_of(e.label) < nodes for nodes in WRAPPED for u in members(nodes).values() for e in u.shortcuts)
    return by_readings(
        (settled(around), settled(not any(outside.values()))),
        {"first": first, "label": label, "value": f"{value / CIRCLE:g}", "most": WRAPPED[-1]},
        {
            "the value is 1, or the label is 0": all(
                value == CIRCLE or label == "0" for cases in outside.values() for label, value in cases
            ),
        },
    )


def _values(nodes: int) -> list[tuple[str, int]]:
    """The labels of SR(nodes), each with the value of the formula for a longer neighbour, in the order of the ring."""
    longer = (
        (u.label, side.neighbour.label)
        for u in members(nodes).values()
        for side in sides(u)
        if side.neighbour and u.label and len(side.neighbour.label) > len(u.label)
    )
    return sorted((label, 2 * position(neighbour) - position(label)) for label, neighbour in longer)
