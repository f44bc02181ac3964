"""`python -m tests.mutants.drawn`: draw mutants by a seed, try to kill each, and write what became of them."""

import argparse
import sys
import time

from tests.mutants.beyond.suite import LATE, noticed
from tests.mutants.drawn import table
from tests.mutants.drawn.draw import PARTS, draw, possible

SECONDS = 400
"""How long the tests of one mutant may take; one whose tests take longer is not noticed."""


def main():
    """0 if every mutant that survives is explained, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.drawn", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides which are drawn (default: 1)")
    parser.add_argument("--count", type=int, default=20, help="how many of each part (default: 20)")
    parser.add_argument("--part", choices=[*PARTS], action="append", help="only of this part")
    parser.add_argument("--list", action="store_true", help="say which would be tried, and try none")
    given = parser.parse_args()
    rows = []
    for part in given.part or PARTS:
        for mutant in draw(part, given.count, given.seed):
            began = time.monotonic()
            seen = None if given.list else _noticed(mutant)
            rows.append((part, mutant, seen))
            said = "" if given.list else seen.test if seen else "survives"
            took = time.monotonic() - began
            print(f"{mutant.name}: {mutant.before!r} -> {mutant.after!r}: {said} ({took:.0f} s)", flush=True)
    if given.list:
        return 0
    if given.part is None:
        sizes = {part: len(possible(part)) for part in PARTS}
        table.PATH.write_text(table.written(rows, given.seed, sizes), encoding="utf-8")
    alive = [mutant for _, mutant, seen in rows if seen is None and table.why(mutant) == "not explained"]
    for mutant in alive:
        print(f"{mutant.name} survives, and nobody has said why")
    return 1 if alive else 0


def _noticed(mutant):
    """What noticed it; nothing, too, if its tests did not come to their end."""
    seen = noticed(mutant, seconds=SECONDS)
    return None if seen is not None and seen.says.startswith(LATE) else seen


if __name__ == "__main__":
    sys.exit(main())
