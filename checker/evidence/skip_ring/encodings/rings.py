"""Definition 2, word by word and slowly: the reference for encodings and their counterexamples.

These work for rings small enough to write down, but for the last three, which know one node of a ring of any size.
"""

from random import Random

from gomboc.spec.protocols.skip_ring.labels import CIRCLE, LONGEST, clockwise, index_of, label_at, label_of, position
from gomboc.spec.protocols.skip_ring.state import Claim, Entry, Subscriber

Edge = tuple[str, str]


def labels_of(nodes: int) -> list[str]:
    """The labels of SR(nodes), in the order of the ring. Source: Definition 2."""
    return sorted(label_of(index) for index in range(nodes))


def members(nodes: int, level: int) -> list[str]:
    """K_level, in the order of the ring. Source: Definition 2."""
    return [label for label in labels_of(nodes) if len(label) <= level]


def levels(nodes: int) -> range:
    """The levels 1 to ceil(log2 n); on the last one the ring is that of all nodes. Source: Definition 2."""
    return range(1, max(1, (nodes - 1).bit_length()) + 1)


def next_in(ring: list[str], label: str, upwards: bool) -> str:
    """The neighbour of a label on one side of a ring that it belongs to."""
    index = ring.index(label)
    return ring[(index + 1) % len(ring)] if upwards else ring[index - 1]


def pointers(nodes: int) -> set[tuple[str, str, bool]]:
    """Every (label, neighbour, side) on some ring of SR(nodes); a pointer that is on two levels is one."""
    return {
        (label, next_in(ring, label, upwards), upwards)
        for level in levels(nodes)
        for ring in [members(nodes, level)]
        for label in ring
        for upwards in (False, True)
        if len(ring) > 1
    }


def directed_edges(nodes: int) -> set[Edge]:
    """E_R and E_S together, as a set of pairs. Source: Definition 2."""
    return {(label, neighbour) for label, neighbour, _ in pointers(nodes)}


def undirected_edges(nodes: int) -> set[Edge]:
    """The same, without direction."""
    return {(min(edge), max(edge)) for edge in directed_edges(nodes)}


def neighbours_in_levels(nodes: int, label: str, upwards: bool) -> tuple[str, ...]:
    """The neighbours on one side in every K_i that the label is in, nearest first, each once. Source: Definition 2."""
    neighbours = {next_in(members(nodes, level), label, upwards) for level in levels(nodes) if level >= len(label)}
    return tuple(sorted(neighbours, key=lambda other: clockwise(label, other) if upwards else clockwise(other, label)))


def any_size(random: Random, least: int = 2) -> int:
    """A number of subscribers below 2**64; small ones are as likely as large ones."""
    return random.randint(least, (1 << random.randint(2, LONGEST)) - 1)


def any_label(random: Random, nodes: int) -> str:
    """A label of SR(nodes); short ones are as likely as long ones."""
    return label_of(random.randrange(min(nodes, 1 << random.randint(1, LONGEST))))


def reached(nodes: int, label: str, upwards: bool) -> tuple[str, ...]:
    """The neighbours on one side in every K_i that the label is in, nearest first, by the places where they lie.

    A level that is full has a label at each multiple of its step; on the last level the next label may be missing.
    """
    finest = CIRCLE >> levels(nodes)[-1]
    coarsest = CIRCLE >> len(label)
    steps = [finest << doubled for doubled in range(LONGEST) if finest << doubled <= coarsest]
    labels = [label_at(position(label) + (step if upwards else -step)) for step in steps]
    return tuple(labels if index_of(labels[0]) < nodes else labels[1:])


def right_node(nodes: int, label: str) -> Subscriber:
    """The right state of the owner of a label in SR(nodes), for 3 subscribers or more, each called by its index.

    Source: Definition 2; Section 3.2
    """
    sides = reached(nodes, label, False), reached(nodes, label, True)
    before, after = (Claim(side[0], f"v{index_of(side[0])}") for side in sides)
    shortcuts = sorted({other for side in sides for other in side[1:]})
    return Subscriber(
        label,
        left=before if before.label < label else None,
        right=after if after.label > label else None,
        ring=before if before.label > label else after if after.label < label else None,
        shortcuts=tuple(Entry(other, f"v{index_of(other)}") for other in shortcuts),
    )
