"""`python -m tests.mutants.beyond [NAME...]`: try to kill changes beyond the ring's rules, and write the table."""

import argparse
import sys
import time

from tests.mutants.beyond import table
from tests.mutants.beyond.changes import ALL, SURVIVORS
from tests.mutants.beyond.suite import noticed


def main():
    """0 if every change is noticed or its survival explained, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants.beyond", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a change (default: all)")
    names = parser.parse_args().names
    chosen = [change for change in ALL if not names or change.name in names]
    if len(chosen) < len(names):
        parser.error(f"there is no change {next(name for name in names if name not in [c.name for c in ALL])!r}")
    known = {change.name for change in ALL}
    verdicts = {name: seen for name, seen in table.read().items() if name in known}
    for change in chosen:
        began = time.monotonic()
        before = verdicts.get(change.name)
        seen = noticed(change, before.test if before else "")
        verdicts[change.name] = seen
        print(f"{change.name}: {seen.test if seen else 'survives'} ({time.monotonic() - began:.0f} s)", flush=True)
        # After each, so that a run that was ended has not been for nothing.
        table.PATH.write_text(table.written(verdicts), encoding="utf-8")
    alive = {change.name for change in chosen if verdicts[change.name] is None}
    for name in sorted(alive - SURVIVORS.keys()):
        print(f"{name} survives, and is not explained")
    return 1 if alive - SURVIVORS.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
