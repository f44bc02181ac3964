"""Connectivity of HyParView: `python -m tests.bench views`, some minutes.

All nodes join at once, through one contact; then a share of them crashes at once. Twenty periods later, in runs with
the seeds 0, 1, and so on: how often all live nodes are connected by mutual links, and how many are in the largest part.
"""

from tests.impl.protocols.hyparview.systems import System, parts

RUNS = {64: 10, 256: 5, 1024: 2}
"""Sizes of systems, each with its number of runs."""

SHARES = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9)


def main() -> None:
    """Measure, and print a line for each system."""
    for nodes, runs in RUNS.items():
        for share in (0.0, *SHARES):
            largest = [after(nodes, seed, share) for seed in range(runs)]
            whole = sum(part == 1 for part in largest)
            says = f"{whole:2} of {runs:2} connected, at least {min(largest):.1%} in one part"
            print(f"{nodes:4} nodes, {share:4.0%} crashed: {says}")


def after(nodes: int, seed: int, share: float) -> float:
    """The largest connected part of the live nodes, as a share of them."""
    system = System(nodes, seed).joined()
    if share:
        system.crash(share)
        system.run(20)
    return max(parts(system.states())) / len(system.alive)
