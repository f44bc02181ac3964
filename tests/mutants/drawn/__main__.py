"""`python -m tests.mutants.drawn`: draw mutants by a seed, try to kill each, and write the results."""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, zip_longest

from tests.mutants.beyond.suite import noticed
from tests.mutants.drawn import table
from tests.mutants.drawn.draw import ALL_PARTS, PARTS, draw, possible

COUNT = 20
SECONDS = 900
"""How long the tests of one mutant may take; with longer tests its verdict is unknown."""


def main():
    """0 if every mutant that survives is explained, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.drawn", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="decides which are drawn (default: 1)")
    parser.add_argument("--count", type=int, default=COUNT, help="how many of each part (default: 20)")
    parser.add_argument("--part", choices=[*ALL_PARTS], help="a part (default: spec, impl and checker)")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at once (default: 1)")
    parser.add_argument("--list", action="store_true", help="say which would be tried, and try none")
    arguments = parser.parse_args()
    parts = (arguments.part,) if arguments.part else tuple(PARTS)
    drawn = [[(part, mutant) for mutant in draw(part, arguments.count, arguments.seed)] for part in parts]
    sizes = {part: len(possible(part)) for part in parts}
    count = f" --count {arguments.count}" if arguments.count != COUNT else ""
    options, rows = f"--seed {arguments.seed}" + (f" --part {arguments.part}" if arguments.part else "") + count, []
    before = table.PATH.read_text(encoding="utf-8")
    mutants = [*filter(None, chain.from_iterable(zip_longest(*drawn)))]
    if arguments.list:
        for _, mutant in mutants:
            print(f"{mutant.name}: {mutant.before!r} -> {mutant.after!r}")
        return 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        tried = pool.map(_tried, (mutant for _, mutant in mutants))
        for (part, mutant), (seen, seconds) in zip(mutants, tried, strict=True):
            rows.append((part, mutant, seen))
            print(
                f"{mutant.name}: {mutant.before!r} -> {mutant.after!r}\n  {table.by(seen)} ({seconds:.0f} s)",
                flush=True,
            )
            # After each, so that a run that was ended has not been for nothing.
            section = table.written(rows, options, sizes)
            table.PATH.write_text(table.with_section(before, options, section), encoding="utf-8")
    alive = [mutant for _, mutant, seen in rows if seen is None and table.why(mutant) == table.UNEXPLAINED]
    for mutant in alive:
        print(f"{mutant.name} survives, and is not explained")
    return 1 if alive else 0


def _tried(mutant):
    """The notice of the tests on a mutant, and the seconds that it took."""
    began = time.monotonic()
    return noticed(mutant, seconds=SECONDS), time.monotonic() - began


if __name__ == "__main__":
    sys.exit(main())
