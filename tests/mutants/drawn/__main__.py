"""`python -m tests.mutants.drawn`: draw mutants by a seed, try to kill each, and write the results."""

import argparse
import sys
import time
from itertools import chain, zip_longest

from tests.mutants.beyond.suite import noticed
from tests.mutants.drawn import table
from tests.mutants.drawn.draw import PARTS, draw, possible

SECONDS = 900
"""How long the tests of one mutant may take; with longer tests its verdict is unknown."""


def main():
    """0 if every mutant that survives is explained, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.drawn", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides which are drawn (default: 1)")
    parser.add_argument("--count", type=int, default=20, help="how many of each part (default: 20)")
    parser.add_argument("--list", action="store_true", help="say which would be tried, and try none")
    arguments = parser.parse_args()
    drawn = [[(part, mutant) for mutant in draw(part, arguments.count, arguments.seed)] for part in PARTS]
    sizes = {part: len(possible(part)) for part in PARTS}
    rows = []
    for part, mutant in filter(None, chain.from_iterable(zip_longest(*drawn))):
        print(f"{mutant.name}: {mutant.before!r} -> {mutant.after!r}", flush=True)
        if arguments.list:
            continue
        began = time.monotonic()
        seen = noticed(mutant, seconds=SECONDS)
        rows.append((part, mutant, seen))
        print(f"  {table.by(seen)} ({time.monotonic() - began:.0f} s)", flush=True)
        # After each, so that a run that was ended has not been for nothing.
        table.PATH.write_text(table.written(rows, arguments.seed, sizes), encoding="utf-8")
    alive = [mutant for _, mutant, seen in rows if seen is None and table.why(mutant) == table.UNEXPLAINED]
    for mutant in alive:
        print(f"{mutant.name} survives, and is not explained")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
