"""Hops of lookups in Chord: `python -m tests.bench lookups`, some minutes.

Rings of three sizes, whole and after half of their nodes crashed at once; every answer is held against the right owner.
"""

import math

from tests.impl.protocols.chord.test_lookups import answered, mean

LOOKUPS = 10_000
SIZES = (8, 64, 512)


def main() -> None:
    """Measure, and print a line for each ring."""
    for nodes in SIZES:
        for crashes in (0, nodes // 2):
            owners, hops, expected = answered(nodes, LOOKUPS, crashes=crashes)
            left, hop = nodes - crashes, mean(hops, LOOKUPS)
            right = sum(owners[key] == owner for key, owner in expected.items())
            print(
                f"{left:4} of {nodes:4} nodes: {right:,} of {LOOKUPS:,} right, mean hops {hop:.2f} "
                f"({hop / math.log2(left):.3f} log2 n), with that to the owner {hops.total() / LOOKUPS:.2f}, "
                f"at most {max(hops.values())}"
            )
