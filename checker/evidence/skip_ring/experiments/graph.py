"""The edges of SR(n), counted: how many there are, where, and how far they lead."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from gomboc.checker.errata.claim import Evidence, settled
from gomboc.checker.evidence.skip_ring.experiments.ring import degrees, directed_edges, edges, levels, members
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.subscriber import references

POWERS = tuple(2**power for power in range(1, 9))

EVERY, BEYOND = 64, (128, 256)
"""All sizes up to EVERY are looked at, and beyond it these, where each takes long."""

MOST = 256


def number_of_edges() -> Evidence:
    """Compare the sum of Lemma 3 with the edges of SR(n) for every power of two up to 256."""
    counted = {nodes: (_sum_of_lemma_3(nodes), len(directed_edges(nodes)), len(edges(nodes))) for nodes in POWERS}
    named = {"two": counted[2], "sixteen": counted[16]}
    kinds = "sum", "directed", "edges"
    return Evidence(
        settled(all(directed == 4 * nodes - 4 for nodes, (_, directed, _) in counted.items())),
        {
            "largest": POWERS[-1],
            "most": MOST,
            **{
                f"{size}_{kind}": count
                for size, counts in named.items()
                for kind, count in zip(kinds, counts, strict=True)
            },
        },
        {
            "the sum is 4n - 4": all(total == 4 * nodes - 4 for nodes, (total, _, _) in counted.items()),
            "the directed edges are 4n - 6": all(count == 4 * nodes - 6 for nodes, (_, count, _) in counted.items()),
            "the edges are 2n - 3": all(len(edges(nodes)) == 2 * nodes - 3 for nodes in range(2, MOST + 1)),
        },
    )


def _sum_of_lemma_3(nodes: int) -> int:
    """The sum over k of f(k) * 2 (log n - k + 1), for a power of two. Source: Lemma 3."""
    with_length = {1: 2, **{k: 2 ** (k - 1) for k in range(2, levels(nodes) + 1)}}
    return sum(f * 2 * (levels(nodes) - k + 1) for k, f in with_length.items())


def node_degree() -> Evidence:
    """The average and the greatest degree of SR(n), for every n up to MOST."""
    by_size = {nodes: degrees(nodes) for nodes in range(2, MOST + 1)}
    average = {nodes: Fraction(sum(counts.values()), nodes) for nodes, counts in by_size.items()}
    greatest = {nodes: max(counts.values()) for nodes, counts in by_size.items()}
    bounded = all(greatest[nodes] <= max(1, 2 * levels(nodes) - 1) for nodes in by_size)
    return Evidence(
        settled(max(average.values()) < 4 and bounded),
        {"most": MOST, "average": average[MOST], "decimal": f"{float(average[MOST]):.3f}", "greatest": greatest[MOST]},
    )


def exceptions(nodes: int) -> Iterator[tuple[str, int, int]]:
    """Each label of SR(nodes), with a level from its own length on, on which it has another number of edges than 2."""
    stored = directed_edges(nodes)
    for label in (label_of(index) for index in range(nodes)):
        at = [max(len(one), len(other)) for one, other in stored if one == label]
        for level in range(len(label), levels(nodes) + 1):
            if at.count(level) != 2:
                yield label, level, at.count(level)


def two_on_each_level() -> Evidence:
    """Every label and level with another number of shortcuts than two, for n up to EVERY and for powers of two."""
    at_powers = {nodes: sorted(exceptions(nodes)) for nodes in POWERS[:7]}
    without = [nodes for nodes in range(1, EVERY + 1) if not list(exceptions(nodes))]
    return Evidence(
        settled(len(without) == EVERY),
        {
            "without": without,
            "most": EVERY,
            "largest": POWERS[6],
            "three": ", ".join(f"{label} has {held} on level {level}" for label, level, held in exceptions(3)),
        },
        {
            "in the ring over K_i every node has two neighbours, but for i = 1": all(
                sum(len(label_of(index)) <= level for index in range(nodes)) > 2
                for nodes in range(3, EVERY + 1)
                for level in range(2, levels(nodes) + 1)
            ),
            "for powers of two, level 1 is the only exception": all(
                missing == [("0", 1, 1), ("1", 1, 1)] for missing in at_powers.values()
            ),
        },
    )


def diameter(nodes: int) -> int:
    """The longest of the shortest ways between two nodes of SR(nodes)."""
    around: dict[str, set[str]] = {}
    for one, other in directed_edges(nodes):
        around.setdefault(one, set()).add(other)
        around.setdefault(other, set()).add(one)
    return max(_eccentricity(around, start) for start in around)


def _eccentricity(around: dict[str, set[str]], start: str) -> int:
    reached, frontier, far = {start}, {start}, 0
    while frontier := {other for node in frontier for other in around[node]} - reached:
        reached |= frontier
        far += 1
    return far


def logarithmic_diameter() -> Evidence:
    """The diameter of SR(n), beside ceil(log n)."""
    diameters = {nodes: diameter(nodes) for nodes in (*range(2, EVERY + 1), *BEYOND)}
    smaller = [nodes for nodes, far in diameters.items() if far < levels(nodes)]
    return Evidence(
        settled(all(far <= levels(nodes) for nodes, far in diameters.items())),
        {
            "smaller": smaller[:5],
            "count": len(smaller),
            "all": len(diameters),
            "largest": EVERY,
            "beyond": list(BEYOND),
            "last": BEYOND[-1],
            "at_last": diameters[BEYOND[-1]],
        },
        {"for powers of two it is log n": all(diameters[n] == levels(n) for n in diameters if n.bit_count() == 1)},
    )


def degree_by_level() -> Evidence:
    """The degree of each label of SR(n), n a power of two, beside 2 (log n - k + 1)."""
    wrong = {
        (nodes, len(label), held)
        for nodes in POWERS
        for label, held in degrees(nodes).items()
        if held != 2 * (levels(nodes) - len(label) + 1)
    }
    at_sixteen = [held for nodes, _, held in wrong if nodes == 16]
    by_length = {nodes: _neighbours_by_length(nodes) for nodes in POWERS}
    long = [(label, counts) for known in by_length.values() for label, counts in known.items() if len(label) > 1]
    return Evidence(
        settled(not wrong and all(counts[len(label)] == 2 for label, counts in long)),
        {"largest": POWERS[-1], "sixteen": at_sixteen, "said": 2 * levels(16), "shorter": by_length[4]["01"][1]},
        {
            "no label of two bits or more has a neighbour with as many bits": all(
                counts[len(label)] == 0 for label, counts in long
            ),
            "it has two with fewer, and two with each greater number": all(
                sum(held for length, held in counts.items() if length < len(label)) == 2
                and all(counts[length] == 2 for length in range(len(label) + 1, levels(nodes) + 1))
                for nodes, known in by_length.items()
                for label, counts in known.items()
                if len(label) > 1
            ),
            "the sum is wrong for the labels with one bit, and no others": {(n, k) for n, k, _ in wrong}
            == {(n, 1) for n in POWERS},
            "each of them has one neighbour less": all(held == 2 * levels(nodes) - 1 for nodes, _, held in wrong),
        },
    )


def _neighbours_by_length(nodes: int) -> dict[str, Counter[int]]:
    """How many neighbours each label of SR(nodes) has, by the bits of their labels."""
    return {
        label: Counter(len(claim.label) for claim in set(references(u)))
        for u in members(nodes).values()
        if (label := u.label)
    }
