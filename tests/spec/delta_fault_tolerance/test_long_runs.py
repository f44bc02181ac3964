"""In runs over uneven links, with several failures at once, nothing is lost, and all is right in the end.

`python -m tests.spec.delta_fault_tolerance.test_long_runs RUNS [SEED [VARIANT]]` looks at more of these runs.
"""

import sys
from random import Random

from gomboc.checker.evidence.delta_fault_tolerance.experiments.running import walk
from gomboc.checker.evidence.delta_fault_tolerance.experiments.trees import trees
from gomboc.spec.delta_fault_tolerance.models import protocol

RUNS = 48
SIZES = (2, 3, 3, 4, 4, 5, 6, 7, 8)


def long_run(seed, variant=None):
    """The run that a seed decides: 2 to 8 brokers, delta 1 to 3."""
    random = Random(seed)
    delta, names = random.choice((1, 2, 2, 3, 3)), random.choice(trees(random.choice(SIZES)))
    steps, crashes = random.choice((100, 200, 300)), random.choice((0.03, 0.06))
    return walk(protocol(delta, variant), delta, names, random, steps, crashes, uneven=True)


def test_nothing_is_lost_and_all_is_right_in_the_end():
    assert {seed: made.wrong() for seed in range(RUNS) if (made := long_run(seed)).wrong()} == {}


def test_a_rejoin_that_says_nothing_is_noticed():
    assert any(long_run(seed, "silent_rejoin").wrong() for seed in range(RUNS))


if __name__ == "__main__":
    runs, first, variant = int(sys.argv[1]), int(next(iter(sys.argv[2:]), 0)), next(iter(sys.argv[3:]), None)
    steps = 0
    for seed in range(first, first + runs):
        made = long_run(seed, variant)
        steps += len(made.turns)
        if made.wrong():
            sys.exit(f"seed {seed}: {made.wrong()} after {len(made.turns)} steps")
    print(f"{runs:,} runs, {steps:,} steps: nothing is wrong")
