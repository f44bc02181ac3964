"""Routes and broadcasts over right graphs of Skip+: `python -m tests.bench routes`, minutes.

Strings are random, of 2 ceil(log2 n) bits; graph i of n nodes is decided by the seed "n i".
"""

from math import ceil, log2
from random import Random
from statistics import mean

from gomboc.impl.core.name_order import responsible
from tests.impl.core.test_name_order import depths, way
from tests.impl.protocols.skip_plus.systems import drawn, right_graph

GRAPHS = {8: 200, 16: 200, 32: 100, 64: 40, 128: 6, 256: 3, 512: 2}
BROADCASTS, ROUTES = 40, 3_000
"""Of each graph of more than 64 nodes; of smaller ones a broadcast from each node, and four routes for each."""


def measured(nodes: int, number: int) -> tuple[float, list[int], list[int]]:
    """Neighbours in the mean, the hops of all routes, and the depths of all broadcasts, of one graph."""
    random = Random(f"{nodes} {number}")
    names = drawn(nodes, 2 * ceil(log2(nodes)), random)
    graph = right_graph(names)
    few = nodes <= 64
    hops = []
    for _ in range(4 * nodes if few else ROUTES):
        key = f"{random.getrandbits(64):016x}"
        asked = way(graph, random.choice(names), key)
        assert asked[-1] == responsible(names, key)
        hops.append(len(asked) - 1)
    reached = [depths(graph, name) for name in (names if few else random.sample(names, BROADCASTS))]
    assert all(sorted(depth_of) == sorted(names) for depth_of in reached)
    return mean(map(len, graph.values())), hops, [max(depth_of.values()) for depth_of in reached]


def main() -> None:
    """Measure, and print the rows of the page."""
    print("| n | graphs | neighbours, mean | hops, worst | mean | depth, worst | mean | ceil(log2 n) + 1 |")
    for nodes, graphs in GRAPHS.items():
        neighbours, hops, depth = zip(*(measured(nodes, number) for number in range(graphs)), strict=True)
        all_hops, all_depths = ([value for values in group for value in values] for group in (hops, depth))
        print(
            f"| {nodes} | {graphs} | {mean(neighbours):.1f} | {max(all_hops)} | {mean(all_hops):.1f} | "
            f"{max(all_depths)} | {mean(all_depths):.1f} | {ceil(log2(nodes)) + 1} |",
            flush=True,
        )
